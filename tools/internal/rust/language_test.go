package rust

import (
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tidepool/lsp"
	"tidepool/tools/internal/code"
	"tidepool/tools/internal/toolstest"
)

// onDisk writes a file and returns an inquiry that reads it, and where names are in it.
func onDisk(t *testing.T, name, text string) (*code.Inquiry, func(before, name string) lsp.Symbol) {
	dir, symbol := toolstest.OnDisk(t, name, text)
	return new(code.Memory).Inquiry(nil, dir, func(string) code.Language { return Language() }), symbol
}

func TestRustUse(t *testing.T) {
	for text, want := range map[string]string{
		"fn f() { §area(x) }":                                          "call",
		"fn f() { c.§area() }":                                         "call",
		"fn f() { geo::§area::<f64>(x) }":                              "call",
		"fn f() { let g = §area; }":                                    "value",
		"fn f() { xs.map(§area) }":                                     "value map",
		"fn f() { xs.map(geo::§area) }":                                "value map",
		"use geo::{self, §area};":                                      "import",
		"pub use geo::§area;":                                          "export",
		"pub(crate) use geo::§area;":                                   "export",
		"pub fn §area() {}":                                            "declaration",
		"#[derive(Debug)]\npub struct §Circle { r: f64 }":              "declaration",
		"impl §Shape for Circle {}":                                    "implements",
		"impl<T: §Shape> Show for Wrap<T> {}":                          "type",
		"impl geo::§Shape<f64> for Circle {}":                          "implements",
		"impl Shape for §Circle {}":                                    "type",
		"impl §Circle { fn new() {} }":                                 "type",
		"fn f() { let c = §Circle { r: 1.0 }; }":                       "new",
		"fn f() -> §Circle { g() }":                                    "type",
		"fn f() { let c = §Circle(1.0); }":                             "call",
		"fn f(c: &§Circle) {}":                                         "type",
		"fn f() { §Circle::new() }":                                    "qualifier",
		"fn f() { let v: Vec<§Circle> = g(); }":                        "type",
		"fn f() { match s { Shape::§Round(r) => 1, _ => 2 } }":         "case",
		"fn f() { match s { Shape::Flat | Shape::§Round(_) => 1, } }":  "case",
		"fn f() { match s { Shape::§Round(r) if r > 1 => 1, _ => 2 }}": "case",
		"fn f() { if let Some(Shape::§Round(r)) = s {} }":              "call",
		"fn f() { if let Shape::§Round(r) = s {} }":                    "case",
		"fn f() { matches!(s, Shape::§Round(_)) }":                     "case",
		"fn f() { §println!(\"x\") }":                                  "call",
		"fn f() { x as §Id }":                                          "cast",
		"fn f() { s.§size = 3; }":                                      "write",
		"// §area":                                                     "",
		"fn f() { \"§area\" }":                                         "",
	} {
		_, at := toolstest.Mark(t, "a.rs", text)
		u := useOf(at)
		if got := strings.TrimSpace(u.Kind + " " + u.Passed); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
		if u.Called != (u.Kind == "call" || u.Kind == "new") {
			t.Errorf("%q: called is %v", text, u.Called)
		}
	}
}

// A name of one letter ends where the next token begins.
func TestRustShortNames(t *testing.T) {
	q, symbol := onDisk(t, "a.rs", "struct T{x:i32}\nenum E{A(i32)}\ntrait S{fn g(&self)->i32;}\nfn f()->T{h(f);f();T{x:1}}\nfn r#in(){r#in()}\n")
	for _, tt := range []struct{ before, name, want string }{
		{"fn ", "f", "declaration"},
		{"h(", "f", "value h"},
		{";", "f", "call"},
		{"->", "T", "type"},
		{"();", "T", "new"},
		{"trait ", "S", "declaration"},
		{"(){", "r#in", "call"},
	} {
		u, err := use(t.Context(), q, symbol(tt.before, tt.name).Location)
		if got := strings.TrimSpace(u.Kind + " " + u.Passed); err != nil || got != tt.want {
			t.Errorf("%s%s: got %q, %v; want %q", tt.before, tt.name, got, err, tt.want)
		}
	}
	if item, ok := itemOf(q, symbol("struct ", "T").Location); !ok || item.keyword != "struct" {
		t.Errorf("struct T: %+v, %v", item, ok)
	}
	if trait := abstract(t.Context(), q, symbol("fn ", "g").Location); trait != "S" {
		t.Errorf("g is of the trait %q, want S", trait)
	}
}

func TestRustMatch(t *testing.T) {
	_, at := toolstest.Mark(t, "a.rs", "fn f() {\n  let n =\n    match g(s) {\n      Shape::§Round(_) => 1,\n    };\n}")
	if line := match(at).Line(); line != 3 {
		t.Errorf("the match starts at line %d", line)
	}
	_, at = toolstest.Mark(t, "a.rs", "#[cfg(test)]\nmod tests { fn g() { §area() } }")
	if !inTests(at) {
		t.Error("mod tests is no test")
	}
}

