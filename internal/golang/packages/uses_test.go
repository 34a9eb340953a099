package packages

import (
	"context"
	"errors"
	"fmt"
	"testing"
)

const calls = `
-- go.mod --
module example.test/m

go 1.26
-- a/a.go --
package a

import "io"

type Store interface{ Get() error }

type Disk struct{ File }

type File struct{ name string }

func (f *File) Get() error { return check(f.name) }

func (f *File) WriteTo(w io.Writer) (int64, error) { return 0, nil }

func (f *File) size() int { return len(f.name) }

func check(name string) error {
	if name == "" {
		return nil
	}
	return nil
}

func Map[T any](list []T, f func(T) T) []T { return list }

func same(n int) int { return n }

var table = map[string]func(int) int{"same": same}

var Default = open()

func open() *Disk { return &Disk{} }
-- b/b.go --
package b

import "example.test/m/a"

func Run(s a.Store) error {
	if err := s.Get(); err != nil {
		return err
	}
	d := new(a.Disk)
	go func() { d.Get() }()
	_ = a.Map[int](nil, nil)
	f := a.Default.File.Get
	switch s := s.(type) {
	case *a.Disk:
		return s.Get()
	}
	return f()
}
`

func TestUses(t *testing.T) {
	b := newBench(t, calls)
	x := b.index(t)
	var got []string
	for _, fn := range x.Functions {
		for _, u := range fn.Uses {
			line := fmt.Sprintf("%s %s %s", b.short(u.At), fn.Name, u.Kind)
			line += " " + b.name(x, u.To)
			if u.Closure {
				line += " closure"
			}
			for _, n := range u.Needs {
				line += " needs " + b.name(x, n)
			}
			got = append(got, line)
		}
	}
	compare(t, got, `
a/a.go:11 File.Get called check
a/a.go:28 table taken same
a/a.go:30 Default called open
a/a.go:32 open built Disk
a/a.go:32 open built Disk
b/b.go:6 Run called a/a.go:5
b/b.go:9 Run built Disk
b/b.go:10 Run called File.Get closure
b/b.go:11 Run called Map
b/b.go:12 Run read Default
b/b.go:12 Run taken File.Get
b/b.go:15 Run called File.Get needs Disk
`)
}

func TestPrescribed(t *testing.T) {
	b := newBench(t, calls)
	x := b.index(t)
	want := map[string]bool{"File.Get": true, "File.WriteTo": true}
	for _, fn := range x.Functions {
		if got := x.Prescribed(fn); got != want[fn.Name] {
			t.Errorf("%s: %t", fn.Name, got)
		}
		if fails := fn.Name == "File.Get" || fn.Name == "File.WriteTo" || fn.Name == "check" || fn.Name == "Run"; fn.Fails != fails {
			t.Errorf("%s fails: %t", fn.Name, fn.Fails)
		}
	}
}

func TestFactsAreKeptUntilFilesChange(t *testing.T) {
	b := newBench(t, calls)
	before := b.index(t)
	if b.index(t) != before {
		t.Error("nothing changed, and all was joined again")
	}
	b.write(t, "a/a.go", "package a\n\ntype Store interface{ Put() }\n\nfunc Added() {}\n")
	after := b.index(t)
	var names []string
	for _, fn := range after.Functions {
		names = append(names, fn.Name)
	}
	compare(t, names, "Added\nRun")
	for _, u := range after.Functions[1].Uses {
		if b.name(after, u.To) == "File.Get" {
			t.Error("a package still uses what is gone from another")
		}
	}
}

func TestWorkThatEndedKeepsNothing(t *testing.T) {
	b := newBench(t, calls)
	ctx, cancel := context.WithCancelCause(t.Context())
	gone := errors.New("the client hung up")
	cancel(gone)
	w := b.cache.Begin(b.files.Read(), b.sources)
	x, err := w.Index(ctx, w.Directories())
	w.End()
	if x != nil || !errors.Is(err, gone) {
		t.Errorf("got %v, %v", x, err)
	}
	x = b.index(t)
	for _, fn := range x.Functions {
		if fn.Name == "File.WriteTo" && !x.Prescribed(fn) {
			t.Error("an empty io was kept")
		}
	}
}
