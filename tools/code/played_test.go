package code

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"tidepool/lsp"
	"tidepool/lsp/lsptest"
	"tidepool/scout"
	"tidepool/tools"
	"tidepool/tools/internal/graph"
	"tidepool/tools/internal/lang/langtest"
	"tidepool/tools/internal/toolstest"
)

// played is a project in a language whose server is played: script says what it answers, with DIR for the directory's
// URI.
func played(t *testing.T, id, files, script string) *Toolset {
	t.Helper()
	dir, parts := t.TempDir(), filepath.Join(t.TempDir(), "parts")
	lsptest.Put(t, parts, strings.ReplaceAll(script, "DIR", "file://"+dir))
	return over(toolstest.Serve(t, dir, id, files, lsptest.Command(lsptest.Plays(parts))...))
}

// graphOf is the same project as scout walks it.
func graphOf(t *testing.T, c *Toolset) *graph.Graph {
	t.Helper()
	s := langtest.Subject{Tree: toolstest.Tree{Project: c.Project, Root: c.Root}}
	return s.Walk(t)
}

// wire is a range on the wire within a line, both counted from 0.
func wire(line, from, to int) string {
	return fmt.Sprintf(`{"start":{"line":%d,"character":%d},"end":{"line":%d,"character":%d}}`, line, from, line, to)
}

func location(file, span string) string { return `{"uri":"DIR/` + file + `","range":` + span + `}` }

// What rust-analyzer answers about a function of an impl: symbols without a container's crate, an outline of impls.
func TestPlayedRust(t *testing.T) {
	const files = `-- Cargo.toml --
[package]
-- src/shape.rs --
pub struct Circle { pub r: f64 }

impl Circle {
    pub fn area(&self) -> f64 { self.r }
}
-- src/main.rs --
mod shape;
use shape::Circle;

fn main() {
    let c = Circle { r: 1.0 };
    println!("{}", c.area());
    let all: Vec<f64> = vec![c].iter().map(Circle::area).collect();
}
`
	references := "[" + location("src/main.rs", wire(5, 21, 25)) + "," + location("src/main.rs", wire(6, 51, 55)) + "]"
	c := played(t, "rust", files, `initialized => experimental/serverStatus {"health":"ok","quiescent":false}
* => experimental/serverStatus {"health":"ok","quiescent":true}
workspace/symbol -> [{"name":"area","kind":6,"containerName":"Circle","location":`+location("src/shape.rs", wire(3, 11, 15))+`}]
textDocument/implementation -> []
textDocument/references -> `+references+`
textDocument/documentSymbol -> [{"name":"main","kind":12,"range":{"start":{"line":3,"character":0},"end":{"line":7,"character":1}},"selectionRange":`+wire(3, 3, 7)+`}]
`)
	out, err := c.FindCallers(t.Context(), tools.Call{}, FindCallersInput{Name: "Circle::area", MaxResults: 50})
	if err != nil {
		t.Fatal(err)
	}
	want := `Circle::area (src/shape.rs:4): 1 call and 1 value in 1 file
src/main.rs:6: println!("{}", c.area());  ← in main
src/main.rs:7: let all: Vec<f64> = vec![c].iter().map(Circle::area).collect();  ← in main, value, passed to map`
	if out.Text() != want || out.Completeness.State != lsp.Complete {
		t.Errorf("got %s", out.Text())
	}
}

