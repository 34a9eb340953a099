package golang

import (
	"testing"

	"tidepool/internal/golang/syntax"
	"tidepool/lsp"
	"tidepool/scout"
	"tidepool/tools/internal/lang/golang/edit"
)

func TestGoErrorRole(t *testing.T) {
	function, field, typ := edit.Subject{Name: "Open", Kind: edit.Function}, edit.Subject{Kind: edit.Field}, edit.Subject{Kind: edit.Struct}
	tests := []struct {
		of      edit.Subject
		outer   string
		message string
		want    scout.Role
	}{
		{function, "F", "not enough arguments in call to Open have (string) want (NEW, string)", scout.RoleCall},
		{function, "F", "assignment mismatch: 1 variable but Open returns 2 values", scout.RoleCall},
		{function, "F", "cannot use Open (value of type func(NEW)) as func() value in struct literal", scout.RoleMethodValue},
		{function, "F", "cannot use Open (value of type func(NEW)) as func() value in argument to use", scout.RoleMethodValue},
		{function, "F", `cannot use "a" (untyped string constant) as NEW value in argument to x.Open`, scout.RoleCall},
		{function, "F", "cannot use a (variable of type int) as NEW value in argument to x.Open[int]", scout.RoleCall},
		{function, "F", "cannot use t (variable of type *T) as I value in argument to use: *T does not implement I (wrong type for method M)", scout.RoleConversion},
		{function, "_", "cannot use T{} (value of type T) as I value in variable declaration: T does not implement I (missing method M)", scout.RoleAssertion},
		{function, "F", "impossible type assertion: x.(*T)", scout.RoleAssertion},
		{function, "F", "impossible type switch case: x (variable of type I) cannot have dynamic type *T", scout.RoleTypeSwitch},
		{field, "F", "unknown field a in struct literal of type T", scout.RoleLiteral},
		{field, "F", "t.a undefined (type T has no field or method a)", ""},
		{typ, "F", "cannot use x (variable of type int) as T value in assignment", scout.RoleConversion},
		{typ, "F", "T does not satisfy comparable", scout.RoleConversion},
	}
	for _, tt := range tests {
		if got, ok := errorRole(tt.of, syntax.Decl{Name: tt.outer}, tt.message); got != tt.want || ok != (tt.want != "") {
			t.Errorf("%s: got %q, want %q", tt.message, got, tt.want)
		}
	}
}

func TestLacking(t *testing.T) {
	tests := map[string]string{
		"cannot use m (variable of type *Mux) as Router value in return statement: *Mux does not implement Router (missing method M)":           "Mux",
		"p.T does not implement q.I (wrong type for method M) have M() want M(int)":                                                             "T",
		"cannot use x (variable of type Pair[int, string]) as I value in assignment: Pair[int, string] does not implement I (missing method M)": "Pair",
		"*List[T] does not satisfy Box[T] (missing method M)":                                                                                   "List",
		"T does not implement I (method M has pointer receiver)":                                                                                "",
		"impossible type assertion: x.(T) T does not implement I (missing method M)":                                                            "T",
	}
	for message, want := range tests {
		b := &breaking{lacks: make(map[string]bool), lackIn: make(map[lackingIn]bool)}
		b.note(lsp.Problem{Message: message})
		if want == "" && len(b.lacks) > 0 || want != "" && !b.lacks[want] {
			t.Errorf("%s: got %v, want %q", message, b.lacks, want)
		}
	}
}
