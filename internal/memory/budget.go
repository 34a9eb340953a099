package memory

import (
	"context"
	"fmt"
	"os"
)

// A Budget is how much a program and all that it starts may occupy together.
type Budget struct {
	Bytes  int64    // 0: there is none, because what the machine has available is not known
	Reason string   // why it is so much, or why there is none: one line, for a person
	Doubts []string // see [Room]
}

// leastBudget is what a machine with next to nothing left gives all the same: with less no language server runs.
const leastBudget = 256 << 20

// HalfOf returns the budget of a program that has just started: half of what is available, with what the program itself
// occupies, own bytes, counted as available. err is why the room is not known.
func HalfOf(room Room, own int64, err error) Budget {
	if err != nil {
		return Budget{Reason: "what the machine has available is not known: " + err.Error()}
	}
	all := room.Bytes + own
	budget := Budget{Bytes: all / 2, Doubts: room.Doubts, Reason: fmt.Sprintf("half of the %d MB available by %s", all>>20, room.From)}
	if budget.Bytes < leastBudget {
		budget.Bytes = leastBudget
		budget.Reason = fmt.Sprintf("the least that is of use: %d MB are available by %s", all>>20, room.From)
	}
	return budget
}

// BudgetNow returns the budget that a setting gives this process: so many bytes, or with 0 half of what is available now.
func BudgetNow(ctx context.Context, set int64) Budget {
	if set > 0 {
		return Budget{Bytes: set, Reason: "as set"}
	}
	room, err := Available()
	return HalfOf(room, Resident(ctx, os.Getpid()), err)
}
