package packages

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"tidepool/internal/golang/fact"
)

// uneven is a module of which the files that all systems build mean other things on each.
const uneven = `
-- go.mod --
module example.test/m

go 1.26
-- m.go --
package m

type Backend interface {
	Close() error
}

type State struct {
	Name string
	File handle
}

func Use(b Backend) {}

func run() { Use(open()) }

func (s State) code() int { return s.File.number() + len(s.Name) }

type T struct{}

func (T) Flush() {}
-- m_linux.go --
package m

type handle struct{ T }

func (handle) Close() error { return nil }

func (handle) number() int { return 0 }

func open() handle { return handle{} }
-- m_windows.go --
package m

type handle uint

func (handle) Close() error { return nil }

func (handle) number() int { return 0 }

func open() *handle { return nil }
-- m_darwin.go --
package m

type handle struct{ T }

func (handle) Close() error { return nil }

func (handle) number() int { return "" }

func open() handle { return handle{} }
-- user/user.go --
package user

import "example.test/m"

func F(s m.State) { m.Use(s.File) }
-- user/user_test.go --
package user

import "example.test/m"

var _ m.Backend = m.State{}.File
-- apart/apart.go --
package apart

func F() int { return G() }

func G() int { return 1 }
-- tested/tested.go --
package tested
-- tested/tested_test.go --
package tested

import "example.test/m"

var _ m.Backend = m.State{}.File
`

func TestTryWhole(t *testing.T) {
	b := newBench(t, uneven)
	for _, tt := range []struct {
		name, file string
		old, new   string
		extent     fact.Extent
		want       string
		missed     string
	}{
		{"nothing", "m.go", "Close() error\n", "Close() error\n", fact.Whole, "", ": darwin"},
		{
			"a method that only the others have", "m.go", "\tClose() error\n", "\tClose() error\n\n\n\tFlush()\n", fact.Whole, `
m.go:14 [windows] cannot use open() (value of type *handle) as Backend value in argument to Use: *handle does not implement Backend (missing method Flush)
tested/tested_test.go:5 [windows] cannot use m.State{}.File (value of uint type m.handle) as m.Backend value in variable declaration: m.handle does not implement m.Backend (missing method Flush)
user/user.go:5 [windows] cannot use s.File (variable of uint type m.handle) as m.Backend value in argument to m.Use: m.handle does not implement m.Backend (missing method Flush)
user/user_test.go:5 [windows] cannot use m.State{}.File (value of uint type m.handle) as m.Backend value in variable declaration: m.handle does not implement m.Backend (missing method Flush)`, ": darwin"},
		{
			"another type, with lines before it taken away", "m.go", "Name string\n\tFile handle", "File string", fact.Whole, `
m.go:16 [windows darwin] s.File.number undefined (type string has no field or method number)
m.go:16 [windows darwin] s.Name undefined (type State has no field or method Name)
tested/tested_test.go:5 [windows darwin] cannot use m.State{}.File (value of type string) as m.Backend value in variable declaration: string does not implement m.Backend (missing method Close)
user/user.go:5 [windows darwin] cannot use s.File (variable of type string) as m.Backend value in argument to m.Use: string does not implement m.Backend (missing method Close)
user/user_test.go:5 [windows darwin] cannot use m.State{}.File (value of type string) as m.Backend value in variable declaration: string does not implement m.Backend (missing method Close)`, ": darwin"},
		{"only what we leave out", "m.go", "\tClose() error\n", "\tClose() error\n\tFlush()\n", fact.LeftOut, "", ": darwin"},
		{"where all systems see the same", "apart/apart.go", "G() int {", "G() string {", fact.Whole, "", ": darwin"},
	} {
		w := b.cache.Begin(b.files.Read(), b.sources)
		made, err := w.Try(t.Context(), w.Directories(), []fact.Edit{b.edit(t, tt.file, tt.old, tt.new)}, tt.extent)
		w.End()
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, p := range made.Problems {
			if !strings.HasPrefix(p.Message, "\t") {
				got = append(got, fmt.Sprintf("%s %s %s", b.short(p.At), p.Systems, p.Message))
			}
		}
		if text := strings.Join(got, "\n"); text != strings.TrimSpace(tt.want) {
			t.Errorf("%s: got\n%s\nwant\n%s", tt.name, text, strings.TrimSpace(tt.want))
		}
		var missed []string
		for _, dir := range slices.Sorted(maps.Keys(made.Missed)) {
			missed = append(missed, strings.TrimPrefix(strings.TrimPrefix(dir, b.dir), "/")+": "+strings.Join(made.Missed[dir], " "))
		}
		if text := strings.Join(missed, "; "); text != tt.missed {
			t.Errorf("%s: misses %s, want %s", tt.name, text, tt.missed)
		}
	}
}

func TestRevised(t *testing.T) {
	b := newBench(t, "-- a.go --\nabc\ndef\nghi\n")
	path := b.sources[0]
	texts, err := revise([]fact.Edit{{Path: path, Start: 8, End: 11, New: ""}, {Path: path, Start: 4, End: 4, New: "12\n3"}, {Path: path, Start: 4, End: 4, New: "4"}, {Path: path, Start: 1, End: 2, New: "BB"}})
	if err != nil {
		t.Fatal(err)
	}
	r := texts[path]
	if want := "aBBc\n12\n34def\n\n"; r.text != want {
		t.Errorf("%q, want %q", r.text, want)
	}
	for offset, want := range []string{
		"1:1", "1:2", "1:2", "1:3", "1:4", "2:1", "2:1", "2:1", "2:1", "2:1", "2:1", "2:2", "2:3", "2:4", "3:4",
	} {
		if p := r.home(path, offset); fmt.Sprintf("%d:%d", p.Line, p.Column) != want {
			t.Errorf("offset %d, %q: %d:%d, want %s", offset, r.text[offset:offset+1], p.Line, p.Column, want)
		}
	}
	if _, err := revise([]fact.Edit{{Path: path, Start: 0, End: 3, New: ""}, {Path: path, Start: 1, End: 9, New: ""}}); err == nil {
		t.Error("edits overlap, and that is no error")
	}
}

// A package that lacks declarations on a system is not built for it: nothing is missed there.
func TestTryWhatIsNotMeantForIt(t *testing.T) {
	b := newBench(t, `
-- go.mod --
module example.test/m

go 1.26
-- m.go --
package m

import "os/exec"

func F() int { return only() }

func G(c *exec.Cmd) { c.SysProcAttr = attributes() }
-- m_linux.go --
package m

import "syscall"

func only() int { return 1 }

func attributes() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }
-- m_windows.go --
package m

import "syscall"

func only() int { return 1 }

func attributes() *syscall.SysProcAttr { return &syscall.SysProcAttr{HideWindow: true} }
-- use/use.go --
package use

import "example.test/m"

var F = m.F
`)
	w := b.cache.Begin(b.files.Read(), b.sources)
	defer w.End()
	made, err := w.Try(t.Context(), w.Directories(), []fact.Edit{b.edit(t, "m.go", "func F()", "func F(int)")}, fact.Whole)
	if err != nil || len(made.Problems) > 0 || len(made.Missed) > 0 {
		t.Errorf("%+v, %v; want nothing", made, err)
	}
}
