package scout

import (
	"cmp"
	"context"
	"slices"

	"tidepool/internal/wording"
)

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
	Unseen func(path string) bool
	// Lost names methods of interfaces that the roots implement and, once the change is made, do not, where no error in Broken says so: what
	// asks for an interface while the program runs is no error.
	Lost    []string
	Refusal string // why the change was not tried, or not wholly; "": it was
	Rounds  int    // edits tried, one after the errors of the other
	// Senseless reports that the change cannot be made to any of the roots, being what they are. Refusal says why.
	Senseless bool
	// Unclear reports that nobody has said which edit is meant, so that none was tried. Refusal says what is missing.
	Unclear bool
}

// A Writer is a [Graph] that can also write a change as code.
type Writer interface {
	// Written is what becomes of a declaration under a change, on one line: "func F() → func F() error"; "" if it is not
	// known. It is the edit that Check tries.
	Written(ctx context.Context, c Change, n Node) string
}

// try tries the change, if the graph can and a compiler has a say in it. A change that makes no sense fails as in fit, and
// of one that nobody has wholly said the answer is what refers to the symbols.
func (w *walk) try(ctx context.Context) error {
	err := w.attempt(ctx)
	if writer, ok := w.graph.(Writer); ok && err == nil && !w.query.Change.Kind.ranked() {
		w.understood.Edit = wording.Line(writer.Written(ctx, w.query.Change, w.roots[0]), maxEdit)
	}
	return err
}

func (w *walk) attempt(ctx context.Context) error {
	checker, ok := w.graph.(Checker)
	if !ok || !w.query.Change.Kind.tried() {
		return nil
	}
	verdict, err := checker.Check(ctx, w.query.Change, w.roots)
	switch {
	case ctx.Err() != nil:
		w.stop(ctx)
		return nil
	case err != nil:
		verdict = Verdict{Refusal: err.Error()}
	case verdict.Senseless:
		return w.senseless(verdict.Refusal)
	case verdict.Unclear:
		w.unclear(verdict.Refusal)
		return nil
	}
	w.verdict = &verdict
	return nil
}

// take makes the places that break a part of the answer, whatever the budget.
func (w *walk) take() {
	if w.verdict == nil {
		return
	}
	verdict, kind := *w.verdict, w.query.Change.Kind
	w.unseen = verdict.Unseen
	w.checked = Checked{
		Tried: verdict.Rounds > 0 || verdict.Refusal == "", Rounds: verdict.Rounds, Broken: len(verdict.Broken),
		Lost: verdict.Lost, Refusal: wording.Line(verdict.Refusal, maxReason),
		all: verdict.Refusal == "" && kind.compiled(),
	}
	broken := slices.Clone(verdict.Broken)
	for i := range broken {
		broken[i].Certain, broken[i].Depth = true, 1
		if broken[i].From.Path == "" {
			broken[i].From = w.roots[0]
		}
	}
	slices.SortStableFunc(broken, w.compareBroken)
	for _, e := range broken {
		if !w.seen[e.place()] {
			w.seen[e.place()], w.seen[e.line()] = true, true
			w.sure(clipped(e))
		}
	}
}

// compareBroken orders what no longer compiles: what people have written before what programs have, and what ships before what tests it.
func (w *walk) compareBroken(a, b Edge) int {
	_, writtenA := a.Trait(TraitGenerated)
	_, writtenB := b.Trait(TraitGenerated)
	return cmp.Or(compareBools(writtenA, writtenB), compareBools(a.inTests(), b.inTests()), w.compare(a, b))
}

// sure lists an edge that needs no score.
func (w *walk) sure(e Edge) {
	if len(w.certain) == w.options.MaxPlaces {
		w.left.Certain++
		return
	}
	w.certain = append(w.certain, w.ruled(e))
}
