package packages

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tidepool/internal/golang/fact"
)

const importing = `
-- go.mod --
module example.test/m

go 1.26
-- own/own.go --
package own

func F() int { return 1 }

type T struct{ N int }
-- direct/direct.go --
package direct

import "example.test/m/own"

func G() own.T { return own.T{N: own.F()} }
-- far/far.go --
package far

import "example.test/m/direct"

func H() int { return direct.G().N }
-- tested/tested.go --
package tested

func F() {}
-- tested/tested_test.go --
package tested

import _ "example.test/m/far"
-- other/other.go --
package other

func F() int { return 2 }
-- circle/circle.go --
package circle

import _ "example.test/m/circle"
`

func TestImporting(t *testing.T) {
	b := newBench(t, importing)
	ask := func() string {
		w := b.cache.Begin(b.files.Read(), b.sources)
		defer w.End()
		var names []string
		for _, dir := range w.Importing(w.Directories(), filepath.Join(b.dir, "own")) {
			names = append(names, filepath.Base(dir))
		}
		return strings.Join(names, " ")
	}
	if got, want := ask(), "direct far own tested"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	b.write(t, "other/other.go", "// "+strings.Repeat("x", 64<<10)+"\npackage other\n\nimport _ \"example.test/m/direct\"\n")
	if got, want := ask(), "direct far other own tested"; got != want {
		t.Errorf("after an edit %s, want %s", got, want)
	}
}

// Tests may import what imports their package.
func TestImportingInCircles(t *testing.T) {
	b := newBench(t, "-- go.mod --\nmodule example.test/m\n\ngo 1.26\n-- a/a_test.go --\npackage a_test\n\nimport _ \"example.test/m/b\"\n"+
		"-- a/own.go --\npackage a\n\nimport _ \"example.test/m/z\"\n-- b/b.go --\npackage b\n\nimport _ \"example.test/m/a\"\n-- z/z.go --\npackage z\n")
	w := b.cache.Begin(b.files.Read(), b.sources)
	defer w.End()
	if got := w.Importing(w.Directories(), filepath.Join(b.dir, "z")); len(got) != 3 {
		t.Errorf("what leads to z: %s", got)
	}
}

// Files for other systems in packages that do not lead to one that is asked about are known to hold nothing of it.
func TestNearAny(t *testing.T) {
	b := newBench(t, importing+"-- other/other_plan9.go --\npackage other\n\nfunc G() {}\n-- far/far_plan9.go --\npackage far\n\nfunc I() {}\n")
	w := b.cache.Begin(b.files.Read(), b.sources)
	defer w.End()
	near, apart := w.NearAny(w.Directories(), []string{filepath.Join(b.dir, "tested"), filepath.Join(b.dir, "far")})
	var names []string
	for _, dir := range near {
		names = append(names, filepath.Base(dir))
	}
	if got, want := strings.Join(names, " "), "far tested"; got != want {
		t.Errorf("near are %s, want %s", got, want)
	}
	if want := []string{filepath.Join(b.dir, "other/other_plan9.go")}; !slices.Equal(apart, want) {
		t.Errorf("apart are %s, want %s", apart, want)
	}
}

// Released packages are type-checked again where they are needed, and facts that are kept stay the same.
func TestRelease(t *testing.T) {
	b := newBench(t, importing)
	first := b.index(t)
	w := b.cache.Begin(b.files.Read(), b.sources)
	w.Release([]string{filepath.Join(b.dir, "far"), filepath.Join(b.dir, "direct")})
	w.End()
	b.write(t, "far/far.go", "package far\n\nimport \"example.test/m/direct\"\n\nfunc H() (int, error) { return direct.G().N, nil }\n")
	second := b.index(t)
	if len(first.Functions) != len(second.Functions) {
		t.Errorf("%d functions, then %d", len(first.Functions), len(second.Functions))
	}
	for _, fn := range second.Functions {
		at := slices.IndexFunc(first.Functions, func(other *fact.Function) bool { return other.At == fn.At })
		if kept := at >= 0 && first.Functions[at] == fn; kept != (filepath.Base(filepath.Dir(fn.At.Path)) == "direct") {
			t.Errorf("%s: kept %t", fn.Name, kept)
		}
		if fn.Name == "H" && (!fn.Fails || len(fn.Uses) != 1 || second.Function(fn.Uses[0].To) == nil) {
			t.Errorf("made again: %+v", fn)
		}
	}
}
