package lsp

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// drafting is a draft of a project's only language.
func drafting(t testing.TB, p *Project) *Draft {
	t.Helper()
	d, err := view(t, p).Draft(t.Context(), p.workspace.Languages[0].ID)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(d.Close)
	return d
}

// replaced is the edit that puts a text in the place of the only one like old.
func replaced(t testing.TB, dir, name, old, text string) Edit {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	before, _, found := strings.Cut(string(data), old)
	if !found || strings.Count(string(data), old) != 1 {
		t.Fatalf("%s has %q %d times", name, old, strings.Count(string(data), old))
	}
	return Edit{Path: name, Start: len(before), End: len(before) + len(old), New: text}
}

// try makes edits and writes the errors as lines.
func try(t testing.TB, d *Draft, edits ...Edit) []string {
	t.Helper()
	found, err := d.Try(t.Context(), edits)
	if err != nil {
		t.Fatal(err)
	}
	return flat(d.view.Root(), []Errors{{Problems: found}})
}

// A trial is a project in which a file calls a function of another one, beside a third with an error.
type trial struct {
	language  Language
	archive   string
	declares  string // the file with the function
	at        Position
	parameter [2]string
	broken    string // the error in the caller when the function has a parameter more
	calls     string
	argument  [2]string
	old       string // the file with an error
	first     [2]string
	unused    string // the error when lines are put in before that one
}

func trials(t testing.TB) map[string]trial {
	return map[string]trial{
		"gopls": {
			language: gopls(t), archive: shopAndTill,
			declares: "price/price.go", at: Position{Line: 3, Column: 6}, parameter: [2]string{"item string", "item string, tax int"},
			broken: "till/till.go:7:32: not enough arguments in call to price.Of have (string) want (string, int)",
			calls:  "till/till.go", argument: [2]string{"Of(item)", "Of(item, 0)"},
			old: "old/old.go", first: [2]string{"package old\n", "package old\n\nimport \"fmt\"\n"},
			unused: `old/old.go:1:1: "fmt" imported and not used`,
		},
		"pyright": {
			language: pyright(t), archive: shopInPython,
			declares: "shop/price.py", at: Position{Line: 1, Column: 5}, parameter: [2]string{"item: str", "item: str, tax: int"},
			broken: `shop/till.py:5:16: Argument missing for parameter "tax"`,
			calls:  "shop/till.py", argument: [2]string{"of(item)", "of(item, 0)"},
			old: "shop/old.py", first: [2]string{"# Old.\n", "# Old.\nfrom shop.price import nothing\n"},
			unused: `shop/old.py:1:1: "nothing" is unknown import symbol`,
		},
		"typescript": {
			language: typescriptHere(t), archive: shopInTypeScript,
			declares: "src/price.ts", at: Position{Line: 1, Column: 17}, parameter: [2]string{"item: string", "item: string, tax: number"},
			broken: "src/till.ts:4:30: Expected 2 arguments, but got 1.",
			calls:  "src/till.ts", argument: [2]string{"of(item)", "of(item, 0)"},
			old: "src/old.ts", first: [2]string{"// Old.\n", "// Old.\nimport { nothing } from \"./price\"\n"},
			unused: `src/old.ts:1:1: Module '"./price"' has no exported member 'nothing'.`,
		},
	}
}

const shopInPython = `
-- pyproject.toml --
[project]
name = "shop"
-- shop/__init__.py --
-- shop/price.py --
def of(item: str) -> int:
    return len(item)
-- shop/till.py --
from shop.price import of


def total(items: list[str]) -> int:
    return sum(of(item) for item in items)
-- shop/old.py --
# Old.
broken: int = "since long"
`

const shopInTypeScript = `
-- tsconfig.json --
{"compilerOptions": {"strict": true, "noEmit": true}, "include": ["src"]}
-- src/price.ts --
export function of(item: string): number {
  return item.length
}
-- src/till.ts --
import { of } from "./price"

export function total(items: string[]): number[] {
  return items.map((item) => of(item))
}
-- src/old.ts --
// Old.
export const broken: number = "since long"
`

