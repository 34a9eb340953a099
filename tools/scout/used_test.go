package scout

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tidepool/scout"
	"tidepool/tools"
	"tidepool/tools/internal/lang/langtest"
	"tidepool/tools/internal/query"
	"tidepool/tools/internal/toolstest"
)

// usedPlaces asks an open question and lists the places beyond the symbol.
func usedPlaces(t *testing.T, code toolstest.Tree, text, symbol string) (string, *Output) {
	t.Helper()
	s := &Toolset{Project: code.Project, Root: code.Root, Memory: langtest.Memory(t), Scorer: scout.Heuristic{}}
	out, err := s.Scout(t.Context(), tools.Call{}, Input{Query: text, Symbols: query.Names{symbol}})
	if err != nil {
		t.Fatal(err)
	}
	if out.Understood.Change != scout.Other {
		t.Errorf("%q is read as %s", text, out.Understood.Change)
	}
	var lines []string
	for _, p := range out.Pointers[1:] {
		lines = append(lines, fmt.Sprintf("%d %s %s %s", p.Depth, p.Location, p.Role, p.In))
	}
	return strings.Join(lines, "\n"), out
}

func TestWhatIsUsed(t *testing.T) {
	code := toolstest.Module(t, map[string]string{
		"a.go": `package m

import "strings"

type Store interface{ Get(string) string }

type Memory struct{}

func (m *Memory) Get(key string) string { return normal(key) }

var limit = 3

func Serve(s Store) string {
	made := &Memory{}
	_ = strings.ToUpper(made.Get("x"))
	return first(s.Get("y"), limit)
}

func first(text string, n int) string { return normal(text)[:n] }

func normal(text string) string { return text }
`,
		"b.go": "package m\n\nfunc start() { Serve(nil); first(\"\", 0) }\n\nfunc set() { limit = 4 }\n",
	})
	for _, tt := range []struct{ query, symbol, want string }{
		{"What does Serve call?", "Serve", `
1 a.go:11 used declaration limit
1 a.go:5 used declaration Store.Get
1 a.go:7 used declaration Memory
1 a.go:9 used declaration Memory.Get
1 a.go:19 used declaration first
2 a.go:21 used declaration normal`},
		{"Who calls first?", "first", `
1 a.go:16 call Serve
1 b.go:3 call start`},
		{"How does Serve work?", "Serve", `
1 a.go:5 used declaration Store.Get
1 a.go:7 used declaration Memory
1 a.go:9 used declaration Memory.Get
1 a.go:11 used declaration limit
1 a.go:19 used declaration first
2 a.go:21 used declaration normal`},
		{"How does Memory work?", "Memory", `
1 a.go:9 used declaration Memory.Get
2 a.go:21 used declaration normal`},
		{"Where is limit set?", "limit", `
1 b.go:5 reference set`},
	} {
		got, out := usedPlaces(t, code, tt.query, tt.symbol)
		sorted := func(text string) string {
			lines := strings.Split(strings.TrimSpace(text), "\n")
			slices.Sort(lines)
			return strings.Join(lines, "\n")
		}
		if diff := cmp.Diff(sorted(tt.want), sorted(got)); diff != "" {
			t.Errorf("%s (-want +got):\n%s\n%s", tt.query, diff, out.Text())
		}
	}
}

func TestWhatIsCalled(t *testing.T) {
	for language, project := range map[string]string{
		"typescript": `
-- tsconfig.json --
{"compilerOptions": {"lib": ["es2022"], "types": []}}
-- m.ts --
export function serve(key: string): string {
  return [first(key)].join();
}
function first(text: string): string { return normal(text); }
function normal(text: string): string { return text.trim(); }
export function start() { serve("x"); first(""); }
`,
		"python": `
-- m.py --
def serve(key):
    return ",".join([first(key)])

def first(text): return normal(text)
def normal(text): return text.strip()
def start(): serve("x"); first("")
`,
	} {
		code := toolstest.Serve(t, t.TempDir(), language, project)
		file := map[string]string{"typescript": "m.ts", "python": "m.py"}[language]
		got, out := usedPlaces(t, code, "What does serve() call?", "serve")
		if want := fmt.Sprintf("1 %s:4 used declaration first\n2 %[1]s:5 used declaration normal", file); got != want {
			t.Errorf("%s: got\n%s\nwant\n%s\n%s", language, got, want, out.Text())
		}
	}
}

func TestWhatIsUsedIsNotFollowed(t *testing.T) {
	code := toolstest.Serve(t, t.TempDir(), "c", "\n-- m.c --\nstatic int first(void) { return 1; }\nint serve(void) { return first(); }\nint start(void) { return serve(); }\n")
	got, out := usedPlaces(t, code, "What does serve() call?", "serve")
	if !strings.Contains(got, "start") || !slices.Contains(out.Limits, "what declarations in c use is not followed") {
		t.Errorf("%s\n%s", got, out.Text())
	}
}
