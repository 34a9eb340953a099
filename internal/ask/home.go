package ask

import (
	"cmp"
	"fmt"

	"tidepool/protocol"
)

// Dialog is the channel of the MCP client's own dialog.
const Dialog = "elicitation"

// A HomeError means that only another channel may answer the question: a dialog that nobody but its user can close.
type HomeError struct{ Record protocol.QuestionRecord }

func (e *HomeError) Error() string {
	return "question " + e.Record.ID + " waits " + e.Where()
}

// Where returns where the question is answered, in words.
func (e *HomeError) Where() string {
	return fmt.Sprintf("in the dialog of %s, which only its user can close", cmp.Or(e.Record.From.Client, "the client"))
}

// Hint says how to answer there, and how to move the question here.
func (e *HomeError) Hint() string {
	return "answer it there, or press Esc there and answer again; questions that come while agent ui is open are answered in agent ui"
}
