package generic

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tidepool/internal/lexer"
	"tidepool/lsp"
	"tidepool/tools/internal/query"
	"tidepool/tools/internal/toolstest"
)

// onDisk writes a file and returns a query that reads it, and where names are in it.
func onDisk(t *testing.T, name, text string) (*query.Query, func(before, name string) lsp.Symbol) {
	dir, symbol := toolstest.OnDisk(t, name, text)
	return new(query.Memory).Query(nil, dir, func(string) query.Language { return Rust().Language }), symbol
}

// checkUses asks for the use of the name behind § in each text.
func checkUses(t *testing.T, r reader, file string, uses map[string]string) {
	t.Helper()
	for text, want := range uses {
		_, at := toolstest.Mark(t, file, text)
		u := r.useOf(at)
		if got := strings.TrimSpace(u.Kind + " " + u.Passed); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
		if u.Called != (u.Kind == "call" || u.Kind == "new") || u.Taken != (u.Kind == "value") {
			t.Errorf("%q: called %v, taken %v", text, u.Called, u.Taken)
		}
	}
}

func TestRustUse(t *testing.T) {
	checkUses(t, rust(), "a.rs", map[string]string{
		"fn f() { §area(x) }":                                          "call",
		"fn f() { c.§area() }":                                         "call",
		"fn f() { a.§union(b) }":                                       "call",
		"fn f() { geo::§area::<f64>(x) }":                              "call",
		"fn f() { let g = §area; }":                                    "value",
		"fn f() { let g = [§area, b]; }":                               "value",
		"fn f() { xs.map(§area) }":                                     "value map",
		"fn f() { xs.map(geo::§area) }":                                "value map",
		"fn f() { xs.fold(0, §area) }":                                 "value fold",
		"fn f() { xs.map(1 + c.§size) }":                               "value",
		"use geo::{self, §area};":                                      "import",
		"#![allow(x)]\nuse geo::§area;":                                "import",
		"use {std::fmt, geo::{self, §area as size}};":                  "import",
		"use {std::fmt, geo::{self, area as §size}};":                  "import",
		"extern crate geo as §shapes;":                                 "import",
		"pub use geo::§area;":                                          "export",
		"pub(crate) use geo::§area;":                                   "export",
		"pub fn §area() {}":                                            "declaration",
		"#[derive(Debug)]\npub struct §Circle { r: f64 }":              "declaration",
		"struct Circle { pub §r: f64 }":                                "declaration",
		"enum Shape { Flat, §Round(f64) }":                             "declaration",
		"struct Circle { r: Vec<§Meters> }":                            "type",
		"enum Shape { Flat, Round(§Meters) }":                          "type",
		"impl §Shape for Circle {}":                                    "implements",
		"impl<T: §Shape> Show for Wrap<T> {}":                          "type",
		"impl geo::§Shape<f64> for Circle {}":                          "implements",
		"impl Shape for §Circle {}":                                    "type",
		"impl §Circle { fn new() {} }":                                 "type",
		"fn f() { let c = §Circle { r: 1.0, g }; }":                    "new",
		"fn f() -> §Circle { g() }":                                    "type",
		"fn f() { let c = §Circle(1.0); }":                             "call",
		"fn f(c: &§Circle) {}":                                         "type",
		"type Short = §Circle;":                                        "type",
		"pub type §Short = Circle;":                                    "declaration",
		"fn f() { §Circle::new() }":                                    "qualifier",
		"fn f() { let v: Vec<§Circle> = g(); }":                        "type",
		"fn f() { let v = Vec::<§Circle>::new(); }":                    "type",
		"fn f() { §println!(\"x\") }":                                  "call",
		"fn f() { x as §Id }":                                          "cast",
		"fn f() { match s { A => { 1 } Shape::§Flat => 1, } }":         "case",
		"fn f() { if let Shape::§Round(r) = s {} }":                    "case",
		"fn f() { match s { Shape::§Round(r) => 1, _ => 2 } }":         "case",
		"fn f() { match s { Shape::§Round(r) if r > 1 => 1, _ => 2 }}": "case",
		"fn f() { s.§size = 3; }":                                      "write",
		"// §area":                                                     "",
	})
}

