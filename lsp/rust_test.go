package lsp

import (
	"path/filepath"
	"strings"
	"testing"

	"tidepool/lsp/internal/rust"
	"tidepool/lsp/lsptest"
)

// played is a project whose server says what script has it say.
func played(t *testing.T, language Language, files, script string) (*Project, string) {
	t.Helper()
	dir, parts := t.TempDir(), filepath.Join(t.TempDir(), "parts")
	write(t, dir, files)
	put(t, parts, script)
	language.Command = lsptest.Command(lsptest.Plays(parts))
	return open(t, dir, language), dir
}

// state asks for a hover, which makes the server play its next part, and returns what answers are worth then.
func state(t *testing.T, p *Project, path string, ready bool) Completeness {
	t.Helper()
	v := hasty(t, p)
	if _, err := v.Hover(t.Context(), At(path, 1, 1)); err != nil {
		t.Fatal(err)
	}
	if ready {
		if err := p.WaitReady(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	return p.Completeness()
}

const cargo = "-- Cargo.toml --\n[package]\nname = \"geo\"\n-- src/lib.rs --\npub fn area() {}\n"

// What rust-analyzer sends while it loads, loads anew, and finds a mistake in a build script.
func TestRustIsReadyWhenQuiescent(t *testing.T) {
	t.Parallel()
	p, dir := played(t, rust.Language(), cargo, `
initialized => experimental/serverStatus {"health":"ok","quiescent":false}
textDocument/hover => experimental/serverStatus {"health":"ok","quiescent":false,"message":"loading"}
textDocument/hover => experimental/serverStatus {"health":"ok","quiescent":true}
rust-analyzer/reloadWorkspace -> null
* => experimental/serverStatus {"health":"ok","quiescent":false}
* => experimental/serverStatus {"health":"warning","quiescent":true,"message":"Failed to run build scripts of some packages.\n\nPlease refer to the logs for more details on the errors."}
textDocument/hover => experimental/serverStatus {"health":"ok","quiescent":false}
textDocument/hover => experimental/serverStatus {"health":"ok","quiescent":true}
`)
	lib := filepath.Join(dir, "src", "lib.rs")
	if c := state(t, p, lib, false); c.State != Indexing {
		t.Errorf("while it loads: %+v", c)
	}
	if c := state(t, p, lib, true); c.State != Complete {
		t.Errorf("when it is quiescent: %+v", c)
	}
	put(t, filepath.Join(dir, "Cargo.toml"), "[package]\nname = \"geo\"\nversion = \"0.2.0\"\n")
	p.FilesChanged("Cargo.toml")
	if err := p.WaitReady(t.Context()); err != nil {
		t.Fatal(err)
	}
	if c := p.Completeness(); c.State != Partial || !strings.Contains(c.Reason, "build scripts") {
		t.Errorf("after a change that breaks: %+v", c)
	}
	for c := state(t, p, lib, false); c.State != Complete; c = state(t, p, lib, true) { // it mends itself
		if t.Context().Err() != nil {
			t.Fatalf("still %+v", c)
		}
	}
}

// Before anything is loaded rust-analyzer is quiescent, too.
func TestRustWithoutAProjectIsNotReady(t *testing.T) {
	t.Parallel()
	p, _ := played(t, rust.Language(), cargo, `initialized => experimental/serverStatus {"health":"warning","quiescent":true,"message":"Failed to discover workspace.\nConsider adding the Cargo.toml"}`)
	if err := p.WaitReady(t.Context()); err != nil {
		t.Fatal(err)
	}
	if c := p.Completeness(); c.State != Partial || !strings.Contains(c.Reason, "Failed to discover workspace") {
		t.Errorf("got %+v", c)
	}
}

func TestRefineRust(t *testing.T) {
	t.Parallel()
	refined(t, rust.Language(), "", []refinement{
		{"shape", KindFunction, "/p/crates/my-geo/src/shape.rs", "pub fn area() {", Symbol{Name: "area", Package: "my_geo.shape", Kind: KindFunction}},
		{"Circle", KindFunction, "/p/src/shape/mod.rs", "    pub const fn new() -> Self {", Symbol{Name: "new", Receiver: "Circle", Package: "p.shape", Kind: KindMethod}},
		{"Shape", KindMethod, "/p/src/lib.rs", "    fn area(&self) -> f64;", Symbol{Name: "area", Receiver: "Shape", Package: "p", Kind: KindMethod}},
		{"tests", KindFunction, "/p/src/lib.rs", "    fn adds() {", Symbol{Name: "adds", Package: "p.tests", Kind: KindFunction}},
		{"", KindInterface, "/p/src/main.rs", "pub unsafe trait Shape {", Symbol{Name: "Shape", Package: "p", Kind: KindInterface}},
		{"", KindStruct, "/p/src/main.rs", "pub(crate) union Bits {", Symbol{Name: "Bits", Package: "p", Kind: KindStruct}},
		{"", KindTypeParameter, "/p/src/main.rs", "pub type Id = u32;", Symbol{Name: "Id", Package: "p", Kind: KindType}},
		{"", KindEnum, "/p/tests/api.rs", "enum Kind {", Symbol{Name: "Kind", Package: "api", Kind: KindEnum}},
		{"Kind", KindEnumMember, "/p/src/a/b.rs", "    Round(f64),", Symbol{Name: "Round", Receiver: "Kind", Package: "p.a.b", Kind: KindEnumMember}},
	})
}

// Only a mention of the name that is asked for makes an answer partial.
func TestRustConfigurations(t *testing.T) {
	t.Parallel()
	p, dir := played(t, rust.Language(), cargo+"-- src/win.rs --\n#[cfg(windows)]\nfn g() { area() }\n", `
initialized => experimental/serverStatus {"health":"ok","quiescent":false}
* => experimental/serverStatus {"health":"ok","quiescent":true}
`)
	for line, want := range map[int]State{1: Partial, 0: Complete} {
		v := view(t, p)
		at := At(filepath.Join(dir, "src", "lib.rs"), 1, 8) // area
		if line == 0 {
			at.Range.Start.Column = 1 // pub
		}
		if _, err := v.References(t.Context(), at, false); err != nil {
			t.Fatal(err)
		}
		if c := v.Completeness(); c.State != want {
			t.Errorf("references at column %d: %+v, want %s", at.Range.Start.Column, c, want)
		}
	}
}
