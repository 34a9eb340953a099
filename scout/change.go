package scout

import (
	"encoding/json"
	"strings"
)

// A Change is the edit that a query asks about. In JSON it is an object, or the
// kind alone as a string.
type Change struct {
	Kind   ChangeKind `json:"kind,omitempty"`   // "": inferred from the words of the query
	Detail string     `json:"detail,omitempty"` // the edit in words: "ctx context.Context, first"
	Terms  Terms      `json:"-"`                // what the words say of the edit; the walk fills it in
	Words  string     `json:"-"`                // the question and the detail as they were written; the walk fills it in
}

// Terms are the particulars of a change, as far as its words give them. The zero
// value says that they give none.
type Terms struct {
	From     string // of ChangeType: the type that there is, as it was written; of Rename: the old name
	To       string // of ChangeType: the type that there will be; of Rename: the new name; of others: the new signature, value or package
	Member   string // the field, method, variant, implementation, parameter or result that the words name
	Position int    // of a parameter or result: 1 is the first, -1 the last; 0: they do not say
	Levels   int    // of ReturnError: how many levels of callers follow; 0: they do not say
	// Direction is what an open question asks for: [Uses], [Users], [Writers]; "": all.
	Direction string
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
	// Writers are what gives the symbol its value.
	Writers = "writers"
)

// edit returns the edit as code, as the summary has it: what the sentence around it says already is left out. Of a change that only
// adds it is what is added, or the signature after it; of one that removes, what is removed; of any other, both halves.
func (a *Answer) edit() string {
	kind, edit := a.Understood.Change, a.Understood.Edit
	before, after, ok := strings.Cut(edit, " → ")
	switch {
	case !ok:
		return edit
	case after == "(removed)" || after == "(deleted)":
		return before
	case kind.adds():
		return added(kind, before, after)
	}
	return edit
}

// added returns what an edit that adds something adds: "Size() int" of "type T interface → type T interface { …; Size() int }", and the
// whole of what it makes of a signature. Nobody has said the name of a new constant or type: the edit has none.
func added(kind ChangeKind, before, after string) string {
	if strings.HasPrefix(after, "+ ") && (kind == AddVariant || kind == AddImplementation) {
		return ""
	}
	rest, _ := strings.CutPrefix(after, before)
	if text, ok := strings.CutPrefix(rest, " { …; "); ok {
		return strings.TrimSuffix(text, " }")
	}
	if text, ok := strings.CutPrefix(rest, " + "); ok {
		return text
	}
	if keeps(before, after) {
		return after
	}
	return before + " → " + after
}

// keeps reports whether a text has all of another one, in its order.
func keeps(before, after string) bool {
	for _, r := range after {
		before = strings.TrimPrefix(before, string(r))
	}
	return before == ""
}

// adds reports whether the words for a change of this kind tell what was there before from what is new.
func (k ChangeKind) adds() bool {
	switch k {
	case AddParameter, AddMethod, AddField, AddVariant, AddImplementation, ReturnError, MakeGeneric, MakeVariadic:
		return true
	}
	return false
}
