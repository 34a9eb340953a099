package intent

import (
	"slices"
	"strings"
	"testing"
)

func TestTheSymbolDecides(t *testing.T) {
	for _, tt := range []struct {
		text  string
		class Class
		want  string
	}{
		{"a new F", Enum, "add_variant"},
		{"a new F", Interface, "add_implementation"},
		{"what if F goes away", Field, "remove_field"},
		{"what if F goes away", Function, "delete"},
		{"F takes one more", Method, "add_parameter"},
		{"extend F by one", Interface, "add_method"},
		{"extend F by one", Enum, "add_variant"},
		{"change the type of F", Field, "change_type"},
		{"change the type of F", Function, "change_signature"},
		{"F gets one more parameter", Function, "add_parameter"},
		{"F gets one more parameter", Field, "change_type"}, // it holds a function
		{"F gets one more parameter", Variable, "change_type"},
	} {
		if got := Read(tt.text, Subject{Name: "F", Class: tt.class}); got.Kind != tt.want {
			t.Errorf("%q about %s is read as %+v, want %s", tt.text, indefinite(string(tt.class)), got, tt.want)
		}
	}
}

func TestSenseless(t *testing.T) {
	for _, tt := range []struct {
		text  string
		class Class
		want  string
	}{
		{"What breaks if I add a required parameter to F?", Interface, "add_parameter"},
		{"F returns an error that its callers propagate", Struct, "return_error"},
		{"change the type of F from int to string", Interface, "change_type"},
		{"add a variant to F", Function, "add_variant"},
		{"F gets another variant, who cares?", Method, "add_variant"},
		{"what breaks if I add a method to `F`?", Function, "add_method"},
		{"a further implementation of F", Field, "add_implementation"},
	} {
		got := Read(tt.text, Subject{Name: "F", Class: tt.class})
		if !got.Senseless || got.Kind != tt.want {
			t.Errorf("%q about %s is read as %+v, want a senseless %s", tt.text, indefinite(string(tt.class)), got, tt.want)
		}
	}
	for _, file := range []string{"training.txt", "patterns.txt", "heldout.txt"} {
		for _, e := range corpus(t, file) {
			if r := Read(e.Text, e.Subject); r.Senseless {
				t.Errorf("%q about %s counts as a senseless %s", e.Text, indefinite(string(e.Subject.Class)), r.Kind)
			}
		}
	}
}

func TestTypesThatAreWords(t *testing.T) {
	for text, want := range map[string]bool{
		"F must be any from now on": true, "retype F to *[]byte, impact?": true, "retype F to error.": true, "F wird any": true,
		"is F to any caller a problem": false, "is there any F": false, "F returns an error": false,
	} {
		got := slices.ContainsFunc(tokens(text, Subject{Name: "F"}), func(t token) bool { return t.word == markType })
		if got != want {
			t.Errorf("%q has a type: %v, want %v", text, got, want)
		}
	}
}

func TestBecause(t *testing.T) {
	r := Read("Every Shape must also provide a new method", Subject{Name: "geo.Shape", Class: Interface})
	if r.Kind != "add_method" || !strings.Contains(strings.Join(r.Because, " "), "provide") || !slices.Contains(r.Because, "it is an interface") {
		t.Errorf("%+v", r)
	}
	if len(r.Because) > maxReasons+1 {
		t.Errorf("%d reasons: %q", len(r.Because), r.Because)
	}
}

func TestNothingToRead(t *testing.T) {
	for _, text := range []string{"", " ", "?", "F", "qwer asdf", strings.Repeat("\xff", 50), strings.Repeat("( ", 500)} {
		if r := Read(text, Subject{Name: "F"}); r.Kind != "other" {
			t.Errorf("%q is read as %+v", text, r)
		}
	}
}

func TestClassOf(t *testing.T) {
	for _, tt := range []struct {
		kind, text string
		want       Class
	}{
		{"function", "func F() {", Function},
		{"constructor", "constructor() {", Function},
		{"method", "func (t *T) M(n int) error {", Method},
		{"method", "Get(key string) (string, bool)", InterfaceMethod},
		{"method", "area(): number;", InterfaceMethod},
		{"method", "area(): number {", Method},
		{"method", "def area(self):", Method},
		{"interface", "type I interface {", Interface},
		{"class", "class C:", Unknown},
		{"class", "export abstract class C {", Interface},
		{"type", "export type Props = {", Type},
		{"field", "Name string `json:\"name\"`", Field},
		{"field", "n, m int", Field},
		{"field", "http.ResponseWriter // what it wraps", Embedded},
		{"field", "*Base", Embedded},
		{"property", "name?: string;", Field},
		{"type", "type Level int8", Enum},
		{"type", "Kind string", Enum},
		{"type", "type Handler func(string)", Type},
		{"type", "type Set map[string]bool", Type},
		{"type", `export type Shape = Circle | Square`, Enum},
		{"enum", "enum Color {", Enum},
		{"enum member", "Red,", Constant},
		{"variable", "var x = 1", Variable},
		{"module", "", Unknown},
	} {
		if got := ClassOf(tt.kind, tt.text); got != tt.want {
			t.Errorf("ClassOf(%q, %q) = %q, want %q", tt.kind, tt.text, got, tt.want)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add("What breaks if F becomes *int instead of int?", "a.F", "F int")
	f.Add("rename `F` to (G", "F", "")
	f.Add("from func( to <-chan []", "x.", "x, y\t map[")
	f.Fuzz(func(t *testing.T, text, name, line string) {
		for _, class := range []Class{Unknown, Field, Interface, Function} {
			s := Subject{Name: name, Class: class, Text: line}
			r := Read(text, s)
			if !slices.Contains(trained().kinds, r.Kind) {
				t.Errorf("kind %q", r.Kind)
			}
			for _, kind := range trained().kinds {
				TermsOf(text, kind, s)
			}
		}
	})
}

func BenchmarkReadQuestion(b *testing.B) {
	text := "What must change, transitively, if Loader.Load returns an additional error that callers propagate? Tests and main end the chain."
	for b.Loop() {
		Read(text, Subject{Name: "config.Loader.Load", Class: Method})
	}
}
