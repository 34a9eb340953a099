package scout

import (
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"
	"testing"

	"tidepool/scout"
	"tidepool/tools"
	"tidepool/tools/internal/lang/langtest"
	"tidepool/tools/internal/query"
	"tidepool/tools/internal/toolstest"
)

// compiledModule is a package in which changes of all kinds can be made.
const compiledModule = `package m

type Config struct {
	Path    string
	Retries int
}

func (c *Config) Name() string { return c.Path }

func (c Config) Size() int { return c.Retries }

type Sized interface{ Size() int }

type Celsius float64

func (c Celsius) Text() string { return "" }

const Limit = 3

type Open func(path string, strict bool) (*Config, error)

func Load(path string, strict bool) (*Config, error) { return &Config{path, Limit}, nil }

func Sum(all []int, scale int) int { return scale }

func Last(start int, rest int) int {
	return Last(start, rest)
}
`

const compiledUses = `package m

var open Open = Load

var sized Sized = Config{}

var point Sized = &Config{}

func use() (float64, error) {
	c, err := Load("a", true)
	_ = c.Name() + Config{}.Path
	d := Config{"b", 1}
	e := Config{Path: "c"}
	_, _ = d.Size(), e.Name()
	_ = Sum([]int{1}, 2) + Sum(nil, Limit)
	total := Sum
	_ = total(nil, 1) + Last(1, 2)
	var t Celsius = 3
	var f float64 = float64(t)
	_ = t.Text()
	var array [Limit]int
	_ = array
	return f, err
}
`

