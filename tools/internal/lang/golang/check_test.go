package golang_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tidepool/scout"
	"tidepool/tools/internal/lang/langtest"
	"tidepool/tools/internal/toolstest"
	"tidepool/tools/lang"
)

// breakable is a module in which changes break something, that does not compile in one place, and of which one file is
// for another system.
var breakable = map[string]string{
	"a.go": `package m

import (
	"io"
	"time"
)

type Store interface {
	Get(key string) (string, error)
	Len() int
}

type Memory struct {
	items map[string]string
	age   time.Duration
	io.Closer
}

func (m *Memory) Get(key string) (string, error) { return m.items[key], nil }
func (m *Memory) Len() int                       { return len(m.items) }

type Cache struct{ Store }

func Open(name string) Store { return &Memory{map[string]string{name: ""}, time.Second, nil} }

func count(s Store) int {
	if s, ok := s.(*Memory); ok {
		return s.Len()
	}
	return s.Len()
}

type Handler func(name string) error

var Default Handler = func(string) error { return nil }

const Limit = 10
`,
	"a_test.go": `package m

import "testing"

type fake struct{}

func (fake) Get(string) (string, error) { return "", nil }
func (fake) Len() int                   { return 0 }

var _ Store = fake{}

func TestOpen(t *testing.T) {
	m := Memory{age: Limit}
	_ = m.Close()
	if count(Open("x")) == 0 || Default("y") != nil {
		t.Error()
	}
}
`,
	"a_windows.go": "package m\n\nvar system = Open(\"windows\")\n",
	"c.go":         "package m\n\nfunc (c Cache) Full() bool { return c.Store.Len() > 1 }\n",
	"b.go":         "package m\n\nvar opener = Open\n\nfunc broken() int { return \"\" }\n",
}

func TestCheck(t *testing.T) {
	code := langtest.Subject{Tree: toolstest.Module(t, breakable)}
	change := func(kind scout.ChangeKind) scout.Change { return scout.Change{Kind: kind} }
	to := func(typ string) scout.Change {
		return scout.Change{Kind: scout.ChangeType, Terms: scout.Terms{To: typ}}
	}
	tests := []struct {
		name    string
		change  scout.Change
		want    string // path:line role
		unseen  string
		refusal string
	}{
		{"m.Open", change(scout.AddParameter), "a_test.go:15 call; a_windows.go:3 call", "", ""},
		{"m.Open", change(scout.Rename), "a_test.go:15 call; a_windows.go:3 call; b.go:3 method value", "", ""},
		{"m.count", change(scout.AddParameter), "a_test.go:15 call", "", ""},
		{"Memory.Len", change(scout.AddParameter), "a.go:24 conversion; a.go:27 interface assertion; a.go:28 call", "", ""},
		{"Store.Len", change(scout.AddParameter),
			"a.go:20 implementation; a.go:24 conversion; a.go:27 interface assertion; a.go:30 call; a_test.go:10 interface assertion; a_test.go:8 mock; c.go:3 call", "", ""},
		{"m.Handler", change(scout.AddParameter), "a.go:35 conversion; a_test.go:15 call", "", ""},
		{"m.Default", change(scout.AddParameter), "", "", "not declared with parameters"},
		{"m.Default", to("func()"), "a.go:35 reference; a_test.go:15 call", "", ""},
		{"m.Store", change(scout.AddMethod),
			"a.go:13 implementation; a.go:24 conversion; a.go:27 interface assertion; a_test.go:10 interface assertion; a_test.go:5 mock", "", ""},
		{"m.Store", change(scout.Rename), "a.go:22 embedding; a.go:24 type use; a.go:26 type use; a_test.go:10 interface assertion; c.go:3 field use", "", ""},
		{"Memory.items", change(scout.RemoveField), "a.go:19 field use; a.go:20 field use; a.go:24 composite literal", "", ""},
		{"m.Memory", scout.Change{Kind: scout.RemoveField, Detail: "Closer"}, "a.go:24 composite literal; a_test.go:14 call", "", ""},
		{"Memory.age", to("int"), "a.go:24 composite literal", "", ""},
		{"Memory.age", to("nowhere.T"), "", "", `"nowhere.T" means nothing in a.go: say what is there`},
		{"Memory.age", to("Nothing"), "", "", `"Nothing" means nothing in a.go: say what is there`},
		{"Memory.age", scout.Change{Kind: scout.ChangeType, Detail: "something bigger"}, "", "", `"something bigger" is no type`},
		{"m.Limit", change(scout.Delete), "a_test.go:13 reference", "", ""},
		{"Memory.Get", change(scout.ReturnError), "a.go:24 conversion; a.go:27 interface assertion", "", ""},
		{"m.Store", change(scout.AddImplementation), "", "", "compiles"},
		{"m.Memory", change(scout.AddImplementation), "", "", "senseless: it is no interface with methods"},
		{"m.Memory", change(scout.AddVariant), "", "", "senseless: there are no constants of such a type"},
		{"m.Memory", change(scout.AddMethod), "", "", ""},
		{"m.Limit", change(scout.RemoveField), "", "", "senseless: cannot edit Limit: it is not a member of a type"},
		{"m.Limit", change(scout.AddParameter), "", "", "senseless: cannot edit Limit"},
	}
	for _, tt := range tests {
		g := code.Walk(t)
		langtest.Know(t, &code.Memory, g.View)
		roots, err := g.Resolve(t.Context(), tt.name)
		if err != nil || len(roots) != 1 {
			t.Fatalf("%s: %v, %v", tt.name, roots, err)
		}
		verdict, err := g.Check(t.Context(), tt.change, roots)
		if verdict.Senseless {
			verdict.Refusal = "senseless: " + verdict.Refusal
		}
		if err != nil || !strings.Contains(verdict.Refusal, tt.refusal) || (verdict.Refusal == "") != (tt.refusal == "") {
			t.Errorf("%s of %s: refusal %q, %v; want %q", tt.change.Kind, tt.name, verdict.Refusal, err, tt.refusal)
		}
		var got []string
		for _, e := range verdict.Broken {
			got = append(got, fmt.Sprintf("%s %s", e.To.Location(), e.Role))
			if !e.Certain || e.Reason == "" || strings.Contains(e.Reason, "unfit") {
				t.Errorf("%s of %s: %+v", tt.change.Kind, tt.name, e)
			}
		}
		slices.Sort(got)
		if diff := cmp.Diff(tt.want, strings.Join(got, "; ")); diff != "" {
			t.Errorf("%s of %s (-want +got):\n%s", tt.change.Kind, tt.name, diff)
		}
		if not := verdict.Unseen != nil && verdict.Unseen("a_windows.go"); not != (tt.unseen != "") {
			t.Errorf("%s of %s: the file of another system is unseen: %v", tt.change.Kind, tt.name, not)
		}
	}
}