// What the shape of the code leaves open is unknown.
func TestRustUseIsUnknown(t *testing.T) {
	unknown := make(map[string]string)
	for _, text := range []string{
		"fn f() { if let Some(Shape::§Round(r)) = s {} }",             // looks like a call
		"fn f() { match s { Some(Shape::§Round(r)) => 1 } }",          // and so does this
		"fn f() { match s { Shape::Flat | Shape::§Round(_) => 1, } }", // or a flag in a condition
		"fn f() { match s { x if x == A | §B => 1, _ => 2 } }",        //
		"fn f() { match unsafe { s } { Shape::§Round(r) => 1 } }",     // the brace may be of anything
		"fn f(§Circle(r): Circle) {}",                                 // a pattern
		"fn f() { xs.map(|a, §Circle(r)| r) }",                        // a pattern
		"fn f() { xs.map(|§Circle(r)| r) }",                           // a pattern
		"fn f() { g(a, §Circle(1.0)) }",                               // the same but for the bars
		"fn f() { let (a, §Circle(r)) = g(); }",                       // a pattern
		"fn f() { for §Circle(r) in cs {} }",                          // a pattern
		"fn f() { matches!(s, Shape::§Round(_)) }",                    // a macro may do anything
		"fn f() { route!(GET => §area(x)) }",                          // a macro may do anything
		"#[test_case(§area(1))]\nfn f() {}",                           // an attribute may, too
		"fn f() { let c = Circle { r: §Meters }; }",                   // a value where a type would stand
		"fn f() { while let Some(x) = §LIMIT { x } }",                 // a constant before a block
		"fn f() { let c = §Circle { r }; }",                           // could be that
		"fn f() { let c = Circle { §r: 1.0 }; }",                      //
		"impl !§Send for Circle {}",                                   //
		"fn f() { <Circle as §Shape>::area(c) }",                      // no conversion
		"fn f() { a < §LIMIT }",                                       //
		"fn f() { let x = &'a' ; \"{§area}\" }",                       //
		"fn f() { match xs.map(|x| { §Round(x) }) { _ => 1 } }",       // a block, not alternatives
		"fn f() { match x {} Foo { §LIMIT } }",                        // the brace is of another statement
		"fn f() { match unsafe { §LIMIT } { _ => 1 } }",               //
		"fn f() { x as *const §Circle }",                              // no constant
		"fn f() { match n { 0..§LIMIT => 1, _ => 2 } }",               //
		"fn f(i: impl Iterator<Item = §Circle>) {}",                   //
		"fn f() -> Result<Vec<u8>, §Circle> { g() }",                  //
		"fn f(c: *const §Circle) {}",                                  //
		"fn f() { g(§Circle(1.0)) }",                                  //
		"fn f() { g(§Circle { r: 1.0 }) }",                            //
		"fn f(c: &'static mut §Circle) {}",                            //
	} {
		unknown[text] = query.Unknown
	}
	checkUses(t, rust(), "a.rs", unknown)
}

// A name of one letter ends where the next token begins.
func TestRustShortNames(t *testing.T) {
	q, symbol := onDisk(t, "a.rs", "struct T{x:i32}\nenum E{A(i32)}\ntrait S{fn g(&self)->i32;}\nfn f()->T{h(f);f();return T{x:1}}\nfn r#in(){r#in()}\n")
	for _, tt := range []struct{ before, name, want string }{
		{"fn ", "f", "declaration"}, {"h(", "f", "value h"}, {";", "f", "call"}, {"->", "T", "type"}, {"return ", "T", "new"},
		{"trait ", "S", "declaration"}, {"(){", "r#in", "call"},
	} {
		u, err := rust().use(t.Context(), q, symbol(tt.before, tt.name).Location)
		if got := strings.TrimSpace(u.Kind + " " + u.Passed); err != nil || got != tt.want {
			t.Errorf("%s%s: got %q, %v; want %q", tt.before, tt.name, got, err, tt.want)
		}
	}
}

