package scout

import "context"

// A Checker is a [Graph] that can also try a change out.
type Checker interface {
	// Check makes the change where nobody else sees it and lists the places that a
	// compiler then refuses. c.Kind is known, roots are what the query names. A
	// change that cannot be made is a Refusal; an error means that trying failed.
	Check(ctx context.Context, c Change, roots []Node) (Verdict, error)
}

// A Verdict is what a compiler says of a change. The zero value says that all
// still compiles.
type Verdict struct {
	// Broken are the places that no longer compile, each once. Certain is true;
	// Reason is the compiler's message, Role what the place does with the symbol,
	// Fix what to do there.
	Broken []Edge
	// Unseen reports whether the compiler did not look at a file below the project,
	// such as that of another platform; nil: it saw all of them.
	Unseen  func(path string) bool
	Refusal string // why the change was not tried, or not wholly; "": it was
	Rounds  int    // edits tried, one after the errors of the other
}
