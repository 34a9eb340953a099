package doctor

import (
	"context"
	"errors"
	"testing"
)

// A shut error has a hint.
type shut struct{}

func (shut) Error() string { return "recall is off: the disk is full" }
func (shut) Hint() string  { return "free some space" }

func TestRecall(t *testing.T) {
	opens := func(text, problem string, err error) Recall {
		return Recall{Enabled: true, Open: func(context.Context) (string, string, error) { return text, problem, err }}
	}
	wantFine(t, Recall{}, "memories", "switched off")
	wantFine(t, opens("214 in memory.db", "", nil), "memories", "214 in memory.db")
	wantProblem(t, opens("214 in memory.db", "what was forgotten is not out of all files yet", nil), "memories", "not out of all files", "agent memory status")
	wantProblem(t, opens("", "", shut{}), "memories", "the disk is full", "free some space")
	wantProblem(t, opens("", "", errors.New("database is locked")), "memories", "locked", "agent memory status")
}
