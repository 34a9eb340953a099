package lsp

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"tidepool/lsp/internal/disk"
	"tidepool/lsp/internal/haskell"
	"tidepool/lsp/internal/rust"
	"tidepool/lsp/internal/session"
	"tidepool/lsp/lsptest"
)

// A playedTrust trusts all but some directories and what is below them, and owns all or nothing.
type playedTrust struct {
	mu      sync.Mutex
	strange []string
	own     bool
}

func (p *playedTrust) Trusted(dir string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return !slices.ContainsFunc(p.strange, func(s string) bool { return disk.Inside(s, dir) })
}

func (p *playedTrust) Own(string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.own
}

// distrust says which directories are not trusted from now on.
func (p *playedTrust) distrust(dirs ...string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.strange = dirs
}

// overheard is a command that keeps, in the file record, its RUSTUP_TOOLCHAIN and all that it is told.
func overheard(t *testing.T, record string, command []string) []string {
	t.Helper()
	script := filepath.Join(t.TempDir(), "overheard")
	put(t, script, "#!/bin/sh\necho \"started under ${RUSTUP_TOOLCHAIN:-any}\" >> '"+record+"'\ntee -a '"+record+"' | \"$@\"\n")
	if err := os.Chmod(script, 0o700); err != nil {
		t.Fatal(err)
	}
	return append([]string{script}, command...)
}

// rustTrusted is a project whose server, played, is quiescent at once each time that it starts.
func rustTrusted(t *testing.T, files string) (p *Project, trust *playedTrust, dir, record string) {
	t.Helper()
	dir = t.TempDir()
	parts, record, home := filepath.Join(t.TempDir(), "parts"), filepath.Join(t.TempDir(), "record"), t.TempDir()
	write(t, dir, files)
	put(t, parts, `
initialized => experimental/serverStatus {"health":"ok","quiescent":false}
* => experimental/serverStatus {"health":"ok","quiescent":true}
`)
	put(t, filepath.Join(home, ".rustup", "settings.toml"), "default_toolchain = \"stable-x\"\n\n[overrides]\n\""+dir+"\" = \"nightly-x\"\n")
	language := rust.Language()
	language.Command = overheard(t, record, lsptest.Command(lsptest.Plays(parts)))
	trust = &playedTrust{strange: []string{dir}}
	p = openWith(t, Options{Root: dir, Languages: []Language{language}, Env: environment("HOME="+home, "RUSTUP_HOME=", "RUSTUP_TOOLCHAIN="), Trust: trust})
	return p, trust, dir, record
}

// startsIn are the pieces of a record that begin with a start.
func startsIn(t *testing.T, record string) []string {
	t.Helper()
	data, err := os.ReadFile(record)
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(string(data), "started under ")[1:]
}

const scriptsOff = `"buildScripts":{"enable":false}`

func nowReady(t *testing.T, p *Project) Completeness {
	t.Helper()
	if err := p.WaitReady(t.Context()); err != nil {
		t.Fatal(err)
	}
	return p.Completeness()
}

// rust-analyzer gets its settings and its toolchain by whether the project is trusted, and answers say what they lack.
func TestRustUntrusted(t *testing.T) {
	t.Parallel()
	p, trust, dir, record := rustTrusted(t, cargo)
	c := nowReady(t, p)
	if c.State != Partial || strings.Count(c.Reason, "build scripts") != 1 || !strings.Contains(c.Reason, "agent trust") {
		t.Errorf("untrusted: %+v", c)
	}
	if held, _ := p.Held(t.Context()); len(held) != 1 || !strings.Contains(held[0], "build scripts") {
		t.Errorf("held back: %q", held)
	}
	trust.distrust()
	p.TrustChanged()
	if c := nowReady(t, p); c.State != Complete {
		t.Errorf("trusted: %+v", c)
	}
	if held, languages := p.Held(t.Context()); held != nil || !slices.Equal(languages, []string{"rust"}) {
		t.Errorf("held back: %q", held)
	}
	trust.distrust(dir)
	p.TrustChanged()
	if c := nowReady(t, p); c.State != Partial {
		t.Errorf("untrusted again: %+v", c)
	}
	for i, start := range startsIn(t, record) {
		if want := i != 1; strings.Contains(start, scriptsOff) != want || strings.Contains(start, `"procMacro":{"enable":false}`) != want ||
			strings.HasPrefix(start, "nightly-x\n") != want {
			t.Errorf("start %d: %s", i, start)
		}
	}
}