const source = `/// A shape.
/// Round or not.
#[derive(Debug, Clone)]
pub enum Shape<'a> {
    /// with a radius
    Round(f64, HashMap<String, u32>),
    #[serde(skip)]
    Flat,
    Named { name: &'a str, sides: u8 },
    Coded = 7,
}

/// What is drawn on.
pub struct Canvas<T: Default> where T: Copy {
    /// how it is filled
    pub background: Option<Box<dyn Fn(u8) -> T>>,
    pub(crate) size: (u32, u32),
    cells: Vec<Vec<T>>,
}

struct Meters(pub f64, HashMap<u8, u8>);
struct Nothing;
union Bits { whole: u32, half: [u16; 2] }

pub trait Drawn: Sized {
    const SIDES: u8;
    /// Draws it.
    fn draw(&self, on: &mut Canvas<u8>) -> Result<(), Error>;
    fn name(&self) -> String { "x".into() }
}

impl<T: Default + Copy> Canvas<T> {
    pub fn new(size: (u32, u32)) -> Self { todo!() }
    pub fn parse(text: &str) -> Result<Canvas<T>, Error> { todo!() }
    fn area(&self) -> u32 { 0 }
}

pub fn open(path: &str) -> io::Result<Canvas<u8>> { todo!() }
`

func TestRustFields(t *testing.T) {
	q, symbol := onDisk(t, "lib.rs", source)
	tests := []struct {
		before, name string
		kind         string
		want         []string
		problem      string
	}{
		{"pub struct ", "Canvas", "struct", []string{
			"background Option<Box<dyn Fn(u8) -> T>> // how it is filled", "size (u32, u32)", "cells Vec<Vec<T>>"}, ""},
		{"struct ", "Meters", "struct", []string{"0 f64", "1 HashMap<u8, u8>"}, ""},
		{"struct ", "Nothing", "struct", nil, ""},
		{"union ", "Bits", "union", []string{"whole u32", "half [u16; 2]"}, ""},
		{"pub enum ", "Shape", "enum", nil, "Shape is an enum with 4 variants, not a struct; show_constructors lists them"},
		{"pub trait ", "Drawn", "trait", []string{"draw func(&self, on: &mut Canvas<u8>) -> Result<(), Error> // Draws it.", "name func(&self) -> String"},
			"Drawn is a trait, not a struct: it has methods, no fields"},
	}
	for _, tt := range tests {
		out := &code.Record{}
		if err := fields(t.Context(), q, symbol(tt.before, tt.name), out); err != nil {
			t.Errorf("%s: %v", tt.name, err)
			continue
		}
		var got []string
		for _, f := range out.Fields {
			got = append(got, strings.TrimSuffix(f.Name+" "+f.Type+" // "+f.Doc, " // "))
		}
		for _, m := range out.Methods {
			got = append(got, strings.TrimSuffix(m.Name+" "+m.Type+" // "+m.Doc, " // "))
		}
		if diff := cmp.Diff(tt.want, got); diff != "" || out.Kind != tt.kind || out.Problem != tt.problem {
			t.Errorf("%s is a %s, %q %s", tt.name, out.Kind, out.Problem, diff)
		}
	}
	if err := fields(t.Context(), q, symbol("pub fn ", "open"), &code.Record{}); err != nil {
		t.Error(err)
	}
}

func TestRustVariantsAndFunctions(t *testing.T) {
	q, symbol := onDisk(t, "lib.rs", source)
	shape, ok := itemOf(q, symbol("pub enum ", "Shape").Location)
	if !ok || shape.doc() != "A shape. Round or not." {
		t.Fatalf("got %+v, %q", shape, shape.doc())
	}
	var got []string
	for _, c := range shape.variants() {
		got = append(got, c.Shown+" / "+strings.Join(c.Fields, " & "))
	}
	want := []string{
		"Round(f64, HashMap<String, u32>) / f64 & HashMap<String, u32>", "Flat / ", "Named { name: &'a str, sides: u8 } / &'a str & u8", "Coded = 7 / ",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	made := maker{q: q, name: "Canvas", seen: make(map[code.Spot]bool)}
	for _, before := range []string{"on: &mut ", "impl<T: Default + Copy> ", "Result<", "io::Result<"} {
		if err := made.reference(symbol(before, "Canvas").Location); err != nil {
			t.Fatal(err)
		}
	}
	got = nil
	for _, c := range made.functions {
		got = append(got, c.Shown)
	}
	want = []string{
		"fn Canvas::new(size: (u32, u32)) -> Self", "fn Canvas::parse(text: &str) -> Result<Canvas<T>, Error>", "fn open(path: &str) -> io::Result<Canvas<u8>>",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestRustNamed(t *testing.T) {
	for name, want := range map[string]string{
		"impl Circle": "Circle", "impl<T> Show for Wrap<T>": "Wrap", "impl Shape for geo::Circle": "Circle", "impl<'a> Show for &'a Circle": "Circle", "implant": "implant",
	} {
		if got, _ := named(lsp.DocumentSymbol{Name: name, Kind: lsp.KindOther}); got != want {
			t.Errorf("%q is %q, want %q", name, got, want)
		}
	}
}

func TestRustTraits(t *testing.T) {
	q, symbol := onDisk(t, "lib.rs", source)
	for name, want := range map[string]string{"draw": "Drawn", "name": "", "area": ""} {
		if got := abstract(context.Background(), q, symbol("fn ", name).Location); got != want {
			t.Errorf("%s has no body in %q, want %q", name, got, want)
		}
	}
	_, at := toolstest.Mark(t, "a.rs", "impl<T> geo::Drawn<T> for Wrap<T> { fn §draw(&self) {} }")
	if got := traitOf(at.Outer()).Text(); got != "Drawn" {
		t.Errorf("the trait is %q", got)
	}
	_, at = toolstest.Mark(t, "a.rs", "impl<T> Wrap<T> { fn §draw(&self) {} }")
	if got := traitOf(at.Outer()).Text(); got != "" {
		t.Errorf("an impl without a trait has %q", got)
	}
}
