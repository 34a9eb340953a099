package mcp

import (
	"encoding/json"
	"time"

	"tidepool/agent/internal/client"
	"tidepool/internal/dialog"
	"tidepool/protocol"
)

// answerTimeout is how long the daemon may take to record an answer.
const answerTimeout = 5 * time.Second

// reportAnswer sends the daemon the outcome of a dialog, which was shown for so long.
func (s *server) reportAnswer(q protocol.Question, raw json.RawMessage, shown time.Duration) {
	if answer := dialog.Answer(q, raw, shown); answer != nil {
		s.sendAnswer(answer)
	}
}

// sendAnswer sends an answer to the daemon. It ignores errors: a late or wrong answer
// leaves the question unchanged, and the call's own reply carries its end.
func (s *server) sendAnswer(answer *protocol.AnswerRequest) {
	_, _ = client.Ask(s.Locate(), answer, time.Now().Add(answerTimeout))
}