// What stands where the syntax does not tell is listed apart, makes the answer partial, and is no more than a reference.
func TestPlayedRustUnread(t *testing.T) {
	const files = `-- Cargo.toml --
[package]
-- src/main.rs --
pub struct Names(Vec<String>);
pub type Short = Names;
fn area(x: f64) -> f64 { x }
fn main() {
    area(1.0);
    route!(GET => area(2.0));
}
`
	at := func(span string) string { return location("src/main.rs", span) }
	c := played(t, "rust", files, `initialized => experimental/serverStatus {"health":"ok","quiescent":false}
* => experimental/serverStatus {"health":"ok","quiescent":true}
workspace/symbol -> [{"name":"area","kind":12,"location":`+at(wire(2, 3, 7))+`}]
textDocument/references -> [`+at(wire(4, 4, 8))+","+at(wire(5, 18, 22))+`]
textDocument/documentSymbol -> [{"name":"area","kind":12,"range":`+wire(2, 0, 28)+`,"selectionRange":`+wire(2, 3, 7)+`},`+
		`{"name":"main","kind":12,"range":{"start":{"line":3,"character":0},"end":{"line":6,"character":1}},"selectionRange":`+wire(3, 3, 7)+`}]
workspace/symbol -> [{"name":"Short","kind":26,"location":`+at(wire(1, 9, 14))+`}]
workspace/symbol -> [{"name":"Names","kind":23,"location":`+at(wire(0, 11, 16))+`}]
textDocument/references -> [`+at(wire(4, 4, 8))+","+at(wire(5, 18, 22))+`]
`)
	callers, err := c.FindCallers(t.Context(), tools.Call{}, FindCallersInput{Name: "area", MaxResults: 50})
	if err != nil {
		t.Fatal(err)
	}
	want := `area (src/main.rs:3): 1 call in 1 file
src/main.rs:5: area(1.0);  ← in main
1 mention of the name that may be calls; their syntax is not read:
  src/main.rs:6: route!(GET => area(2.0));
(partial: how area is used at 1 place is unknown)`
	if callers.Text() != want {
		t.Errorf("got %s", callers.Text())
	}
	fields, err := c.ShowFields(t.Context(), tools.Call{}, ShowFieldsInput{TypeName: "Short"})
	if err != nil {
		t.Fatal(err)
	}
	want = `src/main.rs:2: Short, type
Short is not read, but shown as it is written: pub type Short = Names;
(partial: the declaration of Short is not read)`
	if fields.Text() != want {
		t.Errorf("got %s", fields.Text())
	}
	made, err := c.ShowConstructors(t.Context(), tools.Call{}, ShowConstructorsInput{TypeName: "Names"})
	if err != nil {
		t.Fatal(err)
	}
	want = `src/main.rs:1: Names, struct
what else makes Names is not looked for
(partial: what else makes Names is not looked for)`
	if made.Text() != want {
		t.Errorf("got %s", made.Text())
	}
	edges, err := graphOf(t, c).Edges(t.Context(), scout.Node{Name: "area", Kind: "function", Path: "src/main.rs", Line: 3, Column: 4}, scout.Change{})
	if err != nil || len(edges) != 2 || edges[0].Role != scout.RoleCall || edges[1].Role != scout.RoleReference {
		t.Errorf("got %+v, %v", edges, err)
	}
}

// What haskell-language-server answers about data: an outline in which declarations are their own names.
func TestPlayedHaskell(t *testing.T) {
	const files = `-- store.cabal --
-- src/Store.hs --
module Store where

data Order = Order { number :: !Int } | Gift

total :: Order -> Int
total (Order n) = n
total Gift = 0
`
	span := `{"start":{"line":2,"character":0},"end":{"line":2,"character":44}}`
	outline := `[{"name":"Store","kind":1,"range":{"start":{"line":0,"character":0},"end":{"line":2147483647,"character":0}},"selectionRange":` + wire(0, 7, 12) +
		`,"children":[{"name":"Order","kind":23,"range":` + span + `,"selectionRange":` + span + `,"children":[` +
		`{"name":"Order","kind":9,"range":` + wire(2, 13, 37) + `,"selectionRange":` + wire(2, 13, 18) + `},` +
		`{"name":"Gift","kind":9,"range":` + wire(2, 40, 44) + `,"selectionRange":` + wire(2, 40, 44) + `}]},` +
		`{"name":"total","kind":12,"range":` + wire(5, 0, 19) + `,"selectionRange":` + wire(5, 0, 19) + `}]}]`
	c := played(t, "haskell", files, `workspace/symbol -> [{"name":"Order","kind":23,"containerName":"Store","location":`+location("src/Store.hs", wire(2, 5, 10))+`}]
textDocument/references -> [`+location("src/Store.hs", wire(4, 9, 14))+`]
textDocument/documentSymbol -> `+outline+`
textDocument/references -> [`+location("src/Store.hs", wire(4, 9, 14))+`]
textDocument/references -> [`+location("src/Store.hs", wire(5, 7, 12))+`]
textDocument/references -> [`+location("src/Store.hs", wire(6, 6, 10))+`]
`)
	out, err := c.ShowConstructors(t.Context(), tools.Call{}, ShowConstructorsInput{TypeName: "Store.Order"})
	if err != nil {
		t.Fatal(err)
	}
	want := `src/Store.hs:3: Store.Order, data
made by 2 constructors
src/Store.hs:3: Order { number :: !Int }
src/Store.hs:3: Gift
(partial: `
	if !strings.HasPrefix(out.Text(), want) || out.Completeness.State != lsp.Partial {
		t.Errorf("got %s", out.Text())
	}
	edges, err := graphOf(t, c).Edges(t.Context(), scout.Node{Name: "Order", Kind: "struct", Path: "src/Store.hs", Line: 3, Column: 6}, scout.Change{})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range edges {
		got = append(got, fmt.Sprintf("%d %s > %s", e.To.Line, e.Role, e.To.Name))
	}
	if s := strings.Join(got, ", "); s != "5 type use > Order, 3 member > Order.Order, 3 member > Order.Gift" {
		t.Errorf("edges are %s", s)
	}
}