// Another repository that comes into the project's directory is not trusted with it, and is not shown to a server that
// runs build scripts.
func TestRustRootThatIsNotTrusted(t *testing.T) {
	t.Parallel()
	p, trust, dir, record := rustTrusted(t, "-- a/Cargo.toml --\n[package]\nname = \"a\"\n-- a/src/lib.rs --\npub fn a() {}\n")
	strange := filepath.Join(dir, "b")
	trust.distrust(strange)
	nowReady(t, p)
	write(t, dir, "-- b/Cargo.toml --\n[package]\nname = \"b\"\n-- b/src/lib.rs --\npub fn b() {}\n")
	p.FilesChanged("b/Cargo.toml", "b/src/lib.rs")
	if c := nowReady(t, p); c.State != Partial {
		t.Errorf("got %+v", c)
	}
	for _, start := range startsIn(t, record) {
		if strings.Contains(start, "/b\"") != strings.Contains(start, scriptsOff) {
			t.Errorf("build scripts and %s in one: %s", strange, start)
		}
	}
}

// With a file that overrules all settings the server does not start.
func TestRustArmed(t *testing.T) {
	t.Parallel()
	for _, name := range []string{
		".cargo/config.toml", ".cargo/config", "rust-analyzer.toml", ".rust-analyzer.toml", "rust-project.json", ".rust-project.json",
	} {
		p, trust, _, record := rustTrusted(t, "-- "+name+" --\n-- crates/geo/Cargo.toml --\n[package]\nname = \"geo\"\n-- crates/geo/src/lib.rs --\npub fn area() {}\n")
		_, err := p.View(t.Context(), ViewOptions{})
		var refused *session.UntrustedError
		if !errors.As(err, &refused) || !strings.Contains(err.Error(), filepath.ToSlash(name)) || !strings.Contains(refused.Hint(), "agent trust") {
			t.Errorf("%s: %v", name, err)
		}
		if p.Status()[0].State != Untrusted {
			t.Errorf("%s: %+v", name, p.Status()[0])
		}
		if _, err := os.Stat(record); err == nil {
			t.Errorf("%s: it was started", name)
		}
		trust.distrust()
		p.TrustChanged()
		if c := nowReady(t, p); c.State != Complete {
			t.Errorf("%s, trusted: %+v", name, c)
		}
	}
}

func TestHaskellUntrusted(t *testing.T) {
	t.Parallel()
	dir, record := t.TempDir(), filepath.Join(t.TempDir(), "record")
	write(t, dir, "-- store.cabal --\n-- src/Store.hs --\nmodule Store where\n")
	parts := filepath.Join(t.TempDir(), "parts")
	put(t, parts, "\n")
	language := haskell.Language()
	language.Command = overheard(t, record, lsptest.Command(lsptest.Plays(parts)))
	trust := &playedTrust{strange: []string{dir}}
	p := openWith(t, Options{Root: dir, Languages: []Language{language}, Env: environment(), Trust: trust})
	var refused *session.UntrustedError
	if _, err := p.View(t.Context(), ViewOptions{}); !errors.As(err, &refused) || !strings.Contains(err.Error(), "hie.yaml") {
		t.Errorf("untrusted: %v", err)
	}
	if c := p.Completeness(); c.State != Partial && c.State != Unknown || !strings.Contains(c.Reason, "not trusted") {
		t.Errorf("untrusted: %+v", c)
	}
	if _, err := os.Stat(record); err == nil {
		t.Error("it was started")
	}
	trust.distrust()
	p.TrustChanged()
	nowReady(t, p)
	if got := startsIn(t, record); len(got) != 1 {
		t.Errorf("%d starts", len(got))
	}
}

// The tsserver in node_modules runs if the project is trusted or somebody has installed it there; else the one beside
// typescript-language-server answers, and all of it.
func TestTypeScriptUntrusted(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct{ trusted, own, runs bool }{
		"trusted": {true, false, true}, "installed": {false, true, true}, "brought along": {false, false, false},
	} {
		t.Run(name, func(t *testing.T) {
			dir, marker := t.TempDir(), filepath.Join(t.TempDir(), "ran")
			write(t, dir, "-- tsconfig.json --\n{}\n-- a.ts --\nexport const a = 1;\n-- b.ts --\nimport { a } from \"./a\";\na;\n")
			put(t, filepath.Join(dir, "node_modules/typescript/package.json"), `{"name": "typescript", "version": "6.0.3"}`)
			put(t, filepath.Join(dir, "node_modules/typescript/lib/tsserver.js"), `require("fs").writeFileSync("`+marker+`", "");process.exit(1)`)
			trust := &playedTrust{own: tt.own}
			if !tt.trusted {
				trust.distrust(dir)
			}
			p := openWith(t, Options{Root: dir, Languages: []Language{typescriptHere(t)}, Env: environment(), Trust: trust})
			if !tt.runs {
				v := view(t, p)
				if uses := references(t, v, dir, "a"); len(uses) != 2 || v.Completeness().State != Complete {
					t.Errorf("uses %q, %+v", uses, v.Completeness())
				}
				if held, _ := p.Held(t.Context()); len(held) != 1 || !strings.Contains(held[0], "TypeScript") {
					t.Errorf("held back: %q", held)
				}
			}
			ran := func() bool { _, err := os.Stat(marker); return err == nil }
			if tt.runs {
				eventually(t, "the project's tsserver runs", ran)
			} else if ran() {
				t.Error("the project's tsserver ran")
			}
		})
	}
}
