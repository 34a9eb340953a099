package scout

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// A ChangeKind decides which roles a change touches and through which it
// travels on.
type ChangeKind string

// The kinds of change.
const (
	AddParameter      ChangeKind = "add_parameter"      // a required parameter on a function or method
	RemoveParameter   ChangeKind = "remove_parameter"   // a parameter goes away
	RetypeParameter   ChangeKind = "retype_parameter"   // a parameter of another type
	ReorderParameters ChangeKind = "reorder_parameters" // the same parameters, in another order
	RenameParameter   ChangeKind = "rename_parameter"   // another name for a parameter
	MakeVariadic      ChangeKind = "make_variadic"      // the last parameter takes any number of arguments
	RemoveResult      ChangeKind = "remove_result"      // a result goes away
	ReturnError       ChangeKind = "return_error"       // an error result, passed up by callers
	ChangeSignature   ChangeKind = "change_signature"   // parameters or results otherwise
	ChangeReceiver    ChangeKind = "change_receiver"    // a method of the pointer instead of the value, or the other way round
	MakeGeneric       ChangeKind = "make_generic"       // a type parameter
	AddMethod         ChangeKind = "add_method"         // a method on an interface, or on another type
	AddField          ChangeKind = "add_field"          // a field on a struct
	RemoveField       ChangeKind = "remove_field"       // a field or an embedded field leaves a struct
	ChangeType        ChangeKind = "change_type"        // of a field, variable or type declaration
	ChangeValue       ChangeKind = "change_value"       // another value of a constant, another default
	AddVariant        ChangeKind = "add_variant"        // a constant more in an enum-like type
	AddImplementation ChangeKind = "add_implementation" // a type more that implements an interface
	Rename            ChangeKind = "rename"             // another name, nothing else
	Move              ChangeKind = "move"               // to another package or module
	Deprecate         ChangeKind = "deprecate"          // a mark that it should not be used any more
	Delete            ChangeKind = "delete"             // the symbol goes away
	ChangeBehavior    ChangeKind = "change_behavior"    // what it does, not how it is declared: which tests notice?
	Other             ChangeKind = "other"              // anything not above, and open questions
)

// An about is what texts say about a kind of change.
type about struct {
	kind   ChangeKind
	doing  string // begins a sentence that goes on with the symbol
	means  string // what is changed, for who chooses a kind
	detail string // an example of what says the edit wholly; "": the kind alone does
}

// kinds are in the order in which they are documented. They are read, never written.
var kinds = []about{
	{AddParameter, "Adding a parameter to", "one parameter more, its detail name, type and place", "ctx context.Context, first"},
	{RemoveParameter, "Removing a parameter of", "one parameter less, its detail which", "verbose"},
	{RetypeParameter, "Changing the type of a parameter of", "a parameter of another type", "n int64"},
	{ReorderParameters, "Reordering the parameters of", "the same parameters in another order", "dst, src"},
	{RenameParameter, "Renaming a parameter of", "another name for a parameter", "in to source"},
	{MakeVariadic, "Making variadic", "the last parameter takes any number", ""},
	{RemoveResult, "Removing a result of", "one result less, its detail which", "error"},
	{ReturnError, "Returning an error from", "an error result that callers pass up", ""},
	{ChangeSignature, "Changing the signature of", "any other signature, its detail all of it", "(name string) (int, error)"},
	{ChangeReceiver, "Changing the receiver of", "a method of the value or the pointer", "value"},
	{MakeGeneric, "Making generic", "a type parameter, its detail the signature", "[T any](a T) T"},
	{AddMethod, "Adding a method to", "a method more on an interface or type", "Close() error"},
	{AddField, "Adding a field to", "a field more in a struct", "Timeout time.Duration"},
	{RemoveField, "Removing", "a field or embedded field less", "Timeout"},
	{ChangeType, "Changing the type of", "another type of a field, variable or type", "int64"},
	{ChangeValue, "Changing the value of", "another value or default: what reads it", "false"},
	{AddVariant, "Adding a variant to", "a constant more in an enum, or an alternative in a union", ""},
	{AddImplementation, "Adding an implementation of", "a type more that implements an interface", ""},
	{Rename, "Renaming", "another name, which is its detail", "NewName"},
	{Move, "Moving", "to another package or module, which is its detail", "internal/geo"},
	{Deprecate, "Deprecating", "a mark that it is obsolete: what refers to it", ""},
	{Delete, "Deleting", "it goes away", ""},
	{ChangeBehavior, "Changing what is done by", "what it does: which tests run it", ""},
	{Other, "Changing", "anything else, and open questions", ""},
}

// about returns what texts say about a kind; about [Other] if it is none.
func (k ChangeKind) about() about {
	i := slices.IndexFunc(kinds, func(a about) bool { return a.kind == k })
	if i < 0 {
		return kinds[len(kinds)-1]
	}
	return kinds[i]
}

// ChangeKinds lists the kinds in the order in which they are documented.
func ChangeKinds() []ChangeKind {
	all := make([]ChangeKind, len(kinds))
	for i, a := range kinds {
		all[i] = a.kind
	}
	return all
}

// Meaning says in a few words what is changed, with an example of a detail if the
// kind alone does not say the edit: "another name, which is its detail: NewName".
func (k ChangeKind) Meaning() string {
	a := k.about()
	if a.detail == "" {
		return a.means
	}
	return a.means + ": " + a.detail
}

// Detailed reports whether an edit of this kind is wholly said only with a detail.
func (k ChangeKind) Detailed() bool { return k.about().detail != "" }

// describe says the change in words, in the form "Adding a parameter to".
func (k ChangeKind) describe() string { return k.about().doing }

// argument returns an example of a change of this kind as a caller passes it, in JSON.
func (k ChangeKind) argument() string {
	a := k.about()
	if a.detail == "" {
		return fmt.Sprintf("%q", k)
	}
	detail, _ := json.Marshal(a.detail) // of a string it does not fail
	return fmt.Sprintf(`{"kind": %q, "detail": %s}`, k, detail)
}

// ParseChangeKind reads a kind in any capitalisation, with hyphens or blanks
// for the underscores. Anything else is a *[QueryError] that names them all.
func ParseChangeKind(text string) (ChangeKind, error) {
	folded := strings.NewReplacer("-", "_", " ", "_").Replace(strings.ToLower(strings.TrimSpace(text)))
	if kind := ChangeKind(folded); slices.Contains(ChangeKinds(), kind) {
		return kind, nil
	}
	return "", &QueryError{Field: "change", Problem: fmt.Sprintf("kind %q is none of %s", text, joinWords(ChangeKinds()))}
}
