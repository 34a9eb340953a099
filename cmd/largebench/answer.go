package main

import (
	"context"
	"time"

	"tidepool/lsp"
)

// readyBudget is how long a call of the daemon waits for language servers, by its default setting; a tenth more is held.
const readyBudget = 8 * time.Second

// An answer is what a side has said to one question.
type answer struct {
	took  time.Duration // all calls that it took: of a name that means several things, the one that lists them, too
	slow  time.Duration // the longest of these calls
	uses  int           // call sites; of a bare server references
	more  int           // other uses of the daemon's answer: references that are no calls, and places that may be calls
	state lsp.State     // of a bare server that is ready Complete
	wrong bool          // it says that something is not found that is there
	said  string        // for people, if the answer has no uses
	first string        // of a bare server: where its first use is, as "path:line"
}

// A tally counts the answers of the daemon by how complete they were.
type tally struct {
	answers, complete, partial, indexing, unknown int
	wrong                                         int           // said "not found" of what is there
	longest                                       time.Duration // call of those that were indexing: each had to come within the budget
	late                                          string        // what that call said
	example                                       string        // the first that was wrong
}

func (t *tally) add(a answer) {
	t.answers++
	switch a.state {
	case lsp.Complete:
		t.complete++
	case lsp.Partial:
		t.partial++
	case lsp.Indexing:
		t.indexing++
		if a.slow > t.longest {
			t.longest, t.late = a.slow, a.said
		}
	default:
		t.unknown++
	}
	if a.wrong {
		if t.wrong++; t.wrong == 1 {
			t.example = a.said
		}
	}
}

// A side is one of the two that are measured, at work in a project.
type side struct {
	pid    func() int                                          // of its process, which may be another one after an edit
	ready  func(ctx context.Context) error                     // waits until it says that it knows the project
	ask    func(ctx context.Context, s symbol) (answer, error) // for the calls of a function
	change func(ctx context.Context, path, text string) error  // a file has this text from now on
	revert func(ctx context.Context, path, text string) error  // a file has its first text again
	stop   func() error
}
