package scout

import "testing"

// A summary shows of an edit what its words do not say.
func TestEditInSummary(t *testing.T) {
	for _, c := range []struct {
		kind       ChangeKind
		edit, want string
	}{
		{AddParameter, "func F(a int) → func F(new NEW, a int)", "func F(new NEW, a int)"},
		{AddParameter, "func F(a int) → func G(new NEW)", "func F(a int) → func G(new NEW)"},
		{ReturnError, "func F() int → func F() (int, error)", "func F() (int, error)"},
		{MakeVariadic, "func F(a int) → func F(a ...int)", "func F(a ...int)"},
		{MakeGeneric, "type S struct → type S[T any] struct", "type S[T any] struct"},
		{AddMethod, "type I interface → type I interface { …; NewMethod(NEW) }", "NewMethod(NEW)"},
		{AddMethod, "type S struct → type S struct + func (S) Close() error", "func (S) Close() error"},
		{AddField, "type S struct → type S struct { …; b bool }", "b bool"},
		{AddVariant, "type N int → + const NewN N", ""},
		{AddVariant, "type C = A | B → type C = A | B | NEW", "type C = A | B | NEW"},
		{AddImplementation, "type I interface → + var _ I = NewI{}", ""},
		{RemoveField, "a int → (removed)", "a int"},
		{RemoveField, "type S struct → { … } without a", "type S struct → { … } without a"},
		{Delete, "func F() → (deleted)", "func F()"},
		{ChangeType, "a int → a *int", "a int → a *int"},
		{ChangeSignature, "func F() → func F(a int)", "func F() → func F(a int)"},
		{AddParameter, "", ""},
	} {
		a := &Answer{Understood: Understood{Change: c.kind, Edit: c.edit}}
		if got := a.edit(); got != c.want {
			t.Errorf("%s, %q: %q, want %q", c.kind, c.edit, got, c.want)
		}
	}
}
