package code

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tidepool/tools"
	"tidepool/tools/internal/query"
)

func showFields(t *testing.T, name string) *ShowFieldsOutput {
	t.Helper()
	out, err := zoo.ShowFields(t.Context(), tools.Call{}, ShowFieldsInput{TypeName: name})
	if err != nil {
		t.Fatalf("show_fields %s: %v", name, err)
	}
	return out
}

// fieldLines writes fields and methods as "path.Name Type", the embedded ones with a + before them.
func fieldLines(out *ShowFieldsOutput) []string {
	var lines []string
	add := func(path, name, typ string, embedded bool) {
		if path != "" {
			name = path + "." + name
		}
		if embedded {
			name = "+" + name
		}
		lines = append(lines, strings.TrimRight(name+" "+typ, " "))
	}
	for _, f := range out.Fields {
		add(f.PromotedFrom, f.Name, f.Type, f.Embedded)
	}
	for _, m := range out.Methods {
		add(m.PromotedFrom, m.Name, m.Type, false)
	}
	return lines
}

func TestShowFields(t *testing.T) {
	server := []string{
		"Addr string", "Port int", "+Common base.Common", "+Linked *base.Linked", "mu sync.Mutex",
		"Timeout time.Duration", "Wait time.Duration", "handler func(w http.ResponseWriter, r *http.Request) error",
		"nested struct{A int; B []string}",
		"Common.ID int", "+Common.Deep Deep", "Linked.Next *Linked", "Common.Deep.Created time.Time",
		"Linked.Reset func()", "Common.Deep.Touch func()",
	}
	common := []string{"ID int", "Close bool", "Addr string", "secret string", "+Deep Deep", "Deep.Created time.Time", "Deep.Touch func()"}
	tests := []struct {
		name, kind string
		record     bool
		outline    []string
	}{
		{"Server", "struct", true, server},
		{"model.Server", "struct", true, server},
		{"Alias", "struct", true, server},
		{"Pointer", "struct", true, server},
		{"example.test/zoo/model.Far", "struct", true, common},
		{"Near", "struct", true, []string{"ID int", "Close bool", "Addr string", "secret string", "+Deep Deep", "Deep.Created time.Time", "Deep.Touch func()"}},
		{"Box", "struct", true, []string{"Value T", "Items map[string][]T"}},
		{"IntBox", "struct", true, []string{"+Box Box[int]", "Label string", "Box.Value int", "Box.Items map[string][]int"}},
		{"Ring", "struct", true, []string{"+Ring *Ring", "Left int", "+Other *Other", "Other.Right int"}},
		{"Twice", "struct", true, []string{
			"+Common base.Common", "+Second base.Second", "Common.Close bool", "Common.Addr string", "+Common.Deep Deep",
			"Second.Name string", "Common.Deep.Created time.Time", "Common.Deep.Touch func()",
		}},
		{"Empty", "struct", true, nil},
		{"Failure", "struct", true, []string{"+error error", "Code int", "error.Error func() string"}},
		{"Clash", "struct", true, []string{"+Store Store", "+Closer Closer", "Store.Get func(key string) (string, error)"}},
		{"Both", "interface", false, []string{
			"Store  (embedded)", "Closer  (embedded)", "Store.Get func(key string) (string, error)", "Store.Close func() error",
		}},
		{"Store", "interface", false, []string{"Get func(key string) (string, error)", "Close func() error"}},
		{"ReadStore", "interface", false, []string{
			"Store  (embedded)", "Len func() int", "Store.Get func(key string) (string, error)", "Store.Close func() error",
		}},
	}
	for _, tt := range tests {
		out := showFields(t, tt.name)
		if diff := cmp.Diff(tt.outline, fieldLines(out)); diff != "" {
			t.Errorf("%s:\n%s", tt.name, diff)
		}
		if out.Kind != tt.kind || out.IsRecord != tt.record || out.File == nil || out.RawDefinition == "" {
			t.Errorf("%s: got %s, record %v, raw %q", tt.name, out.Kind, out.IsRecord, out.RawDefinition)
		}
	}
}

func TestShowFieldsOfTheStandardLibrary(t *testing.T) {
	out := showFields(t, "Wrapped")
	lines := fieldLines(out)
	for _, want := range []string{"Server.Addr string", "Server.Handler Handler", "Server.ListenAndServe func() error", "Locker.Lock func()"} {
		if !slices.Contains(lines, want) {
			t.Errorf("%s is missing in %q", want, lines)
		}
	}
	if out.Hidden == 0 || slices.ContainsFunc(out.Methods, func(m Method) bool { return m.Name == "trackListener" }) {
		t.Error("what net/http keeps to itself is not hidden")
	}
}

func TestFieldDetails(t *testing.T) {
	addr := showFields(t, "Server").Fields[0]
	want := Field{
		Name: "Addr", Type: "string", Strict: true, Tag: `json:"addr,omitempty"`, Doc: "Addr is where it listens.",
		File: zoo.Root + "/model/model.go", Line: 15,
	}
	if diff := cmp.Diff(want, addr); diff != "" {
		t.Error(diff)
	}
}

