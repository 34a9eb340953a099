package scout

import (
	"fmt"
	"slices"
	"strings"

	"tidepool/internal/wording"
)

// fits reports whether a change of this kind can be made to a declaration of a
// kind, in the language's word. A word that it does not know fits all.
func (k ChangeKind) fits(declared string) bool {
	switch declared {
	case "file", "module", "namespace", "package", "type parameter":
		return k == Rename || k == Move || k == Deprecate || k == Delete || k == ChangeBehavior || k == Other
	}
	return !slices.Contains(senseless[k], declared)
}

// senseless are the declarations, in languages' words, that a change cannot be
// made to. It is read, never written.
var senseless = map[ChangeKind][]string{
	AddParameter:      typesAlone,
	RemoveParameter:   typesAlone,
	RetypeParameter:   typesAlone,
	ReorderParameters: typesAlone,
	RenameParameter:   typesAlone,
	MakeVariadic:      typesAlone,
	RemoveResult:      typesAlone,
	ReturnError:       typesAlone,
	ChangeSignature:   typesAlone,
	ChangeReceiver:    append([]string{"function", "constructor", "field", "property", "variable", "constant"}, typesAlone...),
	MakeGeneric:       {"method", "constructor", "field", "property", "variable", "constant", "enum", "enum member"},
	AddMethod:         {"function", "method", "constructor", "field", "property", "variable", "constant", "enum member"},
	AddField:          {"function", "method", "constructor", "field", "property", "variable", "constant", "enum", "enum member"},
	RemoveField:       {"function", "constructor", "constant", "enum", "enum member"},
	ChangeType:        {"function", "method", "constructor"},
	ChangeValue:       {"struct", "interface", "enum", "class"},
	AddVariant:        {"function", "method", "constructor", "field", "property"},
	AddImplementation: {"function", "method", "constructor", "struct", "field", "property", "variable", "constant", "enum", "enum member"},
	Move:              {"field", "property", "method", "constructor", "enum member"},
}

// typesAlone have no signature, whatever the language.
var typesAlone = []string{"struct", "interface", "enum", "enum member"}

// A MismatchError means that a change cannot be made to what a name means.
type MismatchError struct {
	Change ChangeKind
	Symbol Candidate
	Reason string // why not, if what it is does not say it
}

func (e *MismatchError) Error() string {
	text := fmt.Sprintf("%s makes no sense for %s (%s)", e.Change, e.Symbol.Name, e.Symbol.Location)
	switch {
	case e.Symbol.Kind == "":
	case strings.ContainsAny(e.Symbol.Kind[:1], "aeiou"):
		text += ", which is an " + e.Symbol.Kind
	default:
		text += ", which is a " + e.Symbol.Kind
	}
	if e.Reason != "" {
		text += ": " + e.Reason
	}
	return text
}

// Hint lists the changes that would make sense.
func (e *MismatchError) Hint() string {
	kinds := slices.DeleteFunc(ChangeKinds(), func(k ChangeKind) bool { return k == e.Change || !k.fits(e.Symbol.Kind) })
	return "what can be done to it is " + joinWords(kinds)
}

// fit keeps the roots that the change can be made to. Of an interface, a variant is a type more that implements it.
func (w *walk) fit() error {
	if w.query.Change.Kind == AddVariant && !slices.ContainsFunc(w.roots, func(n Node) bool { return n.Kind != "interface" }) {
		w.understood.Change, w.query.Change.Kind = AddImplementation, AddImplementation
	}
	kind := w.query.Change.Kind
	fitting := slices.DeleteFunc(slices.Clone(w.roots), func(n Node) bool { return !kind.fits(n.Kind) })
	if len(fitting) == 0 {
		return w.senseless("")
	}
	w.roots = fitting
	for i := range w.symbols {
		s := &w.symbols[i]
		s.Walked = arrange(s.Found[:s.Walked], func(c Candidate) bool { return kind.fits(c.Kind) })
	}
	return nil
}

// senseless says that the change can be made to none of the roots. One that the caller gave is a *[MismatchError]; one
// that was read from the words is taken for a misreading, and the question for an open one.
func (w *walk) senseless(reason string) error {
	mismatch := &MismatchError{Change: w.query.Change.Kind, Symbol: candidates(w.roots)[0], Reason: wording.Line(reason, maxReason)}
	if !w.understood.Inferred {
		return mismatch
	}
	w.understood.Doubt, w.understood.Unsure, w.understood.Ask = mismatch.Error(), false, w.arguments()
	w.understood.Change, w.query.Change.Kind = Other, Other
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