// The truth is a type checker's: what is broken once the edit is made by hand, with all that it asks of the declaration
// itself. want is the edit that answers begin with; "" where none is tried, and then nothing may be called certain.
func TestWhatTheCompilerSays(t *testing.T) {
	c := toolstest.Module(t, map[string]string{"m.go": compiledModule, "use.go": compiledUses})
	s := &Toolset{Project: c.Project, Root: c.Root, Memory: langtest.Memory(t), Scorer: scout.Heuristic{}}
	load, body := "func Load(path string, strict bool) (*Config, error) { ", "return &Config{path, Limit}, nil }"
	for _, tt := range []struct {
		query, symbol, old, new string
		change                  change
		edit                    string
	}{
		{"Load should not return an error any more", "Load", load + body, "func Load(path string, strict bool) *Config { return &Config{path, Limit} }", change{}, "func Load(path string, strict bool) (*Config, error) → func Load(path string, strict bool) *Config"},
		{"drop the strict parameter of Load", "Load", load, "func Load(path string) (*Config, error) { ", change{}, "→ func Load(path string) (*Config, error)"},
		{"swap the parameters of Load", "Load", load, "func Load(strict bool, path string) (*Config, error) { ", change{}, "→ func Load(strict bool, path string) (*Config, error)"},
		{"change the path parameter of Load to an int", "Load", load + body, "func Load(path int, strict bool) (*Config, error) { return nil, nil }", change{}, "→ func Load(path int, strict bool) (*Config, error)"},
		{"rename the parameter path of Load to name", "Load", load + body, "func Load(name string, strict bool) (*Config, error) { return nil, nil }", change{}, "→ func Load(name string, strict bool) (*Config, error)"},
		{"what if Load becomes Load(path string, flags ...bool) (*Config, error)?", "Load", load, "func Load(path string, flags ...bool) (*Config, error) { ", change{}, "→ func Load(path string, flags ...bool) (*Config, error)"},
		{"?", "Load", load, "func Load(path string) (*Config, error) { ", change{Kind: scout.RemoveParameter, Detail: "strict"}, "→ func Load(path string) (*Config, error)"},
		{"?", "Load", load, "func Load[P ~string](path P, strict bool) (*Config, error) { return nil, nil } // ", change{Kind: scout.MakeGeneric, Detail: "[P ~string](path P, strict bool) (*Config, error)"}, "→ func Load[P ~string](path P, strict bool) (*Config, error)"},
		{"make Sum variadic", "Sum", "scale int) int", "scale ...int) int { return 0 } // ", change{}, "`func Sum(all []int, scale ...int) int"},
		{"drop the last parameter of Last", "Last", "func Last(start int, rest int)", "func Last(start int)", change{}, "→ func Last(start int) int"},
		{"convert Name to a value receiver", "Config.Name", "(c *Config) Name", "(c Config) Name", change{}, "func (c *Config) Name() string → func (c Config) Name() string"},
		{"give Size a pointer receiver", "Config.Size", "(c Config) Size", "(c *Config) Size", change{}, "→ func (c *Config) Size() int"},
		{"add a field Timeout to Config", "Config", "Retries int\n}", "Retries int\n	Timeout struct{} }", change{}, "`Timeout NEW`"},
		{"?", "Config", "Retries int\n}", "Retries int\n	Name struct{} }", change{Kind: scout.AddField, Detail: "Name int"}, "`Name int`"},
		{"add a method Close to Config", "Config", "const Limit", "func (Config) Close() {}; const Limit", change{}, "`func (Config) Close()`"},
		{"make Celsius an alias for its type", "Celsius", "type Celsius float64", "type Celsius = float64", change{}, "type Celsius float64 → type Celsius = float64"},
		{"make Config generic", "Config", "type Config struct", "type Config[T any] struct", change{}, "`type Config[T any] struct`"},
		{"move Limit to internal/limit", "Limit", "const Limit", "const gone", change{}, "const Limit = 3 → limit.Limit"},
		{"move Config to another package", "Config", "type Config struct", "type gone struct", change{}, "type Config struct → NEW.Config"},
		{"mark Load as deprecated", "Load", "", "", change{}, "func Load(path string, strict bool) (*Config, error) → // Deprecated: … func Load(path string, strict bool) (*Config, error)"},
		{"change the default of Limit to 4", "Limit", "Limit = 3", "Limit = 4", change{}, "const Limit = 3 → const Limit = 4"},
		{"change the signature of Load", "Load", "", "", change{}, ""},
		{"Load takes something else", "Load", "", "", change{}, ""},
		{"don't remove Load, we only want to know", "Load", "", "", change{}, ""},
		{"another type for Config.Path", "Config.Path", "", "", change{}, ""},
		{"reorder the fields of Config", "Config", "", "", change{}, ""},
	} {
		out, err := s.Scout(t.Context(), tools.Call{}, Input{Query: tt.query, Symbols: query.Names{tt.symbol}, Change: tt.change})
		if err != nil {
			t.Errorf("%s: %v", tt.query, err)
			continue
		}
		first, _, _ := strings.Cut(out.Text(), "\n")
		var got []string
		for _, p := range out.Pointers {
			if p.Certain {
				got = append(got, p.Location)
			}
		}
		want := refused(t, strings.Replace(compiledModule, tt.old, tt.new, 1), strings.HasPrefix(tt.query, "move"))
		if slices.Sort(got); !out.Understood.Unsure && !slices.Equal(got, want) || !strings.Contains(first, tt.edit) || tt.edit == "" && strings.Contains(first, "certainly") {
			t.Errorf("%s:\n got %v\nwant %v\n with the edit %s\n%s", tt.query, got, want, tt.edit, out.Text())
		}
	}
}

// refused lists the lines that do not compile once m.go is as edited, which moves none of its lines. A type that has moved has taken
// its methods with it.
func refused(t *testing.T, edited string, moved bool) []string {
	t.Helper()
	fset := token.NewFileSet()
	var files []*ast.File
	for _, f := range []struct{ name, text string }{{"m.go", edited}, {"use.go", compiledUses}} {
		file, err := parser.ParseFile(fset, f.name, f.text, 0)
		if err != nil {
			t.Fatalf("%v\n%s", err, f.text)
		}
		files = append(files, file)
	}
	found := make(map[string]bool)
	note := func(err error) {
		refusal, _ := err.(types.Error)
		at := fset.Position(refusal.Pos)
		if lines := strings.Split(edited, "\n"); moved && at.Filename == "m.go" && strings.HasPrefix(lines[at.Line-1], "func (") {
			return
		}
		found[fmt.Sprintf("%s:%d", at.Filename, at.Line)] = true
	}
	check := types.Config{Importer: importer.Default(), Error: note}
	_, _ = check.Check("m", fset, files, nil) // note has its errors
	return slices.Sorted(maps.Keys(found))
}
