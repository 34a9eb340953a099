package golang_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tidepool/scout"
	"tidepool/tools/internal/lang/langtest"
	"tidepool/tools/internal/toolstest"
)

// ported is a module with a file for each of several systems; that for Windows needs what is not there.
var ported = map[string]string{
	"m.go": `package m

type Backend interface {
	Add(name string) error
	Close() error
}

type shared struct{ closed bool }

func (s *shared) Close() error { return nil }

var opened Backend = &file{}
`,
	"file_linux.go": "package m\n\ntype file struct{ shared }\n\nfunc (*file) Add(string) error { return nil }\n",
	"file_plan9.go": `package m

type file struct{ shared }

func (f *file) Add(string) error { return f.shared.Close() }

func open() Backend { return &kqueue{} }

type kqueue struct{ shared }

func (*kqueue) Add(string) error { return nil }

func (k kqueue) open() bool { return !k.closed }
`,
	"generate.go":        "//go:build ignore\n\npackage main\n\nfunc main() {}\n",
	"file_plan9_test.go": "package m\n\nvar tested = open().(*kqueue)\n",
	"file_windows.go": `package m

import "example.test/nowhere"

type file struct{ shared }

func (*file) Add(nowhere.Name) error { return nil }

type reader struct{ shared }

func (*reader) Add(string) error { return nil }

var read Backend = &reader{}
`,
}

func TestCheckOtherPlatforms(t *testing.T) {
	code := langtest.Subject{Tree: toolstest.Module(t, ported)}
	for _, tt := range []struct {
		name   string
		kind   scout.ChangeKind
		want   string
		unseen string
	}{
		{"m.Backend", scout.AddMethod, `
file_linux.go:3 implementation
file_plan9.go:3 implementation
file_plan9.go:7 conversion
file_plan9.go:9 implementation
file_plan9_test.go:3 interface assertion
file_windows.go:13 conversion
file_windows.go:5 implementation
file_windows.go:9 implementation
m.go:12 conversion`, "file_windows.go"},
		{"Backend.Add", scout.AddParameter, `
file_linux.go:5 implementation
file_plan9.go:11 implementation
file_plan9.go:5 implementation
file_plan9.go:7 conversion
file_plan9_test.go:3 interface assertion
file_windows.go:11 implementation
file_windows.go:13 conversion
file_windows.go:7 implementation
m.go:12 conversion`, "file_windows.go"},
		{"shared.Close", scout.AddParameter, `
file_plan9.go:5 call
file_plan9.go:7 conversion
file_plan9_test.go:3 interface assertion
file_windows.go:13 conversion
m.go:12 conversion`, ""}, // that for Windows does not mention it
		{"shared.closed", scout.RemoveField, "file_plan9.go:13 field use", ""},
	} {
		g := code.Walk(t)
		langtest.Know(t, &code.Memory, g.View)
		roots, err := g.Resolve(t.Context(), tt.name)
		if err != nil || len(roots) != 1 {
			t.Fatalf("%s: %v, %v", tt.name, roots, err)
		}
		verdict, err := g.Check(t.Context(), scout.Change{Kind: tt.kind}, roots)
		if err != nil || verdict.Refusal != "" {
			t.Fatalf("%s: %+v, %v", tt.name, verdict, err)
		}
		var got []string
		for _, e := range verdict.Broken {
			got = append(got, fmt.Sprintf("%s %s", e.To.Location(), e.Role))
		}
		slices.Sort(got)
		if diff := cmp.Diff(strings.TrimSpace(tt.want), strings.Join(got, "\n")); diff != "" {
			t.Errorf("%s of %s (-want +got):\n%s", tt.kind, tt.name, diff)
		}
		var unseen []string
		for path := range ported {
			if verdict.Unseen != nil && verdict.Unseen(path) {
				unseen = append(unseen, path)
			}
		}
		if doubts := langtest.Doubts(g); doubts != "file_windows.go for other systems could not wholly be type-checked" {
			t.Errorf("%s of %s: doubts %q", tt.kind, tt.name, doubts)
		}
		if got := strings.Join(unseen, " "); got != tt.unseen {
			t.Errorf("%s of %s: does not see %s, want %s", tt.kind, tt.name, got, tt.unseen)
		}
	}
}

// uneven is a module of which a file that all systems build does not mean the same on all of them.
var uneven = map[string]string{
	"m.go": `package m

type Backend interface {
	Close() error
}

func Use(Backend) {}

func run() { Use(open()) }

type Size int

type Entry struct {
	Size Size
}

func (e Entry) number() int { return count(e.Size) }
`,
	"m_linux.go": `package m

type inotify struct{}

func (inotify) Close() error { return nil }

func (inotify) NewMethod(struct{}) {}

func open() inotify { return inotify{} }

func count(any) int { return 1 }
`,
	"m_windows.go": `package m

type reader struct{}

func (*reader) Close() error { return nil }

func open() *reader { return nil }

func count(s Size) int { return int(s) }
`,
	"m_darwin.go": `package m

func open() Backend { return nil }

func count(s any) int { return 1 }
`,
}

func TestCheckSeesOtherSystems(t *testing.T) {
	code := langtest.Subject{Tree: toolstest.Module(t, uneven)}
	for _, tt := range []struct {
		name   string
		change scout.Change
		want   string
	}{
		{"m.Backend", scout.Change{Kind: scout.AddMethod, Detail: "NewMethod(struct{})"}, `
m.go:9 conversion cannot use open() (value of type *reader) as Backend value in argument to Use: *reader does not implement Backend (missing method NewMethod) (on windows)
m_windows.go:3 implementation reader no longer implements Backend`},
		{"Entry.Size", scout.Change{Kind: scout.ChangeType, Terms: scout.Terms{To: "string"}}, `
m.go:17 field use cannot use e.Size (variable of type string) as Size value in argument to count (on windows)`},
	} {
		g := code.Walk(t)
		roots, err := g.Resolve(t.Context(), tt.name)
		if err != nil || len(roots) != 1 {
			t.Fatalf("%s: %v, %v", tt.name, roots, err)
		}
		verdict, err := g.Check(t.Context(), tt.change, roots)
		if err != nil || verdict.Refusal != "" {
			t.Fatalf("%s: %+v, %v", tt.name, verdict, err)
		}
		var got []string
		for _, e := range verdict.Broken {
			got = append(got, fmt.Sprintf("%s %s %s", e.To.Location(), e.Role, e.Reason))
		}
		if diff := cmp.Diff(strings.TrimSpace(tt.want), strings.Join(got, "\n")); diff != "" {
			t.Errorf("%s of %s (-want +got):\n%s", tt.change.Kind, tt.name, diff)
		}
		if c := g.Doubted(g.View.Completeness()); c.Reason != "" {
			t.Errorf("%s of %s: %s", tt.change.Kind, tt.name, c.Reason)
		}
	}
}
