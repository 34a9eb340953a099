package packages

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"
	"time"

	"tidepool/internal/golang/fact"
)

// A shelf is a store in memory.
type shelf map[string][]byte

func (s shelf) Load(subject, key string) []byte       { return s[subject+"\n"+key] }
func (s shelf) Save(subject, key string, data []byte) { s[subject+"\n"+key] = data }

// restart has the bench work as the next process does, long after the files were written.
func (b *bench) restart(s Store) { b.cache = Cache{Store: s, later: time.Hour} }

const chain = `
-- go.mod --
module example.test/m

go 1.26

require example.test/beside v1.0.0

replace example.test/beside => ../beside
-- low/low.go --
package low

type Kind int

const (
	A Kind = iota
	B
)

type File struct{ names [2]string }

func (File) Close() error { return nil }
-- low/low_test.go --
package low

import "testing"

func TestClose(t *testing.T) { _ = File{}.Close() }
-- middle/middle.go --
package middle

import (
	"io"

	"example.test/beside"
	"example.test/m/low"
)

var names = []string{"a", "b"}

func Name(k low.Kind) string { return names[k] }

func End(c io.Closer) (error, beside.Closer) { return c.Close(), low.File{} }
-- top/top.go --
package top

import "example.test/m/middle"

func Top() string { return middle.Name(1) }
-- top/top_windows.go --
package top

func init() { Top() }
`

// newChain lays chain out, beside a module that is not of the tree.
func newChain(t *testing.T) *bench {
	t.Helper()
	b := newBench(t, chain)
	b.write(t, "../beside/beside.go", "package beside\n\ntype Closer interface{ Close() error }\n")
	return b
}

// of counts what is kept of directories.
func (s shelf) of() (n int) {
	for at := range s {
		if at[0] == filepath.Separator {
			n++
		}
	}
	return n
}

// facts lists the facts of all directories, and the interfaces beyond the tree.
func (b *bench) facts(t *testing.T) (all []Facts, outside []fact.Type) {
	t.Helper()
	w := b.cache.Begin(b.files.Read(), b.sources)
	defer w.End()
	index, err := w.Index(t.Context(), w.Directories())
	if err != nil {
		t.Fatal(err)
	}
	for _, dir := range w.Directories() {
		all = append(all, *w.Facts(dir))
	}
	return all, index.Outside
}

func TestNextProcessChecksNothing(t *testing.T) {
	b, kept := newChain(t), shelf{}
	b.restart(kept)
	first, interfaces := b.facts(t)
	if len(kept) != 4 || kept.of() != 3 { // and the interfaces
		t.Errorf("%d are kept", len(kept))
	}
	b.restart(kept)
	again, alike := b.facts(t)
	if !reflect.DeepEqual(first, again) || !reflect.DeepEqual(interfaces, alike) {
		t.Errorf("the next process has\n%+v\ninstead of\n%+v", again, first)
	}
	if len(b.cache.declared) != 0 || len(b.cache.outside.packages) != 0 {
		t.Errorf("it has checked %d and %d packages", len(b.cache.declared), len(b.cache.outside.packages))
	}
}

// A file that was written a moment ago does not hide what changes in those that it imports.
func TestFactsFollowImportsOfFreshFiles(t *testing.T) {
	b := newChain(t)
	b.cache.later = -time.Hour
	b.facts(t)
	low, _ := os.ReadFile(filepath.Join(b.dir, "low/low.go"))
	b.write(t, "low/low.go", "// Package low is a line lower.\n"+string(low))
	got, _ := b.facts(t)
	b.cache = Cache{}
	if want, _ := b.facts(t); !reflect.DeepEqual(got, want) {
		t.Errorf("the facts are\n%+v\ninstead of\n%+v", got, want)
	}
}

