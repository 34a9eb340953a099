package scout

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// A Change is the edit that a query asks about. In JSON it is an object, or the
// kind alone as a string.
type Change struct {
	Kind   ChangeKind `json:"kind,omitempty"`   // "": inferred from the words of the query
	Detail string     `json:"detail,omitempty"` // the edit in words: "ctx context.Context, first"
	Terms  Terms      `json:"-"`                // what the words say of the edit; the walk fills it in
}

// Terms are the particulars of a change, as far as its words give them. The zero
// value says that they give none.
type Terms struct {
	From     string // of ChangeType: the type that there is, as it was written; of Rename: the old name
	To       string // of ChangeType: the type that there will be; of Rename: the new name
	Member   string // the field, method, variant, implementation or parameter that the words name
	Position int    // of a parameter: 1 is the first, -1 the last; 0: they do not say
	Levels   int    // of ReturnError: how many levels of callers follow; 0: they do not say
	// Direction is what an open question asks for: [Uses], [Users]; "": both.
	Direction string
}

// A ChangeKind decides which roles a change touches and through which it
// travels on.
type ChangeKind string

// The kinds of change.
const (
	AddParameter      ChangeKind = "add_parameter"      // a required parameter on a function or method
	ChangeSignature   ChangeKind = "change_signature"   // parameters or results otherwise
	AddMethod         ChangeKind = "add_method"         // a method on an interface
	RemoveField       ChangeKind = "remove_field"       // a field or an embedded field leaves a struct
	Rename            ChangeKind = "rename"             // another name, nothing else
	ChangeType        ChangeKind = "change_type"        // of a field, variable or type declaration
	AddVariant        ChangeKind = "add_variant"        // a constant more in an enum-like type
	AddImplementation ChangeKind = "add_implementation" // a type more that implements an interface
	ReturnError       ChangeKind = "return_error"       // an error result, passed up by callers
	Delete            ChangeKind = "delete"             // the symbol goes away
	ChangeBehavior    ChangeKind = "change_behavior"    // what it does, not how it is declared: which tests notice?
	Other             ChangeKind = "other"              // anything not above, and open questions
)

// ChangeKinds lists the kinds in the order in which they are documented.
func ChangeKinds() []ChangeKind {
	return []ChangeKind{
		AddParameter, ChangeSignature, AddMethod, RemoveField, Rename, ChangeType,
		AddVariant, AddImplementation, ReturnError, Delete, ChangeBehavior, Other,
	}
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

// UnmarshalJSON accepts {"kind":…,"detail":…}, a kind alone, or null.
func (c *Change) UnmarshalJSON(data []byte) error {
	var kind ChangeKind
	if json.Unmarshal(data, &kind) == nil {
		*c = Change{Kind: kind}
		return nil
	}
	type plain Change
	var p plain
	if err := json.Unmarshal(data, &p); err != nil {
		return &QueryError{Field: "change", Problem: "want an object with kind and detail, or a kind"}
	}
	*c = Change(p)
	return nil
}

// describe says the change in words, in the form "Adding a parameter to".
func (k ChangeKind) describe() string {
	switch k {
	case AddParameter:
		return "Adding a parameter to"
	case ChangeSignature:
		return "Changing the signature of"
	case AddMethod:
		return "Adding a method to"
	case RemoveField:
		return "Removing"
	case Rename:
		return "Renaming"
	case ChangeType:
		return "Changing the type of"
	case AddVariant:
		return "Adding a variant to"
	case AddImplementation:
		return "Adding an implementation of"
	case ReturnError:
		return "Returning an error from"
	case Delete:
		return "Deleting"
	case ChangeBehavior:
		return "Changing what is done by"
	}
	return "Changing"
}

func joinWords[T ~string](words []T) string {
	texts := make([]string, len(words))
	for i, w := range words {
		texts[i] = string(w)
	}
	return strings.Join(texts, ", ")
}

// Values of [Terms].Direction.
const (
	Uses  = "uses"  // what the symbol uses
	Users = "users" // what uses the symbol
)
