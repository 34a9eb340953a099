package typing

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"testing"

	"tidepool/lsp"
)

// namedIn writes open uses as "line: file:line of the method", or "line: ?" where the text leaves it open.
func namedIn(uses []OpenUse) []string {
	var all []string
	for _, u := range uses {
		names := "?"
		if u.known() {
			names = fmt.Sprintf("%s:%d", filepath.Base(u.Names.Path), u.Names.Line)
		}
		all = append(all, fmt.Sprintf("%d: %s", u.At.Range.Start.Line, names))
	}
	return all
}

// The text tells of calls through error and through interfaces that embed it, and that fields and functions of packages are no methods.
func TestOpenUsesOfError(t *testing.T) {
	f := newFolder(t)
	f.write(t, "p/p.go", `package p

type Coded interface {
	error
	Code() int
}

type Request struct{ Error error }

func Do() (*Request, error) { return nil, nil }

func Error() string { return "" }
`)
	path := f.write(t, "m.go", `package m

import "m/p"

func f(err error, coded p.Coded, all []error) {
	_ = err.Error()
	_ = coded.Error()
	_ = all[0].Error()
	r, failed := p.Do()
	_ = failed.Error()
	_ = r.Error
	_ = p.Error()
	if c, ok := err.(p.Coded); ok {
		_ = c.Error()
	}
}

func generic[error interface{ Error() string }](err error) { _ = err.Error() }
`)
	asked := func() []string {
		got, err := f.reader().OpenUses(t.Context(), Named{"Error", true}, f.revision[path], func() ([]string, error) { return []string{path}, nil })
		if err != nil {
			t.Fatal(err)
		}
		return namedIn(got)
	}
	want := []string{"6: builtin:0", "7: builtin:0", "8: builtin:0", "10: builtin:0", "14: builtin:0", "18: ?"}
	if got := asked(); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	f.write(t, "own_test.go", "package m\n\ntype (\n\terror interface{ Error() string }\n)\n")
	f.revision[path]++
	want = []string{"6: ?", "7: builtin:0", "8: ?", "10: builtin:0", "14: builtin:0", "18: ?"}
	if got := asked(); !slices.Equal(got, want) {
		t.Errorf("where the package has an error of its own: got %q, want %q", got, want)
	}
}

// What two embedded interfaces declare differently, and what is embedded from elsewhere, the text leaves open.
func TestOpenUsesThroughEmbedding(t *testing.T) {
	f := newFolder(t)
	path := f.write(t, "m.go", `package m

import "other.test/o"

type A interface{ M() }

type B interface{ M() }

type One interface{ A }

type Both interface {
	A
	B
}

type Same interface {
	One
	A
}

type Elsewhere interface {
	o.I
	A
}

func f(a A, one One, both Both, same Same, elsewhere Elsewhere) {
	a.M()
	one.M()
	both.M()
	same.M()
	elsewhere.M()
}
`)
	got, err := f.reader().OpenUses(t.Context(), Named{"M", true}, 1, func() ([]string, error) { return []string{path}, nil })
	if want := []string{"27: m.go:5", "28: m.go:5", "29: ?", "30: m.go:5", "31: ?"}; err != nil || !slices.Equal(namedIn(got), want) {
		t.Errorf("got %q, %v; want %q", namedIn(got), err, want)
	}
}

// The text tells of elements of slices, arrays and maps, also of named ones, through fields, results and conversions; not of what has as
// many elements too few, nor of the keys of a map.
func TestMethodOfElements(t *testing.T) {
	f := newFolder(t)
	f.write(t, "p/p.go", `package p

type T struct{}

func (T) M() {}

type List []T

type Lists map[string]List

type Box struct {
	All  [2][]*T
	List Lists
	Mine struct{ M int }
}

func Boxes() []Box { return nil }

func (List) Rest() (List, error) { return nil, nil }
`)
	path := f.write(t, "m.go", `package m

import "m/p"

func f(box p.Box, all p.List, keys map[p.T]int) {
	box.All[0][1].M()
	box.List[""][0].M()
	p.Boxes()[0].All[0][0].M()
	for _, b := range p.Boxes() {
		for _, lists := range b.List {
			for _, t := range lists[1:] {
				t.M()
			}
		}
	}
	rest, _ := all.Rest()
	rest[0].M()
	p.List(all)[0].M()
	p.T(all[0]).M()
	if t, ok := box.List[""][0], true; ok {
		t.M()
	}
	box.All[0].M()
	box.All[0][1][2].M()
	all.M()
	for k := range keys {
		k.M()
	}
	box.Mine.M()
}
`)
	want := []string{"6: p.go:5", "7: p.go:5", "8: p.go:5", "12: p.go:5", "17: p.go:5", "18: p.go:5", "19: p.go:5", "21: p.go:5", "23: ?", "24: ?", "25: ?", "27: ?", "29: ?"}
	source, err := f.reader().Files.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, at := range source.Selected("M") {
		spot, ok := f.reader().Method(lsp.At(path, at.Line, at.Column), "M")
		named := "?"
		if ok {
			named = fmt.Sprintf("%s:%d", filepath.Base(spot.Path), spot.Line)
		}
		got = append(got, fmt.Sprintf("%d: %s", at.Line, named))
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// Whether a type is embedded, and whether another one is made of it, is looked for once in each revision of a tree.
func TestMayMakeIsKept(t *testing.T) {
	f := newFolder(t)
	path := f.write(t, "m.go", "package m\n\ntype T int\n\ntype U T\n")
	all := func() ([]string, error) { return []string{path}, nil }
	ask := func(tree int64, files func() ([]string, error)) (made, embedded bool) {
		t.Helper()
		made, err := f.reader().MayMake(t.Context(), "T", tree, files)
		if err != nil {
			t.Fatal(err)
		}
		if embedded, err = f.reader().MayEmbed(t.Context(), "T", tree, files); err != nil {
			t.Fatal(err)
		}
		return made, embedded
	}
	never := func() ([]string, error) { return nil, errors.New("the files are asked for") }
	for _, files := range []func() ([]string, error){all, never} {
		if made, embedded := ask(1, files); !made || embedded {
			t.Errorf("made %t, embedded %t", made, embedded)
		}
	}
	f.write(t, "m.go", "package m\n\ntype T int\n\ntype U struct{ T }\n")
	if made, embedded := ask(2, all); !made || !embedded {
		t.Errorf("after a change: made %t, embedded %t", made, embedded)
	}
}
