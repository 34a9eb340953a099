package reach

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"tidepool/internal/golang/fact"
	"tidepool/internal/golang/packages"
	"tidepool/internal/golang/syntax"
)

const module = `
-- go.mod --
module example.test/m

go 1.26
-- m.go --
package m

import "net/http"

type Store interface{ Load() int }

type Disk struct{ Base }

type Memory struct{}

type Base struct{}

func (Base) Load() int { return load() }

func (*Memory) Load() int { return loadMemory() }

func load() int { return 1 }

func loadMemory() int { return 2 }

func Size(s Store) int { return s.Load() }

var commands = map[string]func() int{"all": all}

func all() int { return everything() }

func everything() int { return 3 }

func Command(name string) int { return commands[name]() }

type Site struct{}

func (*Site) ServeHTTP(w http.ResponseWriter, r *http.Request) { serve() }

func serve() {}

func Kind(s Store) int {
	switch s := s.(type) {
	case *Memory:
		return forget(s)
	}
	return 0
}

func forget(*Memory) int { return 0 }

func Apply(f func() int) int { return f() }

func Twice[T any](f func(T), x T) { f(x); once(f, x) }

func once[T any](f func(T), x T) { f(x) }
-- m_test.go --
package m

import (
	"net/http/httptest"
	"os"
	"testing"
)

func TestMain(m *testing.M) { prepare(); os.Exit(m.Run()) }

func prepare() {}

func TestDisk(t *testing.T) {
	t.Run("size", func(t *testing.T) { check(t, Disk{}) })
}

func check(t *testing.T, s Store) {
	if Size(s) == 0 || Kind(s) != 0 {
		t.Fail()
	}
}

func TestMemory(t *testing.T) { check(t, new(Memory)) }

func TestCommand(t *testing.T) { Command("all") }

func TestServe(t *testing.T) { httptest.NewServer(&Site{}).Close() }

func ExampleApply() { Apply(Base{}.Load) }

func FuzzTwice(f *testing.F) {
	f.Fuzz(func(t *testing.T, n int) { Twice(func(int) {}, n) })
}

func BenchmarkDisk(b *testing.B) { Size(Disk{}) }

type suite struct{}

func (suite) TestAll() { Command("none") }

func TestSuite(t *testing.T) { run(suite{}) }

func run(any) {}
-- sub/sub.go --
package sub

var table = build()

func build() []int { return fill(3) }

func fill(n int) []int { return nil }

func init() { register("sub") }

func register(string) {}

func Len() int { return len(table) }
-- sub/sub_test.go --
package sub_test

import (
	"testing"

	"example.test/m/sub"
)

func TestLen(t *testing.T) { sub.Len() }

func TestNothing(t *testing.T) {}
`

func calls(t *testing.T) (*Calls, *packages.Index) {
	t.Helper()
	dir := t.TempDir()
	var sources []string
	for _, f := range txtar.Parse([]byte(module)).Files {
		path := filepath.Join(dir, f.Name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, f.Data, 0o600); err != nil {
			t.Fatal(err)
		}
		if filepath.Ext(path) == ".go" {
			sources = append(sources, path)
		}
	}
	var files syntax.Files
	var cache packages.Cache
	work := cache.Begin(files.Read(), sources)
	defer work.End()
	index, err := work.Index(t.Context(), work.Directories())
	if err != nil {
		t.Fatal(err)
	}
	var kept Cache
	c := kept.Of(index)
	if kept.Of(index) != c {
		t.Error("the calls of one index were made twice")
	}
	return c, index
}

func TestTests(t *testing.T) {
	want := map[string]string{
		"Base.Load":      "ExampleApply TestDisk",
		"load":           "ExampleApply TestDisk",
		"loadMemory":     "TestMemory",
		"Size":           "TestDisk TestMemory",
		"everything":     "TestCommand TestSuite",
		"serve":          "TestServe",
		"forget":         "TestMemory",
		"Apply":          "ExampleApply",
		"once":           "FuzzTwice",
		"check":          "TestDisk TestMemory",
		"fill":           "TestLen",
		"register":       "TestLen",
		"prepare":        "",
		"Memory.Load":    "TestMemory",
		"Site.ServeHTTP": "TestServe",
	}
	c, index := calls(t)
	files := new(syntax.Files).Read()
	for _, fn := range index.Functions {
		expected, asked := want[fn.Name]
		if !asked {
			continue
		}
		delete(want, fn.Name)
		var got []string
		for _, test := range c.Tests(fn.At, packages.WordsAt(files, fn.At)) {
			got = append(got, test.Name)
			if test.Chance <= 0 || test.Chance > 1 {
				t.Errorf("%s runs %s with a chance of %f", test.Name, fn.Name, test.Chance)
			}
		}
		slices.Sort(got)
		if text := strings.Join(got, " "); text != expected {
			t.Errorf("%s: %s; want %s", fn.Name, text, expected)
		}
	}
	if len(want) > 0 || c.Tests(fact.Place{}, nil) != nil {
		t.Errorf("not there: %v", want)
	}
}

func TestOrder(t *testing.T) {
	c, index := calls(t)
	files := new(syntax.Files).Read()
	for _, fn := range index.Functions {
		switch tests := c.Tests(fn.At, packages.WordsAt(files, fn.At)); fn.Name {
		case "Memory.Load":
			if tests[0].Steps != 4 {
				t.Errorf("%s is %d steps from Memory.Load", tests[0].Name, tests[0].Steps)
			}
		case "all":
			if tests[0].Name != "TestSuite" && tests[0].Name != "TestCommand" {
				t.Errorf("%s comes first", tests[0].Name)
			}
		case "register":
			if !tests[0].Sure {
				t.Error("what a package runs at its start is not sure to run")
			}
		}
	}
}