// The verdict names the interfaces that a method will not implement any more, but for those that an error of the compiler names.
func TestCheckOfContracts(t *testing.T) {
	code := langtest.Subject{Tree: toolstest.Module(t, map[string]string{"m.go": `package m

import "fmt"

type Checked interface{ Check() error }

type Input struct{}

func (Input) Check() error   { return nil }
func (Input) String() string { return "" }
func (Input) Close() error   { return nil }

type Wrapped struct{ Input }

func (Wrapped) Check() error { return nil }

type closer interface{ Close() error }

var _ closer = Input{}

func Send(in any) string {
	if c, ok := in.(Checked); ok && c.Check() != nil {
		return ""
	}
	return fmt.Sprint(in)
}
`})}
	for _, tt := range []struct {
		name   string
		change scout.ChangeKind
		want   string
	}{
		{"Input.Check", scout.Rename, "Checked.Check"},
		{"Input.Check", scout.RemoveResult, "Checked.Check"},
		{"Input.Check", scout.ChangeReceiver, ""},
		{"Input.String", scout.Delete, "fmt.Stringer.String"},
		{"Wrapped.Check", scout.Delete, ""}, // it has Input's then
		{"Wrapped.Check", scout.AddParameter, "Checked.Check"},
		{"Input.Close", scout.AddParameter, "io.Closer.Close"},
		{"Checked.Check", scout.Rename, ""},
		{"m.Send", scout.Rename, ""},
	} {
		g := code.Walk(t)
		roots, err := g.Resolve(t.Context(), tt.name)
		if err != nil || len(roots) != 1 {
			t.Fatalf("%s: %v, %v", tt.name, roots, err)
		}
		verdict, err := g.Check(t.Context(), scout.Change{Kind: tt.change}, roots)
		if err != nil || strings.Join(verdict.Lost, " ") != tt.want {
			t.Errorf("%s of %s: %q, %v; want %q", tt.change, tt.name, verdict.Lost, err, tt.want)
		}
	}
}

func TestGoOtherPlatformUses(t *testing.T) {
	code := langtest.Subject{Tree: toolstest.Module(t, breakable)}
	for name, want := range map[string]string{"m.Open": "a_windows.go:3", "m.count": ""} {
		g := code.Walk(t)
		roots, err := g.Resolve(t.Context(), name)
		if err != nil || len(roots) != 1 {
			t.Fatalf("%s: %v, %v", name, roots, err)
		}
		edges, err := g.Edges(t.Context(), roots[0], scout.Change{Kind: scout.AddParameter})
		if err != nil {
			t.Fatal(err)
		}
		var found []string
		for _, e := range edges {
			if strings.HasSuffix(e.To.Path, "_windows.go") {
				found = append(found, e.To.Location())
			}
		}
		if got := strings.Join(found, " "); got != want {
			t.Errorf("%s is used elsewhere in %q, want %q", name, got, want)
		}
	}
}

// What no build of this system has cannot be tried out, and is not said to break nothing.
func TestCheckOfWhatIsNotBuilt(t *testing.T) {
	files := map[string]string{"a_windows.go": "package m\n\nfunc F() {}\n", "testdata/a.go": "package m\n\nfunc F() {}\n"}
	for path, src := range files {
		dir := t.TempDir()
		full := filepath.Join(dir, path)
		if err := os.MkdirAll(filepath.Dir(full), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(full, []byte(src), 0o600); err != nil {
			t.Fatal(err)
		}
		g := new(lang.Memory).Graph(nil, dir, lang.Options{})
		n := scout.Node{Name: "F", Path: path, Line: 3, Column: 6}
		verdict, err := g.Check(t.Context(), scout.Change{Kind: scout.AddParameter}, []scout.Node{n})
		if err != nil || !strings.Contains(verdict.Refusal, path) {
			t.Errorf("%s: refusal %q, %v", path, verdict.Refusal, err)
		}
	}
}
