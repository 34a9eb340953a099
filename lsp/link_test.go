package lsp

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TypeScript and Python take a file behind a link to its directory for another one, which answers say, and where the link leads now
// is where it leads to them, too.
func TestLinkTurned(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		language func(t testing.TB) Language
		file     string
		files    string
	}{
		"typescript": {typescriptHere, "a.ts", `
-- tsconfig.json --
{"compilerOptions": {"strict": true, "noEmit": true, "module": "esnext", "moduleResolution": "bundler"}}
-- real1/a.ts --
export function alpha(n: number) { return n; }
-- real2/a.ts --
export function alpha(n: number) { return n; }
-- use.ts --
import { alpha } from "./link/a";
alpha(1);
`},
		"python": {pyright, "a.py", `
-- pyproject.toml --
-- real1/__init__.py --
-- real1/a.py --
def alpha(n): return n
-- real2/__init__.py --
-- real2/a.py --
def alpha(n): return n
-- use.py --
from link.a import alpha
alpha(1)
`},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			write(t, dir, test.files)
			link := filepath.Join(dir, "link")
			turn(t, link, "real1")
			p := open(t, dir, test.language(t))
			alone := func(what string, real string, state State, reason string) { // nothing uses what is there
				t.Helper()
				v := view(t, p)
				uses, c := usesIn(t, p, v, "alpha", real+"/"+test.file), v.Completeness()
				if len(uses) != 1 || c.State != state || !strings.HasPrefix(c.Reason, reason) {
					t.Errorf("%s: uses of that in %s: %v, %s %s", what, real, uses, c.State, c.Reason)
				}
			}
			alone("at first", "real2", Partial, "real1/"+test.file+" mentions alpha but is another file ")
			turn(t, link, "real2")
			alone("turned", "real1", Partial, "real2/"+test.file+" mentions alpha but is another file ")
			turn(t, link, "")
			alone("gone", "real1", Complete, "")
			alone("gone", "real2", Complete, "")
		})
	}
}

// usesIn are the references, with the declaration, to what a name means in a file.
func usesIn(t *testing.T, p *Project, v *View, name, file string) []string {
	t.Helper()
	symbols, err := v.Symbols(t.Context(), name)
	if err != nil {
		t.Fatal(err)
	}
	at := slices.IndexFunc(symbols, func(s Symbol) bool { return p.workspace.Main.Relative(s.Location.Path) == file })
	if at < 0 {
		return nil
	}
	found, err := v.References(t.Context(), symbols[at].Location, true)
	if err != nil {
		t.Fatal(err)
	}
	return clangPlaces(p, found)
}