// TestDraft runs through all that a draft must do, with every server that can make one.
func TestDraft(t *testing.T) {
	t.Parallel()
	for name, s := range trials(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			write(t, dir, s.archive)
			p := open(t, dir, s.language)
			for _, test := range []struct {
				name string
				run  func(t *testing.T, s trial, p *Project, dir string)
			}{
				{"rounds", draftRounds}, {"cancelled", draftCancelled}, {"killed", draftKilled}, {"files that change", draftDisk},
				{"the end of the project", draftEnds},
			} {
				t.Run(test.name, func(t *testing.T) { test.run(t, s, p, dir) })
			}
		})
	}
}

// draftRounds breaks a caller in another file in rounds, beside an error that was there before.
func draftRounds(t *testing.T, s trial, p *Project, dir string) {
	d := drafting(t, p)
	parameter := replaced(t, dir, s.declares, s.parameter[0], s.parameter[1])
	at := At(s.declares, s.at.Line, s.at.Column)
	disk, hover := readAll(t, filepath.Join(dir, s.declares)), hovered(t, p, at)
	if got := try(t, d, parameter); !cmp.Equal(got, []string{s.broken}) {
		t.Errorf("a parameter more: %q", got)
	}
	if readAll(t, filepath.Join(dir, s.declares)) != disk || hovered(t, p, at) != hover {
		t.Error("the text of a draft is on the disk, or in another session")
	}
	if got := try(t, d, replaced(t, dir, s.calls, s.argument[0], s.argument[1])); len(got) > 0 {
		t.Errorf("an argument more: %q", got)
	}
	if got := try(t, d, replaced(t, dir, s.old, s.first[0], s.first[1])); !cmp.Equal(got, []string{s.unused}) {
		t.Errorf("with lines put in before an old error: %q", got)
	}
	d.Close()
	check := p.Check(patient(t), s.declares)
	if got := flat(dir, check.Now); !check.Over || len(got) > 1 {
		t.Errorf("another session sees %q", got)
	}
	if got := try(t, drafting(t, p), parameter); len(got) != 1 {
		t.Errorf("in the next draft: %q", got)
	}
}

// hovered is what a query says of a place.
func hovered(t testing.TB, p *Project, at Location) string {
	t.Helper()
	text, err := view(t, p).Hover(t.Context(), at)
	if err != nil || text == "" {
		t.Fatalf("hover %q, %v", text, err)
	}
	return text
}

// TestDraftsOfTrees has drafts of two checkouts at the same time.
func TestDraftsOfTrees(t *testing.T) {
	t.Parallel()
	b := benches(t)["gopls"]
	dir, trees := worktrees(t, b)
	p := open(t, dir, b.language)
	edit := replaced(t, dir, b.name, "func Alpha()", "func Alpha(int)")
	first := drafting(t, p)
	for _, tree := range trees {
		v, err := p.View(t.Context(), ViewOptions{Dir: tree})
		if err != nil {
			t.Fatal(err)
		}
		d, err := v.Draft(t.Context(), "go")
		if err != nil {
			t.Fatal(err)
		}
		defer d.Close()
		if got := try(t, d, edit); len(got) != 1 || !strings.HasPrefix(got[0], b.name+":6:") {
			t.Errorf("%s: %q", tree, got)
		}
		elsewhere := edit
		elsewhere.Path = filepath.Join(dir, b.name)
		var refused *NoServerError
		if _, err := d.Try(t.Context(), []Edit{elsewhere}); !errors.As(err, &refused) {
			t.Errorf("a file of another checkout: %v", err)
		}
	}
	if got := try(t, first); len(got) > 0 {
		t.Errorf("in the project's directory: %q", got)
	}
}

// BenchmarkDraft tries a parameter more for a function of a module of 300 files, 60 of which in 6 packages call it.
func BenchmarkDraft(b *testing.B) {
	dir := b.TempDir()
	big(b, dir, 300)
	v := view(b, open(b, dir, gopls(b)))
	edit := replaced(b, dir, "alpha/alpha.go", "Alpha()", "")
	for i := 0; b.Loop(); i++ {
		d, err := v.Draft(b.Context(), "go")
		if err != nil {
			b.Fatal(err)
		}
		edit.New = fmt.Sprintf("Alpha(p%d_%d int)", time.Now().UnixNano(), i) // gopls remembers texts that it has seen
		if found, err := d.Try(b.Context(), []Edit{edit}); err != nil || len(found) != 60 {
			b.Fatalf("%d errors, %v", len(found), err)
		}
		d.Close()
	}
}