func TestRustMatch(t *testing.T) {
	q, symbol := onDisk(t, "a.rs", "fn f() {\n  let n =\n    match g(s) {\n      Shape::Round(_) => 1,\n    };\n}\n")
	if u, err := rust().use(t.Context(), q, symbol("::", "Round").Location); err != nil || u.Whole.Range.Start.Line != 3 {
		t.Errorf("the match starts at %v, %v", u.Whole, err)
	}
}

// What a module of tests holds is used by tests.
func TestRustInTests(t *testing.T) {
	q, symbol := onDisk(t, "a.rs", "#[cfg(test)]\nmod tests { fn g() { area() } }")
	if u, err := rust().use(t.Context(), q, symbol("{ ", "area").Location); err != nil || !u.Test || u.Kind != "call" {
		t.Errorf("in mod tests: %+v, %v", u, err)
	}
}

const rustSource = `/// A shape.
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

// shown lists what show_fields has of a type.
func shown(t *testing.T, r reader, q *query.Query, symbol lsp.Symbol) (out query.Record, lines []string) {
	t.Helper()
	if err := r.fields(t.Context(), q, symbol, &out); err != nil {
		t.Fatalf("%s: %v", symbol.Name, err)
	}
	for _, f := range out.Fields {
		line := fmt.Sprintf("%d %s %s", f.Line, f.Name, f.Type)
		if f.Strict && r.layout {
			line += " strict"
		}
		lines = append(lines, strings.TrimSuffix(line+" // "+f.Doc, " // "))
	}
	for _, m := range out.Methods {
		lines = append(lines, strings.TrimSuffix(fmt.Sprintf("%d %s %s // %s", m.Line, m.Name, m.Type, m.Doc), " // "))
	}
	return out, lines
}

func TestRustFields(t *testing.T) {
	q, symbol := onDisk(t, "lib.rs", rustSource)
	for _, tt := range []struct {
		before, name, kind string
		want               []string
		problem            string
	}{
		{"pub struct ", "Canvas", "struct", []string{
			"16 background Option<Box<dyn Fn(u8) -> T>> // how it is filled", "17 size (u32, u32)", "18 cells Vec<Vec<T>>"}, ""},
		{"struct ", "Meters", "struct", []string{"21 0 f64", "21 1 HashMap<u8, u8>"}, ""},
		{"struct ", "Nothing", "struct", nil, ""},
		{"union ", "Bits", "union", []string{"23 whole u32", "23 half [u16; 2]"}, ""},
		{"pub enum ", "Shape", "enum", nil, "Shape is no record; show_constructors lists its 4 variants"},
	} {
		out, got := shown(t, rust(), q, symbol(tt.before, tt.name))
		if diff := cmp.Diff(tt.want, got); diff != "" || out.Kind != tt.kind || out.Problem != tt.problem {
			t.Errorf("%s is a %s, %q %s", tt.name, out.Kind, out.Problem, diff)
		}
	}
	if c := q.Doubted(lsp.Completeness{State: lsp.Complete}); c.State != lsp.Complete {
		t.Errorf("all of it is read, but the answer is %v", c)
	}
	if err := rust().fields(t.Context(), q, symbol("pub fn ", "open"), &query.Record{}); err == nil {
		t.Error("a function has fields")
	}
}

// What is not read is shown as it is written, and the answer is partial.
func TestRustAliasIsNotRead(t *testing.T) {
	q, symbol := onDisk(t, "lib.rs", "/// A map.\npub type Names<K> =\n    HashMap<K, String>;\nstruct Odd { macro_fields!() }\ntrait Drawn { fn draw(&self); }\n")
	for _, tt := range []struct{ before, name, problem string }{
		{"type ", "Names", "Names is not read, but shown as it is written: pub type Names<K> = HashMap<K, String>;"},
		{"struct ", "Odd", "Odd is not read, but shown as it is written: struct Odd { macro_fields!() }"},
		{"trait ", "Drawn", "Drawn is not read, but shown as it is written: trait Drawn { fn draw(&self); }"},
	} {
		out, fields := shown(t, rust(), q, symbol(tt.before, tt.name))
		if out.Problem != tt.problem || len(fields) > 0 || out.IsRecord {
			t.Errorf("got %q %v", out.Problem, fields)
		}
	}
	c := q.Doubted(lsp.Completeness{State: lsp.Complete})
	if c.State != lsp.Partial || c.Reason != "the declaration of Names is not read; the declaration of Odd is not read; the declaration of Drawn is not read" {
		t.Errorf("got %+v", c)
	}
}

func TestRustVariants(t *testing.T) {
	q, symbol := onDisk(t, "lib.rs", rustSource)
	shape, h, _, err := rust().asked(q, symbol("pub enum ", "Shape"))
	if err != nil || h.Doc != "A shape. Round or not." {
		t.Fatalf("got %+v, %v", h, err)
	}
	var got []string
	for _, c := range rust().made(shape) {
		got = append(got, strings.TrimSuffix(c.Shown+" / "+strings.Join(c.Fields, " & ")+" // "+c.Doc, " // "))
	}
	want := []string{
		"Round(f64, HashMap<String, u32>) / f64 & HashMap<String, u32> // with a radius", "Flat / ",
		"Named { name: &'a str, sides: u8 } / &'a str & u8", "Coded = 7 / ",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestRustNamed(t *testing.T) {
	for name, want := range map[string]string{
		"impl Circle": "Circle", "impl<T> Show for Wrap<T>": "Wrap", "impl Shape for geo::Circle": "Circle", "impl<'a> Show for &'a Circle": "Circle", "implant": "implant",
	} {
		if got, _ := implNamed(lsp.DocumentSymbol{Name: name, Kind: lsp.KindOther}); got != want {
			t.Errorf("%q is %q, want %q", name, got, want)
		}
	}
}

func TestRustTraits(t *testing.T) {
	q, symbol := onDisk(t, "lib.rs", rustSource)
	for name, want := range map[string]string{"draw": "Drawn", "name": "", "area": ""} {
		if got := rust().abstract(t.Context(), q, symbol("fn ", name).Location); got != want {
			t.Errorf("%s has no body in %q, want %q", name, got, want)
		}
	}
}

// The calls of a method whose use is unknown are listed apart, and those through its trait are said to be missing.
func TestRustCallsThatAreNotRead(t *testing.T) {
	q, symbol := onDisk(t, "a.rs", "impl Drawn for Wrap { fn draw(&self) {} }\nimpl Wrap { fn own(&self) {} }\nfn f() { w.draw(); route!(w.draw) }\n")
	for _, tt := range []struct{ name, want string }{
		{"draw", "how draw is used at 1 place is unknown; calls of draw through its trait are not looked for"}, {"own", ""},
	} {
		q := *q
		found := query.CallSites{References: 2}
		places := []lsp.Location{symbol("{ w.", "draw").Location, symbol("(w.", "draw").Location}
		if tt.want == "" {
			places = places[:1]
		}
		if _, err := rust().unread(t.Context(), &q, symbol("fn ", tt.name), places, &found); err != nil {
			t.Fatal(err)
		}
		if c := q.Doubted(lsp.Completeness{State: lsp.Complete}); c.Reason != tt.want || len(found.Unresolved) != len(places)-1 || found.References != 3-len(places) {
			t.Errorf("%s: got %+v, %+v", tt.name, c, found)
		}
	}
}

// Text that breaks off anywhere is read somehow.
func TestBrokenText(t *testing.T) {
	for file, source := range map[string]string{"a.rs": rustSource, "a.hs": haskellSource} {
		r := rust()
		if file == "a.hs" {
			r = haskell()
		}
		for end := 0; end < len(source); end += 11 {
			for _, at := range lexer.Parse(file, []byte(source[:end])).Tokens() {
				r.useOf(at)
				if d, ok := r.declaration(at); ok {
					r.listed(d)
					r.made(d)
				}
			}
		}
	}
}
