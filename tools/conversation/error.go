package conversation

import (
	"fmt"

	"tidepool/internal/wording"
)

// A pastEndError means that a turn has fewer lines than an answer was to begin at.
type pastEndError struct{ turn, from, lines int }

func (e *pastEndError) Error() string {
	return fmt.Sprintf("from %d is out of range: turn %d has %s", e.from, e.turn, wording.Count(e.lines, "line"))
}

// Hint says what from may be.
func (*pastEndError) Hint() string { return "take next of the answer before, or leave from out" }
