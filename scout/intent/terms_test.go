package intent

import "testing"

func TestRetyped(t *testing.T) {
	for _, tt := range []struct {
		text, line string // line is the declaration
		from, to   string
	}{
		{"change T.F from int to int64", "", "int", "int64"},
		{"change T.F from int to int64", "F int", "int", "int64"},
		{"change T.F to int64", "F int", "int", "int64"},
		{"change T.F from number to string: who has a type error then?", "", "number", "string"},
		{"T.F becomes a pointer", "F Config", "Config", "*Config"},
		{"make T.F a slice", "F Config // what it runs with", "Config", "[]Config"},
		{"hold T.F by value", "F *Config `json:\"f\"`", "*Config", "Config"},
		{"T.F: map[string][]int -> map[Key]int?", "F map[string][]int", "map[string][]int", "map[Key]int"},
		{"T.F from func(a int) (string, error) to func(context.Context, int) error?", "", "func(a int) (string, error)", "func(context.Context, int) error"},
		{"T.F from func(int) time.Duration to func() what breaks", "", "func(int) time.Duration", "func()"},
		{"instead of chan int, T.F is a <-chan int", "F chan int", "chan int", "<-chan int"},
		{"T.F should be `struct{ A, B int }` and not `[2]int`", "", "[2]int", "struct{ A, B int }"},
		{"T.name: string | undefined instead of string", "", "string", "string | undefined"},
		{"let T.cb be (x: number) => void, it was Handler", "", "Handler", "(x: number) => void"},
		{"T.items becomes Promise<Array<Item>>", "items: Item[];", "Item[]", "Promise<Array<Item>>"},
		{"T.Kind shall be a Kind, not a string", "Kind string", "string", "Kind"},
		{"what breaks if I change the type of T.F?", "F int", "int", ""},
		{"T.F gets the same type", "F int", "int", ""},
		{"T.F int64", "F, G int", "int", "int64"},
		{"what if T.F weren't a plain int but an int64", "", "int", "int64"},
		{"what if the type of T.F was int64? It is int.", "", "int", "int64"},
		{"what if the type of T.F was int64? It is int.", "F int", "int", "int64"},
		{"T.F's type: old int, new int64", "", "int", "int64"},
		{"T.F gets type func(int) (today: func()). Who calls it?", "", "func()", "func(int)"},
		{"swap map[string]int for Index in T.F", "", "map[string]int", "Index"},
		{"T.F holds a *User, why not the UserID?", "", "*User", "UserID"},
		{"what follows from making T.F an int64, it having been an int", "", "int", "int64"},
		{"were T.F of type error, as opposed to <-chan error", "", "<-chan error", "error"},
	} {
		got := TermsOf(tt.text, "change_type", Subject{Name: "T.F", Class: Field, Text: tt.line})
		if got.From != tt.from || got.To != tt.to {
			t.Errorf("%q of %q: from %q to %q, want %q to %q", tt.text, tt.line, got.From, got.To, tt.from, tt.to)
		}
	}
}

func TestTerms(t *testing.T) {
	for _, tt := range []struct {
		text, kind string
		class      Class
		want       Terms
	}{
		{"rename pkg.F to G", "rename", Function, Terms{To: "G"}},
		{"rename `F` -> `fetchAll`, please", "rename", Function, Terms{To: "fetchAll"}},
		{"s/F/fetchAll/ in all files", "rename", Function, Terms{To: "fetchAll"}},
		{"F is ugly, name it Fetch", "rename", Function, Terms{To: "Fetch"}},
		{"rename pkg.F to pkg.G.", "rename", Function, Terms{To: "G"}},
		{"rename pkg.F to `a.b.G`", "rename", Function, Terms{To: "G"}},
		{"F needs a better name", "rename", Function, Terms{}},
		{"put ctx first in F", "add_parameter", Function, Terms{Position: 1}},
		{"append an int to what F takes", "add_parameter", Function, Terms{Position: -1}},
		{"F takes a third argument", "add_parameter", Function, Terms{Position: 3}},
		{"F takes one more", "add_parameter", Function, Terms{}},
		{"F fails; up to three levels of callers", "return_error", Function, Terms{Levels: 3}},
		{"F fails; at most 2 hops up", "return_error", Function, Terms{Levels: 2}},
		{"F fails; only direct callers", "return_error", Function, Terms{Levels: 1}},
		{"F fails; three deep", "return_error", Function, Terms{Levels: 3}},
		{"F fails; handed up at most three times", "return_error", Function, Terms{Levels: 3}},
		{"F fails; to a depth of 4", "return_error", Function, Terms{Levels: 4}},
		{"F fails; depth 4", "return_error", Function, Terms{Levels: 4}},
		{"F fails in one of seven cases", "return_error", Function, Terms{}},
		{"remove the field name from F", "remove_field", Struct, Terms{Member: "name"}},
		{"F no longer embeds Mutex", "remove_field", Struct, Terms{Member: "Mutex"}},
		{"remove the field F", "remove_field", Field, Terms{}},
		{"F has to provide Flush() error too", "add_method", Interface, Terms{Member: "Flush"}},
		{"add a method Reset to F", "add_method", Interface, Terms{Member: "Reset"}},
		{"add a method to F", "add_method", Interface, Terms{}},
		{"`F` should return a Map", "change_signature", Function, Terms{To: "Map"}},
		{"F is going to return Item | undefined rather than Item", "change_signature", Function, Terms{From: "Item", To: "Item | undefined"}},
		{"F returns (string, error) instead of string", "change_signature", Function, Terms{From: "string"}},
	} {
		if got := TermsOf(tt.text, tt.kind, Subject{Name: "pkg.F", Class: tt.class}); got != tt.want {
			t.Errorf("%q: %+v, want %+v", tt.text, got, tt.want)
		}
	}
}

func TestDirection(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{"What does F call?", "uses"},
		{"what do we need, i.e. what does `pkg.F` depend on", "uses"},
		{"Which functions are called by F()?", "uses"},
		{"list everything F uses", "uses"},
		{"dependencies of F", "uses"},
		{"Who calls F?", "users"},
		{"what else depends on F in this repo", "users"},
		{"Where is F used?", "users"},
		{"show me all callers of F", "users"},
		{"F usages", "users"},
		{"everything that still uses F", "users"},
		{"How does F work?", "uses"},
		{"How does routing of a request work?", "uses"},
		{"Who sets F?", "writers"},
		{"Where does F come from?", "writers"},
		{"explain what F calls and who calls it", ""},
		{"What calls F and what does F call?", ""},
		{"tell me about F", ""},
	} {
		if got := TermsOf(tt.text, "other", Subject{Name: "pkg.F"}).Direction; got != tt.want {
			t.Errorf("%q: %q, want %q", tt.text, got, tt.want)
		}
	}
}
