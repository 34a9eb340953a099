package ask

import (
	"cmp"
	"fmt"

	"tidepool/protocol"
)

// Dialog is the channel of answers from the dialog of the MCP client that asks.
const Dialog = "elicitation"

// A HomeError says that a question is answered by another channel: a dialog that nothing but its user can close.
type HomeError struct{ Record protocol.QuestionRecord }

func (e *HomeError) Error() string {
	return "question " + e.Record.ID + " waits " + e.Where()
}

// Where is the place where the question is answered, in words.
func (e *HomeError) Where() string {
	return fmt.Sprintf("in the dialog of %s, which only its user can close", cmp.Or(e.Record.From.Client, "the client"))
}

// Hint says how to answer there, and how to answer here.
func (e *HomeError) Hint() string {
	return "answer it there, or press Esc there and answer again; questions that come while agent ui is open are answered in agent ui"
}
