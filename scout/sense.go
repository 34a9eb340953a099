package scout

import (
	"fmt"
	"slices"
	"strings"
)

// fits reports whether a change of this kind can be made to a declaration of a
// kind, in the language's word. A word that it does not know fits all.
func (k ChangeKind) fits(declared string) bool {
	switch declared {
	case "file", "module", "namespace", "package", "type parameter":
		return k == Rename || k == Delete || k == ChangeBehavior || k == Other
	}
	return !slices.Contains(senseless[k], declared)
}

// senseless are the declarations, in languages' words, that a change cannot be
// made to. It is read, never written.
var senseless = map[ChangeKind][]string{
	AddParameter:      {"struct", "interface", "enum", "enum member"},
	ChangeSignature:   {"struct", "interface", "enum", "enum member"},
	ReturnError:       {"struct", "interface", "enum", "enum member"},
	AddMethod:         {"function", "method", "constructor", "field", "property", "variable", "constant", "enum member"},
	RemoveField:       {"function", "constructor", "constant", "enum", "enum member"},
	ChangeType:        {"function", "method", "constructor"},
	AddVariant:        {"function", "method", "constructor", "field", "property"},
	AddImplementation: {"function", "method", "constructor", "field", "property", "variable", "constant", "enum", "enum member"},
}

// A MismatchError says that a change cannot be made to what a name means.
type MismatchError struct {
	Change ChangeKind
	Symbol Candidate
}

func (e *MismatchError) Error() string {
	article := "a"
	if strings.ContainsAny(e.Symbol.Kind[:1], "aeiou") {
		article = "an"
	}
	return fmt.Sprintf("%s makes no sense for %s (%s), which is %s %s", e.Change, e.Symbol.Name, e.Symbol.Location, article, e.Symbol.Kind)
}

// Hint lists the changes that would make sense.
func (e *MismatchError) Hint() string {
	kinds := slices.DeleteFunc(ChangeKinds(), func(k ChangeKind) bool { return !k.fits(e.Symbol.Kind) })
	return "what can be done to it is " + joinWords(kinds)
}

// fit keeps the roots that the change can be made to. If there are none, a change
// that the caller gave is a *[MismatchError]; one that was read from the words is
// taken for a misreading, and the question for an open one.
func (w *walk) fit() error {
	kind := w.query.Change.Kind
	fitting := slices.DeleteFunc(slices.Clone(w.roots), func(n Node) bool { return !kind.fits(n.Kind) })
	if len(fitting) == 0 {
		mismatch := &MismatchError{Change: kind, Symbol: candidates(w.roots)[0]}
		if !w.understood.Inferred {
			return mismatch
		}
		w.understood.Doubt = mismatch.Error()
		w.understood.Change, w.query.Change.Kind = Other, Other
		return nil
	}
	w.roots = fitting
	for i := range w.symbols {
		s := &w.symbols[i]
		s.Walked = arrange(s.Found[:s.Walked], func(c Candidate) bool { return kind.fits(c.Kind) })
	}
	return nil
}

// arrange moves the items that fit to the front, each group in its order, and
// returns how many they are.
func arrange[T any](items []T, fits func(T) bool) int {
	rest := slices.DeleteFunc(slices.Clone(items), fits)
	front := slices.DeleteFunc(slices.Clone(items), func(item T) bool { return !fits(item) })
	copy(items, append(front, rest...))
	return len(front)
}