// What is no struct is said to be what it is, and nothing is an empty success.
func TestShowFieldsOfNoStruct(t *testing.T) {
	tests := []struct{ name, want string }{
		{"Handler", "Handler is a function type, not a struct: func(w http.ResponseWriter) error"},
		{"Table", "Table is a map, not a struct: map[string]Server"},
		{"Color", "Color is an enum-like type, not a struct: int with 5 constants; show_constructors lists them"},
		{"Store", "Store is an interface, not a struct: it has methods, no fields"},
		{"zoo.Feed", "zoo.Feed is a function, not a type"},
		{"Dog", "Dog is ambiguous: it means 2 things; ask for one of the candidates"},
		{"Servr", "not found: no type named Servr in the project; near it: model.Server"},
		{"nowhere.Zzz", "not found: no type named nowhere.Zzz in the project, and nothing like it"},
	}
	for _, tt := range tests {
		out := showFields(t, tt.name)
		if out.Warning == nil || !strings.HasPrefix(*out.Warning, tt.want) || !strings.Contains(out.Text(), tt.want) {
			t.Errorf("%s:\n got %s\nwant %s", tt.name, out.Text(), tt.want)
		}
		if out.IsRecord || len(out.Fields) != 0 {
			t.Errorf("%s has fields: %v", tt.name, out.Fields)
		}
	}
}

func TestShowFieldsText(t *testing.T) {
	want := `model/model.go:50: Alias, struct  // Alias is another name.
type Alias = Server, see model/model.go:13
  15: Addr string ` + "`json:\"addr,omitempty\"`" + `  // Addr is where it listens.
  16: Port int  // above 1024
  17: base.Common (embedded)
  18: *base.Linked (embedded)
  19: mu sync.Mutex
  20: Timeout time.Duration
  20: Wait time.Duration
  21: handler func(w http.ResponseWriter, r *http.Request) error
  22: nested struct{A int; B []string}
promoted from Common (model/base/base.go):
  8: ID int ` + "`json:\"id\"`" + `
  12: Deep (embedded)
promoted from Linked (model/base/base.go):
  23: Next *Linked
promoted from Common.Deep (model/base/base.go):
  17: Created time.Time
methods from Linked (model/base/base.go):
  27: Reset()  // Reset is promoted.
methods from Common.Deep (model/base/base.go):
  30: Touch()  // Touch is promoted.
(1 unexported member of embedded types of other packages left out)`
	if diff := cmp.Diff(want, showFields(t, "Alias").Text()); diff != "" {
		t.Error(diff)
	}
}

func TestFieldsAreBounded(t *testing.T) {
	out := &ShowFieldsOutput{}
	out.tell(&query.Record{Fields: make([]query.Field, query.MaxMembers+3), Methods: make([]query.Method, query.MaxMembers+4)})
	if len(out.Fields) != query.MaxMembers || len(out.Methods) != query.MaxMembers || out.Cut != 7 {
		t.Errorf("%d fields, %d methods, %d cut", len(out.Fields), len(out.Methods), out.Cut)
	}
	if got := firstLines("a\nb\nc", 2); got != "a\nb" {
		t.Errorf("firstLines = %q", got)
	}
}

func TestAmbiguousNamesCanBeAskedFor(t *testing.T) {
	out := showFields(t, "Dog")
	var names []string
	for _, c := range out.Candidates {
		names = append(names, fmt.Sprintf("%s %s %s:%d", c.Name, c.Kind, query.Relative(zoo.Root, c.File), c.Line))
		if again := showFields(t, c.Name); again.File == nil || *again.File != c.File || *again.Line != c.Line {
			t.Errorf("%s does not mean %s:%d", c.Name, c.File, c.Line)
		}
	}
	if want := []string{"farm.Dog struct farm/farm.go:16", "zoo.Dog struct zoo.go:61"}; !slices.Equal(names, want) {
		t.Errorf("candidates %q, want %q", names, want)
	}
}

// A type's own members do not stand below the heading of those that it has from another one.
func TestOwnMembersHaveAHeading(t *testing.T) {
	file, line := "/p/a.go", 1
	out := &ShowFieldsOutput{
		TypeName: "T", File: &file, Line: &line, Kind: "struct", root: "/p", IsRecord: true,
		Fields: []Field{{Name: "A", Type: "int", Line: 2}, {Name: "B", Type: "int", Line: 9, PromotedFrom: "Base", File: file}, {Name: "C", Type: "int", Line: 3}},
		Methods: []Method{
			{Name: "Own", Type: "func()", Line: 4}, {Name: "Run", Type: "func()", Line: 8, PromotedFrom: "Base", File: file},
			{Name: "Late", Type: "func()", Line: 5},
		},
	}
	want := "a.go:1: T, struct\n  2: A int\npromoted from Base (a.go):\n  9: B int\nown fields:\n  3: C int\n" +
		"  4: Own()\nmethods from Base (a.go):\n  8: Run()\nown methods:\n  5: Late()\n"
	if got := out.Text(); !strings.HasPrefix(got+"\n", want) {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	out.Fields = out.Fields[:2]
	if got := out.Text(); !strings.Contains(got, "  9: B int\nown methods:\n  4: Own()\nmethods from Base (a.go):\n") {
		t.Errorf("got\n%s", got)
	}
}
