package lsp

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// tsParts is how many files each package of tsLarge has.
const tsParts = 75

// tsLarge writes three packages that refer to each other and one of JavaScript that no configuration covers. Every file
// but the first of the first package uses hub, every file but the first of the last uses main.
func tsLarge(t *testing.T, dir string) {
	t.Helper()
	put(t, filepath.Join(dir, "package.json"), `{"name": "large", "private": true}`)
	for i, name := range []string{"core", "lib", "app"} {
		references := ""
		for _, other := range []string{"core", "lib"}[:i] {
			references += fmt.Sprintf(`, {"path": "../%s"}`, other)
		}
		put(t, filepath.Join(dir, name, "tsconfig.json"), `{"compilerOptions": {"composite": true, "module": "esnext", "moduleResolution": "bundler",
			"target": "es2022"}, "include": ["*.ts"], "references": [`+strings.TrimPrefix(references, ", ")+"]}")
		for part := range tsParts {
			text := fmt.Sprintf("import { hub } from \"../core/part0\";\nexport const %s%d = hub(%d);\n", name, part, part)
			if i+part == 0 {
				text = "export function hub(n: number) { return n; }\n"
			}
			put(t, filepath.Join(dir, name, fmt.Sprintf("part%d.ts", part)), text)
		}
	}
	put(t, filepath.Join(dir, "tool", "package.json"), `{"name": "tool"}`)
	for part := range tsParts {
		text := "const { main } = require(\"./part0\");\nmain();\n"
		if part == 0 {
			text = "function main() {}\nmodule.exports = { main };\n"
		}
		put(t, filepath.Join(dir, "tool", fmt.Sprintf("part%d.js", part)), text)
	}
}

// From the first moment on no answer that claims to be complete lacks anything.
func TestTypeScriptColdStart(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	tsLarge(t, dir)
	p := open(t, dir, typescriptHere(t))
	truth := map[string]int{"hub": 2 * (3*tsParts - 1), "main": 2*(tsParts-1) + 1}
	complete := map[string]int{}
	for asked, began := 0, time.Now(); complete["hub"] < 3 || complete["main"] < 3; asked++ {
		if time.Since(began) > patienceOfTests {
			t.Fatalf("never complete after %d questions", asked)
		}
		for name, want := range truth {
			// The first questions come while nothing is known. On a busy machine no answer comes within their budget, so it grows.
			v, err := p.View(t.Context(), ViewOptions{Budget: 20*time.Millisecond + time.Duration(asked)*5*time.Millisecond})
			if err != nil {
				t.Fatal(err)
			}
			uses := -1 // the name is not known
			if found, err := v.Symbols(t.Context(), name); err == nil && len(found) == 1 {
				all, err := v.References(t.Context(), found[0].Location, false)
				if Unanswered(err) {
					continue
				}
				if err != nil {
					t.Fatal(err)
				}
				uses = len(all)
			}
			if v.Completeness().State != Complete {
				continue
			}
			if complete[name]++; uses != want {
				t.Errorf("question %d: %s is said to have %d uses, and has %d", asked, name, uses, want)
			}
		}
	}
}