// Whatever changes, a process that finds facts has those that it would find out.
func TestFoundFactsAreTrue(t *testing.T) {
	b, kept := newChain(t), shelf{}
	low, _ := os.ReadFile(filepath.Join(b.dir, "low/low.go"))
	edits := []func(){
		func() { b.write(t, "low/low.go", "// Package low is a line lower.\n"+string(low)) },
		func() { b.write(t, "low/low.go", string(low)) },
		func() { b.write(t, "low/low.go", string(low)+"\nconst C Kind = 2\n") },
		func() { b.write(t, "low/low_test.go", "package low\n") },
		func() { b.write(t, "middle/middle.go", "package middle\n\nfunc Name(n int) string { return \"\" }\n") },
		func() { b.write(t, "top/top.go", "package top\n\nfunc Top() {}\n") },
		func() { b.write(t, "top/top_windows.go", "package top\n") },
		func() { b.write(t, "../beside/beside.go", "package beside\n\ntype Closer interface{ Close() }\n") },
		func() { b.write(t, "../beside/beside.go", "package beside\n\nfunc F() {}\n") },
		func() {
			b.write(t, "vendor/example.test/beside/beside.go", "package beside\n\ntype Closer interface{ Vendored() }\n")
			b.write(t, "vendor/modules.txt", "# example.test/beside v1.0.0\n")
		},
		func() { _ = os.RemoveAll(filepath.Join(b.dir, "vendor")) },
		func() {
			b.write(t, "low/low_test.go", "package low_test\n\nimport \"example.test/m/top\"\n\nvar _ = top.Top\n\ntype T struct{}\n")
		},
		func() { b.write(t, "go.mod", "module example.test/m\n\ngo 1.26\n") },
		func() { b.write(t, "go.mod", "module example.test/other\n\ngo 1.26\n") },
	}
	const seed = 7
	random := rand.New(rand.NewPCG(seed, seed))
	for i := range 40 {
		at := random.IntN(len(edits))
		edits[at]()
		b.restart(kept)
		found, interfaces := b.facts(t)
		b.restart(nil)
		want, beyond := b.facts(t)
		if !reflect.DeepEqual(found, want) || !reflect.DeepEqual(interfaces, beyond) {
			t.Fatalf("after edit %d, number %d:\n%+v\ninstead of\n%+v", i, at, found, want)
		}
	}
}

// A file that was written just now may be written again under the same stamp, so nothing is kept of it yet.
func TestFreshFilesAreNotKept(t *testing.T) {
	b, kept := newChain(t), shelf{}
	b.cache = Cache{Store: kept, later: -time.Hour}
	b.facts(t)
	if kept.of() != 0 {
		t.Errorf("%d are kept", kept.of())
	}
	b.cache.later = time.Hour
	b.facts(t)
	if kept.of() != 3 {
		t.Errorf("later, %d are kept", kept.of())
	}
}

func TestDamagedFacts(t *testing.T) {
	b, kept := newChain(t), shelf{}
	b.restart(kept)
	want, interfaces := b.facts(t)
	for name, damage := range map[string]func([]byte) []byte{
		"cut":       func(d []byte) []byte { return d[:len(d)/2] },
		"empty":     func([]byte) []byte { return []byte{} },
		"no facts":  func([]byte) []byte { return fact.Encode("text") },
		"a bit off": func(d []byte) []byte { d = slices.Clone(d); d[len(d)/2] ^= 4; return d },
	} {
		spoilt := shelf{}
		for subject, data := range kept {
			spoilt[subject] = damage(data)
		}
		b.restart(spoilt)
		if got, beyond := b.facts(t); !reflect.DeepEqual(got, want) || !reflect.DeepEqual(beyond, interfaces) {
			t.Errorf("%s: got %+v", name, got)
		}
	}
}

// Facts that lack a package which another one beyond the tree imports are not kept: nothing in their key says when it comes.
func TestMissingModule(t *testing.T) {
	modules := t.TempDir()
	t.Setenv("GOMODCACHE", modules)
	b, kept := newBench(t, `
-- go.mod --
module example.test/m

require (
	example.test/a v1.0.0
	example.test/b v1.0.0
)
-- m.go --
package m

import "example.test/a"

type W struct{ a.D }
`), shelf{}
	module := func(name, text string) {
		dir := filepath.Join(modules, "example.test", name+"@v1.0.0")
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name+".go"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	methods := func() string {
		b.restart(kept)
		all, _ := b.facts(t)
		return fmt.Sprint(kept.of(), len(all[0].Types[0].Methods))
	}
	if got := methods(); got != "1 0" {
		t.Errorf("without the first: %s", got)
	}
	module("a", "package a\n\nimport \"example.test/b\"\n\ntype D struct{ b.T }\n\nfunc (D) Open() {}\n")
	if got := methods(); got != "1 1" {
		t.Errorf("without the second: %s", got)
	}
	module("b", "package b\n\ntype T struct{}\n\nfunc (T) Close() error { return nil }\n")
	if got := methods(); got != "2 2" {
		t.Errorf("with both: %s", got)
	}
}
