package packages

import (
	"fmt"
	"strings"
	"testing"

	"tidepool/internal/golang/fact"
)

const shapes = `
-- go.mod --
module example.test/m

go 1.26
-- shape/shape.go --
package shape

import "io"

type Node interface{ Pos() int }

type Command interface {
	Node
	command()
}

type base struct{}

func (base) Pos() int { return 0 }

type If struct{ base }

func (*If) command() {}

type Word struct{ base }

type List[T any] struct{ base }

func Walk(n Node, r io.Reader) {
	switch n := n.(type) {
	case nil:
	case *If, Command:
		_ = n
	case List[int]:
	default:
	}
	switch r.(type) {
	case io.Writer, *Word:
	}
	type local struct{ base }
	switch any(n).(type) {
	case local:
	}
}
-- use/use.go --
package use

import "example.test/m/shape"

func Lead(n shape.Node) bool {
	if _, ok := n.(*shape.If); ok {
		return true
	} else if w, ok := n.(*shape.Word); ok && w != nil {
		return true
	}
	_, only := interface{}(n).(shape.Command)
	return only
}

func Sure(c shape.Command) {
	_ = c.(*shape.If)
	_, _ = c.(*shape.Word)
	_, _ = c.(shape.Node)
}

func Again(c shape.Command) {
	if _, ok := c.(*shape.If); ok {
		_, again := c.(*shape.If)
		_ = again
	}
}
`

func TestTypeSwitches(t *testing.T) {
	b := newBench(t, shapes)
	x := b.index(t)
	var got []string
	for _, s := range x.TypeSwitches {
		var asked, cases []string
		for _, m := range s.Subject {
			asked = append(asked, m.Name)
		}
		for _, c := range s.Cases {
			cases = append(cases, b.name(x, c.Type))
		}
		line := fmt.Sprintf("%s %s asks %v of %v", b.short(s.At), s.Enclosing, cases, asked)
		if s.Default {
			line += " default"
		}
		if s.Chain {
			line += " chain"
		}
		got = append(got, line)
	}
	compare(t, got, `
shape/shape.go:25 Walk asks [If Command List] of [Pos] default
shape/shape.go:32 Walk asks [? Word] of [Read]
shape/shape.go:36 Walk asks [local] of []
use/use.go:6 Lead asks [If Word] of [Pos] chain
`)
}

func TestSatisfies(t *testing.T) {
	b := newBench(t, shapes+`
-- other/other.go --
package other

import "example.test/m/shape"

type Impostor struct{ shape.Word }

func (*Impostor) command() {}

type Reader struct{}

func (Reader) Read(buffer []byte) (count int, err error) { return 0, nil }

type Vague struct{}

func (Vague) Pos() missing { return 0 }

type Wrong struct{}

func (Wrong) Pos() string { return "" }

type Source[T any] interface{ Next() []T }

type Numbers struct{}

func (Numbers) Next() []int { return nil }

type Endless[T any] struct{}

func (Endless[T]) Next() []T { return nil }

type Never struct{}

func (Never) Next(int) []int { return nil }
`)
	x := b.index(t)
	var got []string
	for _, i := range x.Types {
		if !i.Interface {
			continue
		}
		var by []string
		for _, typ := range x.Types {
			if !typ.Interface && fact.Satisfies(typ.Methods, i.Methods) {
				by = append(by, typ.Name)
			}
		}
		got = append(got, i.Name+": "+strings.Join(by, " "))
	}
	for _, i := range x.Outside {
		for _, typ := range x.Types {
			if i.Package == "io" && i.Name == "Reader" && fact.Satisfies(typ.Methods, i.Methods) {
				got = append(got, "io.Reader: "+typ.Name)
			}
		}
	}
	compare(t, got, `
Source: Numbers Endless
Node: Impostor Vague base If Word List local
Command: If
io.Reader: Reader
`)
}
