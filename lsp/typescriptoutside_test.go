package lsp

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// tsWorkspace is a monorepo whose packages import each other by name, without project references.
const tsWorkspace = `
-- package.json --
{"name": "repo", "private": true, "workspaces": ["packages/*"]}
-- base.json --
{"compilerOptions": {"module": "esnext", "moduleResolution": "bundler", "target": "es2022", "paths": {"~/*": ["./packages/core/src/*"]}}}
-- packages/core/package.json --
{"name": "@repo/core", "types": "dist/index.d.ts", "main": "dist/index.js"}
-- packages/core/tsconfig.json --
{"extends": "../../base.json", "include": ["src"], "exclude": ["**/*.test.ts"]}
-- packages/core/src/index.ts --
export function alpha() { return 1; }
export function inner() { return 2; }
inner();
-- packages/core/src/index.test.ts --
import { inner } from "~/index";
inner();
-- packages/app/package.json --
{"name": "@repo/app", "dependencies": {"@repo/core": "*"}}
-- packages/app/tsconfig.json --
{"compilerOptions": {"module": "esnext", "moduleResolution": "bundler", "target": "es2022"}, "include": ["src"]}
-- packages/app/src/main.ts --
import { alpha } from "@repo/core";
alpha();
-- scripts/run.js --
import { gamma } from "@/lib";
gamma();
-- scripts/lib.js --
export function gamma() {}
-- packages/app/src/other.ts --
export function beta() { return 1; }
beta();
`

// What tsserver cannot follow from one package to another makes answers about names that it may concern partial.
func TestTypeScriptBeyondPackages(t *testing.T) {
	t.Parallel()
	unbuilt := func(string) {}
	linked := func(dir string) {
		if err := os.MkdirAll(filepath.Join(dir, "node_modules", "@repo"), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink("../../packages/core", filepath.Join(dir, "node_modules", "@repo", "core")); err != nil {
			t.Fatal(err)
		}
	}
	built := func(dir string) {
		linked(dir)
		put(t, filepath.Join(dir, "packages/core/dist/index.d.ts"), "export declare function alpha(): number;\n")
		put(t, filepath.Join(dir, "packages/core/dist/index.js"), "export function alpha() { return 1; }\n")
	}
	sources := func(dir string) {
		linked(dir)
		put(t, filepath.Join(dir, "packages/core/package.json"), `{"name": "@repo/core", "types": "src/index.ts"}`)
	}
	type question struct {
		name string
		uses int
		want string // part of the reason; "": the answer is complete
	}
	tests := []struct {
		what      string
		prepare   func(dir string)
		questions []question
	}{
		{"unbuilt", unbuilt, []question{
			{"alpha", 0, "packages/app/src/main.ts mentions alpha but imports @repo/core, which tsserver does not find"},
			{"inner", 1, "packages/core/src/index.test.ts mentions inner but is left out of packages/core/tsconfig.json, whose paths"},
			{"beta", 1, ""},
			{"gamma", 0, "scripts/run.js mentions gamma but imports by an alias"},
		}},
		{"built", built, []question{{"core/src/index.alpha", 0, "which was built from its sources"}}},
		{"sources", sources, []question{{"alpha", 2, ""}}},
	}
	for _, tt := range tests {
		t.Run(tt.what, func(t *testing.T) {
			dir := t.TempDir()
			write(t, dir, tsWorkspace)
			tt.prepare(dir)
			p := open(t, dir, typescriptHere(t))
			for _, q := range tt.questions {
				v := view(t, p)
				uses := references(t, v, dir, q.name)
				c := v.Completeness()
				if len(uses) != q.uses || (c.State == Complete) != (q.want == "") || !strings.Contains(c.Reason, q.want) {
					t.Errorf("%s: %q, %+v", q.name, uses, c)
				}
			}
		})
	}
}

// Installing what was missing counts for the next question.
func TestTypeScriptInstallation(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write(t, dir, tsWorkspace)
	put(t, filepath.Join(dir, "packages/core/package.json"), `{"name": "@repo/core", "types": "src/index.ts"}`)
	p := open(t, dir, typescriptHere(t))
	if uses := references(t, view(t, p), dir, "alpha"); len(uses) != 0 {
		t.Fatalf("before: %q", uses)
	}
	if err := os.MkdirAll(filepath.Join(dir, "node_modules", "@repo"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("../../packages/core", filepath.Join(dir, "node_modules", "@repo", "core")); err != nil {
		t.Fatal(err)
	}
	put(t, filepath.Join(dir, "package-lock.json"), "{}")
	v := view(t, p)
	if uses := references(t, v, dir, "alpha"); len(uses) != 2 || v.Completeness().State != Complete {
		t.Errorf("after: %q, %+v", uses, v.Completeness())
	}
}
