package lsp

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tidepool/lsp/internal/typescript"
	"tidepool/lsp/lsptest"
)

// typescriptHere is the table's entry with the program that make installs.
func typescriptHere(t testing.TB) Language {
	t.Helper()
	language := typescript.Language()
	language.Command = []string{lsptest.Program(t, "typescript-language-server"), "--stdio"}
	return language
}

// tsMonorepo has projects that refer to each other, one of them by a configuration file with a name of its own, files
// that a configuration leaves out, and a package of plain JavaScript.
const tsMonorepo = `
-- package.json --
{"name": "repo", "private": true}
-- tsconfig.json --
{"files": [], "references": [{"path": "core"}, {"path": "app/tsconfig.web.json"}]}
-- core/tsconfig.json --
{"extends": "../tsconfig.base.json", "include": ["src"], "exclude": ["src/*.test.ts"]}
-- tsconfig.base.json --
{"compilerOptions": {"composite": true, "strict": true, "target": "es2022", "module": "esnext", "moduleResolution": "bundler",
  "declaration": true, "noEmit": false, "outDir": "${configDir}/dist"}}
-- core/src/user.ts --
export class User {
  constructor(public name: string) {}
  rename(to: string): this { this.name = to; return this; }
}

export function alpha(x: number): number { return x; }
export const beta = (x: number) => alpha(x);
export const limit: (n: number) => number = alpha;
export namespace Outer { export class Inner { run() { return alpha(1); } } }
-- core/src/user.test.ts --
import { alpha } from "./user";
alpha(5);
-- app/tsconfig.json --
{"files": [], "references": [{"path": "./tsconfig.web.json"}]}
-- app/tsconfig.web.json --
{"extends": "../tsconfig.base.json", "include": ["src"], "references": [{"path": "../core"}]}
-- app/src/main.tsx --
import { alpha, User } from "../../core/src/user";
export const total = alpha(2) + alpha(3);
new User("ü😀"); new User("b").rename("c");
-- tool/package.json --
{"name": "tool"}
-- tool/lib.js --
function main() { return 1; }
class Box { get() { return main(); } }
module.exports = { main, Box };
-- tool/use.js --
const { main, Box } = require("./lib");
const lib = require("./lib");
// main is called twice:
main(); lib.main();
new lib.Box().get();
const other = { main: 1 }; other.main;
const { main: start } = require("./lib");
start();
`

func npmProject(t *testing.T, archive string) (*Project, string) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "répo 1")
	write(t, dir, archive)
	return open(t, dir, typescriptHere(t)), dir
}

// references are the places where what a name means is used, as "path:line".
func references(t *testing.T, v *View, dir, name string) []string {
	t.Helper()
	found, err := v.References(t.Context(), one(t, v, name).Location, false)
	if err != nil {
		t.Fatal(err)
	}
	all := []string{}
	for _, at := range found {
		all = append(all, place(dir, at))
	}
	slices.Sort(all)
	return all
}

func TestTypeScriptReferences(t *testing.T) {
	t.Parallel()
	p, dir := npmProject(t, tsMonorepo)
	tests := []struct {
		name string
		want []string
	}{
		{"alpha", []string{
			"app/src/main.tsx:1", "app/src/main.tsx:2", "app/src/main.tsx:2", "core/src/user.test.ts:1", "core/src/user.test.ts:2",
			"core/src/user.ts:7", "core/src/user.ts:8", "core/src/user.ts:9",
		}},
		{"User.rename", []string{"app/src/main.tsx:3"}},
		{"User", []string{"app/src/main.tsx:1", "app/src/main.tsx:3", "app/src/main.tsx:3"}},
		{"lib.main", []string{"tool/lib.js:2", "tool/lib.js:3", "tool/use.js:1", "tool/use.js:4", "tool/use.js:4", "tool/use.js:7", "tool/use.js:8"}},
		{"tool/lib.Box", []string{"tool/lib.js:3", "tool/use.js:1", "tool/use.js:5"}},
		{"Box.get", []string{"tool/use.js:5"}},
	}
	for _, tt := range tests {
		v := view(t, p)
		if diff := cmp.Diff(tt.want, references(t, v, dir, tt.name)); diff != "" {
			t.Errorf("%s:\n%s", tt.name, diff)
		}
		if c := v.Completeness(); c.State != Complete {
			t.Errorf("%s: %+v", tt.name, c)
		}
	}
}

func TestTypeScriptSymbols(t *testing.T) {
	t.Parallel()
	p, dir := npmProject(t, tsMonorepo)
	v := view(t, p)
	tests := []struct {
		query, receiver, module string
		kind                    Kind
		at                      string
	}{
		{"User", "", "core/src/user", KindClass, "core/src/user.ts:1:14"},
		{"name", "User", "core/src/user", KindField, "core/src/user.ts:2:22"},
		{"rename", "User", "core/src/user", KindMethod, "core/src/user.ts:3:3"},
		{"alpha", "", "core/src/user", KindFunction, "core/src/user.ts:6:17"},
		{"beta", "", "core/src/user", KindFunction, "core/src/user.ts:7:14"},
		{"limit", "", "core/src/user", KindVariable, "core/src/user.ts:8:14"},
		{"Inner", "Outer", "core/src/user", KindClass, "core/src/user.ts:9:39"},
		{"Inner.run", "Outer.Inner", "core/src/user", KindMethod, "core/src/user.ts:9:47"},
		{"total", "", "app/src/main", KindVariable, "app/src/main.tsx:2:14"},
	}
	for _, tt := range tests {
		got := one(t, v, tt.query)
		if got.Receiver != tt.receiver || got.Package != tt.module || got.Kind != tt.kind || briefly(dir, got.Location) != tt.at {
			t.Errorf("%s: %+v, want %+v", tt.query, got, tt)
		}
	}
	if found, err := v.Symbols(t.Context(), "User.gone"); err != nil || len(found) != 0 {
		t.Errorf("User.gone: %v, %v", found, err)
	}
}

// place is "path:line" of a location, below dir.
func place(dir string, at Location) string {
	text := briefly(dir, at)
	return text[:strings.LastIndexByte(text, ':')]
}

// Of a project without TypeScript tsserver does not search the declaration files.
func TestTypeScriptDeclarationsOfJavaScript(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write(t, dir, `
-- package.json --
{"name": "plain", "types": "src/index.d.ts"}
-- src/index.js --
export function Component(props) { this.props = props; }
-- src/index.d.ts --
export interface VNode { type: string; }
export class Component { render(node: VNode): void; }
`)
	v := view(t, open(t, dir, typescriptHere(t)))
	for query, want := range map[string][]string{"VNode": {"src/index.d.ts"}, "Component": {"src/index.d.ts", "src/index.js"}, "Component.render": {"src/index.d.ts"}} {
		found, err := v.Symbols(t.Context(), query)
		if err != nil {
			t.Fatal(err)
		}
		var files []string
		for _, s := range found {
			if answers(s, query) {
				files = append(files, v.tree.Relative(s.Location.Path))
			}
		}
		slices.Sort(files)
		if diff := cmp.Diff(want, files); diff != "" {
			t.Errorf("%s:\n%s", query, diff)
		}
	}
}
