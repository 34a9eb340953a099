package packages

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"tidepool/internal/golang/fact"
)

// Behind each call of f, g or T.M stands what becomes of its error.
const errorUseSource = `
-- go.mod --
module example.test/m

go 1.26
-- a.go --
package m

import (
	"errors"
	"fmt"
	"log"
)

func f() error        { return nil }
func g() (int, error) { return 0, nil }
func none() int       { return 0 }

type T struct{ err error }

func (T) M() error { return nil }

var errOther = errors.New("other")

type wrapped struct{ error }

func passes() error {
	if err := f(); err != nil { // passed
		return err
	}
	_, err := g() // passed
	if err != nil {
		return fmt.Errorf("g: %w", err)
	}
	if f() != nil { // passed
		return errOther
	}
	if _, err := g(); err != nil { // passed
		return &wrapped{err}
	}
	if err = (T{}).M(); err != nil { // passed
		err = fmt.Errorf("again: %w", err)
		return err
	}
	switch err := f(); { // passed
	case err != nil && none() > 1:
		return errOther
	}
	return fmt.Errorf("f: %w", f()) // passed
}

func named() (n int, err error) {
	n, err = g() // passed
	if err != nil {
		return
	}
	_, err = g() // handled
	if err != nil {
		log.Print(err)
	}
	_, err = g() // passed
	return
}

func direct() (int, error) { return g() } // passed

func closure() error {
	return run(func() error { return f() }) // passed
}

func run(do func() error) error { return do() }

func handles() error {
	if err := f(); err != nil { // handled
		log.Print(err)
	}
	log.Print(f()) // handled
	if f() == nil { // handled
		return errOther
	}
	err := f() // handled
	var errs []error
	errs = append(errs, err)
	t := T{err: f()} // handled
	t.err = f() // handled
	func() { err = f() }() // handled
	err = f() // handled
	defer func() { log.Print(err) }()
	if err := f(); err == nil { // handled
		return errOther
	}
	return errors.Join(errs...)
}

func only() bool { return f() == nil } // handled

func drops() error {
	f() // dropped
	defer f() // dropped
	go f() // dropped
	_ = f() // dropped
	n, _ := g() // dropped
	err := f() // dropped
	_ = err
	err = f() // dropped
	err = nil
	none()
	var _, other = g() // passed
	println(n)
	return other
}

var global = f() // handled
`

func TestErrorUse(t *testing.T) {
	b := newBench(t, errorUseSource)
	x := b.index(t)
	text, err := b.files.Read().Open(b.sources[0])
	if err != nil {
		t.Fatal(err)
	}
	wanted := make(map[int]bool)
	for n := 1; n <= text.Lines(); n++ {
		line := text.Line(n)
		for _, fate := range []fact.ErrorUse{fact.Passed, fact.Handled, fact.Dropped} {
			if end := len(line) - len(string(fate)) - 4; end > 0 && line[end:] == " // "+string(fate) {
				wanted[n] = true
			}
		}
	}
	for _, fn := range x.Functions {
		for _, use := range fn.Uses {
			line := text.Line(use.At.Line)
			if x.ErrorUse(use.At) != use.ErrorUse {
				t.Errorf("%s: the index says %q", line, x.ErrorUse(use.At))
			}
			if use.ErrorUse == fact.NoError {
				continue
			}
			delete(wanted, use.At.Line)
			if want := " // " + string(use.ErrorUse); len(line) < len(want) || line[len(line)-len(want):] != want {
				t.Errorf("%d %s is %q", use.At.Line, line, use.ErrorUse)
			}
		}
	}
	if len(wanted) > 0 {
		t.Errorf("the calls in lines %v were not looked at", slices.Sorted(maps.Keys(wanted)))
	}
}

const selectionsSource = `
-- go.mod --
module example.test/m

go 1.26
-- base/base.go --
package base

type Base struct {
	Size int
	Deep
}

func (*Base) Run() {}

type Deep struct{ Far string }

func (Deep) Dive() error { return nil }
-- use/use.go --
package use

import (
	"bytes"

	"example.test/m/base"
)

type Outer struct {
	*base.Base
	bytes.Buffer
	Other struct{ Size int }
}

func use(o Outer, b *base.Base) {
	o.Size++
	o.Run()
	run := o.Run
	o.Dive()
	o.Base.Size++
	o.Base.Run()
	_ = o.Far + b.Far + b.Deep.Far
	o.Len()
	o.Other.Size++
	b.Run()
	_ = Outer{Base: b}
	run()
	_ = Outer.Run
}
`

func TestSelections(t *testing.T) {
	b := newBench(t, selectionsSource)
	x := b.index(t)
	var got []string
	for _, facts := range b.cache.indexed {
		for _, s := range facts.Selections {
			if x.Selection(s.At) == nil {
				t.Errorf("%s is not found by its place", b.short(s.At))
			}
			line := fmt.Sprintf("%s %s %v to %s by %v", b.short(s.At), s.Name, s.Names, b.short(s.To), s.Called)
			for _, field := range s.Through {
				line += " through " + b.short(field)
				if !slices.Contains(x.Selections(field), x.Selection(s.At)) {
					t.Errorf("%s is not found by %s", b.short(s.At), b.short(field))
				}
			}
			got = append(got, line)
		}
	}
	compare(t, got, `
use/use.go:16 Size [Base] to base/base.go:4 by false through use/use.go:10
use/use.go:17 Run [Base] to base/base.go:8 by true through use/use.go:10
use/use.go:18 Run [Base] to base/base.go:8 by false through use/use.go:10
use/use.go:19 Dive [Base Deep] to base/base.go:12 by true through use/use.go:10 through base/base.go:5
use/use.go:20 Base [] to use/use.go:10 by false
use/use.go:21 Base [] to use/use.go:10 by false
use/use.go:22 Far [Base Deep] to base/base.go:10 by false through use/use.go:10 through base/base.go:5
use/use.go:22 Far [Deep] to base/base.go:10 by false through base/base.go:5
use/use.go:22 Deep [] to base/base.go:5 by false
use/use.go:23 Len [Buffer] to ? by true through use/use.go:11
use/use.go:26 Base [] to use/use.go:10 by false
use/use.go:28 Run [Base] to base/base.go:8 by false through use/use.go:10
`)
}
