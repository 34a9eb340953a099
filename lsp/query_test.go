package lsp

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const shop = `
-- go.mod --
module example.com/shop

go 1.26
-- cart/cart.go --
// Package cart holds what people buy.
package cart

// A Store keeps carts.
type Store interface {
	Save(c *Cart) error
}

// A Cart is full.
type Cart struct {
	Items int
	owner struct{ Name string }
}

// Save saves.
func (c *Cart) Save() {}

type List[T any] struct{ all []T }

func (l *List[T]) Push(v T) { l.all = append(l.all, v) }

type Visitor func(*Cart)

type Color int

const Red Color = 1

var Default = New()

func New() *Cart { return &Cart{} }
-- main.go --
package main

import "example.com/shop/cart"

type disk struct{}

func (disk) Save(c *cart.Cart) error { c.Save(); return nil }

func main() {
	c := cart.New()
	/* ü😀 */ c.Save()
	var s cart.Store = disk{}
	s.Save(c)
}
`

func briefly(dir string, at Location) string {
	name, err := filepath.Rel(dir, at.Path)
	if err != nil {
		name = at.Path
	}
	return fmt.Sprintf("%s:%d:%d", filepath.ToSlash(name), at.Range.Start.Line, at.Range.Start.Column)
}

func TestSymbols(t *testing.T) {
	t.Parallel()
	p, dir := project(t, shop)
	v := view(t, p)
	tests := []struct {
		query string
		want  []string // kind package receiver name place
	}{
		{"New", []string{"function example.com/shop/cart  New cart/cart.go:30:6"}},
		{"cart.New", []string{"function example.com/shop/cart  New cart/cart.go:30:6"}},
		{"Cart.Save", []string{"method example.com/shop/cart Cart Save cart/cart.go:16:16"}},
		{"cart.Cart.Save", []string{"method example.com/shop/cart Cart Save cart/cart.go:16:16"}},
		{"Save", []string{
			"method example.com/shop disk Save main.go:7:13",
			"method example.com/shop/cart Cart Save cart/cart.go:16:16",
			"method example.com/shop/cart Store Save cart/cart.go:6:2",
		}},
		{"Store", []string{"interface example.com/shop/cart  Store cart/cart.go:5:6"}},
		{"Items", []string{"field example.com/shop/cart Cart Items cart/cart.go:11:2"}},
		{"owner.Name", []string{"field example.com/shop/cart Cart.owner Name cart/cart.go:12:16"}},
		{"List", []string{"struct example.com/shop/cart  List cart/cart.go:18:6"}},
		{"List.Push", []string{"method example.com/shop/cart List Push cart/cart.go:20:19"}},
		{"Visitor", []string{"type example.com/shop/cart  Visitor cart/cart.go:22:6"}},
		{"Color", []string{"type example.com/shop/cart  Color cart/cart.go:24:6"}},
		{"Red", []string{"constant example.com/shop/cart  Red cart/cart.go:26:7"}},
		{"Default", []string{"variable example.com/shop/cart  Default cart/cart.go:28:5"}},
		{"disk", []string{"struct example.com/shop  disk main.go:5:6"}},
		{"Visiter", nil},
		{"visit", []string{"type example.com/shop/cart  Visitor cart/cart.go:22:6"}}, // nothing exact: the nearest
	}
	for _, test := range tests {
		found, err := v.Symbols(t.Context(), test.query)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, s := range found {
			got = append(got, fmt.Sprint(s.Kind, " ", s.Package, " ", s.Receiver, " ", s.Name, " ", briefly(dir, s.Location)))
		}
		slices.Sort(got)
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("Symbols(%q): %s", test.query, diff)
		}
	}
	if c := v.Completeness(); c.State != Complete {
		t.Errorf("completeness %+v", c)
	}
}

func TestPlaces(t *testing.T) {
	t.Parallel()
	p, dir := project(t, shop)
	v := view(t, p)
	save, iface := one(t, v, "Cart.Save").Location, one(t, v, "Store.Save").Location
	use := At(filepath.Join(dir, "main.go"), 11, 19) // c.Save behind ü😀
	if got := one(t, v, "main.main").Location; briefly(dir, got) != "main.go:9:6" {
		t.Fatalf("main at %s", briefly(dir, got))
	}
	tests := []struct {
		name string
		ask  func() ([]Location, error)
		want []string
	}{
		{"references", func() ([]Location, error) { return v.References(t.Context(), save, false) },
			[]string{"main.go:11:17", "main.go:7:42"}},
		{"references and declaration", func() ([]Location, error) { return v.References(t.Context(), save, true) },
			[]string{"cart/cart.go:16:16", "main.go:11:17", "main.go:7:42"}},
		{"definition", func() ([]Location, error) { return v.Definition(t.Context(), use) },
			[]string{"cart/cart.go:16:16"}},
		{"type definition", func() ([]Location, error) { return v.TypeDefinition(t.Context(), At(use.Path, 11, 15)) },
			[]string{"cart/cart.go:10:6"}},
		{"implementations", func() ([]Location, error) { return v.Implementations(t.Context(), iface) },
			[]string{"main.go:7:13"}},
	}
	for _, test := range tests {
		list, err := test.ask()
		got := brief(dir, list)
		slices.Sort(got)
		if diff := cmp.Diff(test.want, got); err != nil || diff != "" {
			t.Errorf("%s: %v %s", test.name, err, diff)
		}
	}
}

func TestCalls(t *testing.T) {
	t.Parallel()
	p, dir := project(t, shop)
	v := view(t, p)
	outgoing, err := v.OutgoingCalls(t.Context(), one(t, v, "main.main").Location)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"Cart.Save method example.com/shop/cart cart/cart.go:16:16 from [main.go:11:17]",
		"New function example.com/shop/cart cart/cart.go:30:6 from [main.go:10:12]",
		"Save method example.com/shop/cart cart/cart.go:6:2 from [main.go:13:4]",
	}
	if diff := cmp.Diff(want, briefCalls(dir, outgoing)); diff != "" {
		t.Errorf("outgoing: %s", diff)
	}
}

func briefCalls(dir string, calls []Call) []string {
	var out []string
	for _, c := range calls {
		name := strings.TrimPrefix(c.Caller.Receiver+"."+c.Caller.Name, ".")
		out = append(out, fmt.Sprint(name, " ", c.Caller.Kind, " ", c.Caller.Package, " ",
			briefly(dir, c.Caller.Location), " from ", brief(dir, c.Sites)))
	}
	slices.Sort(out)
	return out
}

func TestHoverAndOutline(t *testing.T) {
	t.Parallel()
	p, _ := project(t, shop)
	v := view(t, p)
	hover, err := v.Hover(t.Context(), one(t, v, "Cart").Location)
	if err != nil || !strings.Contains(hover, "A Cart is full.") {
		t.Errorf("hover %q, %v", hover, err)
	}
	outline, err := v.DocumentSymbols(t.Context(), "cart/cart.go") // relative to the project
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, s := range outline {
		names = append(names, s.Name)
	}
	want := []string{"Store", "Cart", "(*Cart).Save", "List", "(*List[T]).Push", "Visitor", "Color", "Red", "Default", "New"}
	if diff := cmp.Diff(want, names); diff != "" {
		t.Error(diff)
	}
	if len(outline[1].Children) != 2 || outline[1].Children[0].Name != "Items" {
		t.Errorf("children of Cart: %+v", outline[1].Children)
	}
}
