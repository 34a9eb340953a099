package packages

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tidepool/internal/golang/fact"
)

// portable is a module for several systems.
const portable = `
-- go.mod --
module example.test/m

go 1.26
-- m.go --
package m

import "io"

type Backend interface {
	Add(name string) error
}

type Shared struct{ io.Closer }

func (Shared) Add(string) error { return nil }

func Size() int { return 1 }
-- m_plan9.go --
package m

type plan9 struct{ Shared }

func open() Backend { return &plan9{} }

func shut(p plan9) error { return p.Close() }
-- m_plan9_test.go --
package m

var _ = open().(*plan9)
-- out_plan9_test.go --
package m_test

import "example.test/m"

var _ m.Backend = m.Shared{}
-- m_windows.go --
package m

import (
	"syscall"

	"example.test/nowhere"
)

var Handle syscall.Handle = nowhere.Handle

func size() string { return Size() }

func twice() int { return 2 * Size() }
-- use/use.go --
package use

import "example.test/m"

func Backend() m.Backend { return m.Shared{} }

type Sized = [1]m.Shared
-- use/use_plan9.go --
package use

import "example.test/m/deep"

var closes = deep.Value[0].Closer
-- deep/deep.go --
package deep
-- deep/deep_plan9.go --
package deep

import "example.test/m"

var Value []m.Shared
-- other/other_plan9.go --
package other

func F() int { return 1 }
-- other/other_windows.go --
package other

import "syscall"

func F() int { return int(syscall.Handle(1)) }
-- other/other_darwin.go --
package other

// int F() { return 1; }
import "C"

func F() int { return int(C.F()) }
`

func TestTry(t *testing.T) {
	b := newBench(t, portable)
	for _, tt := range []struct {
		name     string
		old, new string // in m.go
		want     string
	}{
		{"nothing", "Size() int", "Size() int", ""},
		{"a method more", "Add(name string) error\n", "Add(name string) error; Flush()\n", `
m_plan9.go:5:30 cannot use &plan9{} (value of type *plan9) as Backend value in return statement: *plan9 does not implement Backend (missing method Flush)
m_plan9_test.go:3:9 impossible type assertion: open().(*plan9)
	*plan9 does not implement Backend (missing method Flush)
out_plan9_test.go:5:19 cannot use m.Shared{} (value of struct type m.Shared) as m.Backend value in variable declaration: m.Shared does not implement m.Backend (missing method Flush)
use/use.go:5:35 cannot use m.Shared{} (value of struct type m.Shared) as m.Backend value in return statement: m.Shared does not implement m.Backend (missing method Flush)`},
		{"an embedded field less", "struct{ io.Closer }", "struct{ _ io.Closer }", `
m_plan9.go:7:37 p.Close undefined (type plan9 has no field or method Close)
use/use_plan9.go:5:28 deep.Value[0].Closer undefined (type m.Shared has no field or method Closer)`},
		{"another result", "Size() int { return 1 }", "Size() uint { return 1 }", "m_windows.go:13:27 cannot use 2 * Size() (value of type uint) as int value in return statement"},
	} {
		w := b.cache.Begin(b.files.Read(), b.sources)
		made, err := w.Try(t.Context(), w.Directories(), []fact.Edit{b.edit(t, "m.go", tt.old, tt.new)}, fact.Whole)
		w.End()
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, p := range made.Problems {
			got = append(got, fmt.Sprintf("%s:%d %s", b.short(p.At), p.At.Column, p.Message))
		}
		if text := strings.Join(got, "\n"); text != strings.TrimSpace(tt.want) {
			t.Errorf("%s: got\n%s\nwant\n%s", tt.name, text, strings.TrimSpace(tt.want))
		}
		var seen []string
		for _, path := range slices.Sorted(maps.Keys(made.Seen)) {
			if made.Seen[path] {
				seen = append(seen, filepath.Base(path))
			}
		}
		// The one for Windows does not compile as it is, which may hide problems; that for Darwin needs C.
		want := "deep_plan9.go m_plan9.go m_plan9_test.go other_plan9.go other_windows.go out_plan9_test.go use_plan9.go"
		if text := strings.Join(seen, " "); text != want {
			t.Errorf("%s: sees %s, want %s", tt.name, text, want)
		}
	}
}

func TestTryInNoTime(t *testing.T) {
	b := newBench(t, portable)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	w := b.cache.Begin(b.files.Read(), b.sources)
	defer w.End()
	made, err := w.Try(ctx, w.Directories(), []fact.Edit{b.edit(t, "m.go", "Add(name", "Append(name")}, fact.Whole)
	seen := slices.Contains(slices.Collect(maps.Values(made.Seen)), true)
	if err != nil || len(made.Problems) > 0 || seen || len(made.Missed) != 4 {
		t.Errorf("%+v, %v; want nothing seen", made, err)
	}
}

func TestTryOutOfRange(t *testing.T) {
	b := newBench(t, portable)
	w := b.cache.Begin(b.files.Read(), b.sources)
	defer w.End()
	if made, err := w.Try(t.Context(), w.Directories(), []fact.Edit{{Path: b.sources[0], Start: 1, End: 1e6}}, fact.Whole); err == nil {
		t.Errorf("%+v, want an error", made)
	}
}

// edit replaces the one place where a file has old.
func (b *bench) edit(t *testing.T, name, old, text string) fact.Edit {
	t.Helper()
	path := filepath.Join(b.dir, name)
	data, err := os.ReadFile(path)
	if err != nil || strings.Count(string(data), old) != 1 {
		t.Fatalf("%s has %q not once; %v", name, old, err)
	}
	start := strings.Index(string(data), old)
	return fact.Edit{Path: path, Start: start, End: start + len(old), New: text}
}

func TestBuilds(t *testing.T) {
	b := newBench(t, `
-- plan9.go --
//go:build plan9 && special

package m
-- generate.go --
//go:build ignore

package main
`)
	for i, want := range []bool{true, false} {
		f, err := b.files.Read().Open(b.sources[i])
		if err != nil || Builds(f) != want {
			t.Errorf("%s: want %v, %v", b.sources[i], want, err)
		}
	}
}
