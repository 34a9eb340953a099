package clang

import (
	"strings"
	"testing"

	"tidepool/internal/lexer"
)

// Each line holds a name between « and », and how it is used there.
func TestCUse(t *testing.T) {
	for line, want := range map[string]string{
		`void g() { «f»(1); }`:                                      "call",
		`void g() { x = ns::«f»<int>(1); }`:                         "call",
		`void g() { p->«f»(1); }`:                                   "call",
		`void g() { h(1, «f»); }`:                                   "value passed to h",
		`void g() { o.on(&«f»); }`:                                  "value passed to o.on",
		`void (*p)(void) = «f»;`:                                    "value",
		`struct t table[] = {{"a", «f»}, {"b", g}};`:                "value",
		`void g() { s.«m» = 1; }`:                                   "write",
		`void g() { s->«m»++; }`:                                    "write",
		`void g() { return s->«m» == 1; }`:                          "value",
		`struct s x = {.«m» = 1};`:                                  "initialiser",
		`int a[] = {[«RED»] = 1};`:                                  "key",
		`void g() { switch (c) { case «RED»: break; } }`:            "case",
		`void g() { switch (c) { case ns::Mode::«Fast»: break; } }`: "case",
		`#include "«shape.h»"`:                                      "import",
		`#ifdef «LIMIT»`:                                            "condition",
		`#define «MAX»(a, b) a`:                                     "declaration",
		`struct «node» *n;`:                                         "type",
		`«point_t» p = {1, 2};`:                                     "type",
		`void g(const «Shape» &s);`:                                 "type",
		`std::vector<«Shape»> all;`:                                 "type",
		`int n = sizeof(«point_t»);`:                                "type",
		`void g() { x = («point_t»){1, 2}; }`:                       "new",
		`void g() { auto p = new ns::«Circle»(1); }`:                "new",
		`void g() { return «Square»{1}; }`:                          "new",
		`void g() { x = («node_t» *)p; }`:                           "cast",
		`void g() { x = static_cast<«Circle» *>(p); }`:              "cast",
		`class Circle final : public ns::«Shape» { int i; };`:       "base",
		`class Circle : public A, virtual protected «Shape» {};`:    "base",
		`double «Circle»::area() const { return 1; }`:               "qualifier",
		`// «f»`: "",
	} {
		before, rest, _ := strings.Cut(line, "«")
		name, behind, _ := strings.Cut(rest, "»")
		f := lexer.Parse("a.cpp", []byte(before+name+behind+"\n"))
		u := useOf(f.At(1, len(before)+1))
		got := u.Kind
		if u.Passed != "" {
			got += " passed to " + u.Passed
		}
		if got != want {
			t.Errorf("%s: %q, want %q", line, got, want)
		}
	}
}
