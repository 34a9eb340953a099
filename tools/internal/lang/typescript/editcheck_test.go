package typescript_test

import (
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"tidepool/scout"
	"tidepool/tools/internal/lang/langtest"
	"tidepool/tools/internal/toolstest"
)

const tsTrialProject = `
-- tsconfig.json --
{"compilerOptions": {"strict": true, "noEmit": true, "allowJs": true, "lib": ["es2022"], "types": [],
	"target": "es2022", "module": "esnext", "moduleResolution": "bundler", "jsx": "react", "jsxFactory": "h"}}
-- kind.ts --
export enum Kind { Leaf, Pair }
export const names: Record<Kind, string> = { [Kind.Leaf]: "leaf", [Kind.Pair]: "pair" };
export const some = new Map([[Kind.Leaf, 1], [Kind.Pair, 2]]);
-- tree.ts --
import { Kind } from "./kind";
export interface Leaf { kind: Kind.Leaf; text: string }
export interface Pair { kind: Kind.Pair; left: Tree; right: Tree }
export type Tree = Leaf | Pair;
export function size(tree: Tree): number {
  switch (tree.kind) {
    case Kind.Leaf: return 1;
    case Kind.Pair: return size(tree.left) + size(tree.right);
  }
}
export function text(tree: Tree): string {
  switch (tree.kind) {
    case Kind.Leaf: return tree.text;
    default: return "";
  }
}
export const leaf = (text: string): Leaf => ({ kind: Kind.Leaf, text });
-- store.ts --
import type { Tree } from "./tree";
export const modes = ["read", "write"] as const;
export type Mode = (typeof modes)[number];
export const flags: { [M in Mode]: number } = { read: 1, write: 2 };
export interface Store {
  get(key: string): Tree | undefined;
  readonly mode: Mode;
}
export class MemoryStore implements Store {
  mode: Mode = "read";
  get(key: string): Tree | undefined { return undefined; }
}
export const emptyStore = (): Store => ({ mode: "read", get: () => undefined });
export function first(stores: Store[], key: string): Tree | undefined {
  return stores.map((s) => s.get(key)).find((t) => t !== undefined);
}
-- view.tsx --
import { leaf, size } from "./index";
export function h(tag: unknown, props: unknown, ...rest: unknown[]) { return tag; }
declare global { namespace JSX { interface IntrinsicElements { b: {} } } }
export interface Props { label: string }
export const View = ({ label }: Props) => <b>{size(leaf(label))}</b>;
export const page = () => <View label="x" />;
-- index.ts --
export * from "./tree";
export { first as firstOf, MemoryStore } from "./store";
-- old.js --
import { leaf } from "./tree";
export const old = leaf("x");
-- use.test.ts --
import { firstOf, MemoryStore } from "./index";
import type { Store } from "./store";
const fake: Store = { mode: "write", get: () => undefined };
export function testFirst() { return firstOf([fake, new MemoryStore()], "k"); }
`

func TestTypeScriptChanges(t *testing.T) {
	code := langtest.Subject{Tree: toolstest.Serve(t, t.TempDir(), "typescript", tsTrialProject)}
	tests := []struct {
		name   string
		change scout.Change
		want   string // place role: fix, one a line; then what is unseen and the refusal
	}{
		{"leaf", scout.Change{Kind: scout.AddParameter}, `
			view.tsx:5 call in View
			unseen old.js`},
		{"Store.get", scout.Change{Kind: scout.AddParameter}, `
			store.ts:11 implementation in MemoryStore.get
			store.ts:15 call in first
			use.test.ts:4 conversion in testFirst: adapt to the new signature
			unseen old.js`},
		{"Store", scout.Change{Kind: scout.AddMethod, Terms: scout.Terms{Member: "close"}}, `
			store.ts:13 composite literal in emptyStore: add the member
			store.ts:9 implementation in MemoryStore: add the member
			use.test.ts:3 mock in fake: add the member
			use.test.ts:4 conversion in testFirst: fails until what is handed on has the member
			unseen old.js`},
		{"Props", scout.Change{Kind: scout.AddMethod}, `
			view.tsx:6 call in page: pass the new property
			unseen old.js`},
		{"Leaf.text", scout.Change{Kind: scout.RemoveField}, `
			tree.ts:13 field use in text
			tree.ts:17 composite literal in leaf.text
			unseen old.js`},
		{"Store.mode", scout.Change{Kind: scout.ChangeType, Terms: scout.Terms{To: "number"}}, `
			store.ts:10 composite literal in MemoryStore.mode
			store.ts:13 composite literal in emptyStore.mode
			use.test.ts:3 composite literal in fake.mode
			use.test.ts:4 conversion in testFirst: adapt to the new type
			unseen old.js`},
		{"Leaf.text", scout.Change{Kind: scout.ChangeType, Terms: scout.Terms{To: "Unheard"}}, `
			refused: "Unheard" means nothing there: say a type that is there`},
		{"Leaf.text", scout.Change{Kind: scout.ChangeType, Detail: "what we said"}, `
			refused: "what we said" is no type: say the new one`},
		{"Leaf.text", scout.Change{Kind: scout.ChangeType}, `
			refused: the new type is not said`},
		{"first", scout.Change{Kind: scout.RemoveParameter, Detail: "stores"}, `
			store.ts:15 reference
			use.test.ts:4 reference in testFirst
			unseen old.js`},
		{"first", scout.Change{Kind: scout.ReorderParameters}, `
			use.test.ts:4 reference in testFirst
			unseen old.js`},
		{"first", scout.Change{Kind: scout.RenameParameter, Detail: "key"}, `
			unseen old.js`},
		{"leaf", scout.Change{Kind: scout.RetypeParameter, Detail: "number"}, `
			tree.ts:17 composite literal in leaf.text
			view.tsx:5 call in View
			unseen old.js`},
		{"leaf", scout.Change{Kind: scout.RemoveResult}, `
			tree.ts:17 reference
			view.tsx:5 call in View
			unseen old.js`},
		{"leaf", scout.Change{Kind: scout.Move}, `
			view.tsx:1 import
			unseen old.js`},
		{"Store", scout.Change{Kind: scout.AddField, Detail: "size: number"}, `
			store.ts:13 reference in emptyStore
			store.ts:9 implementation in MemoryStore
			use.test.ts:3 composite literal in fake
			use.test.ts:4 reference in testFirst
			unseen old.js`},
		{"Leaf", scout.Change{Kind: scout.MakeGeneric}, `
			tree.ts:17 type use in leaf
			tree.ts:4 type use in Tree
			tree.ts:5 type use in size
			unseen old.js`},
		{"MemoryStore", scout.Change{Kind: scout.AddVariant}, `
			senseless: MemoryStore is a class, which has no variants; an implementation more breaks nothing that a compiler sees`},
		{"Tree", scout.Change{Kind: scout.AddVariant}, `
			kind.ts:2 table in names
			tree.ts:6 exhaustive switch in size
			unseen old.js`},
		{"Kind", scout.Change{Kind: scout.AddVariant}, `
			kind.ts:2 table in names
			unseen old.js`},
		{"Mode", scout.Change{Kind: scout.AddVariant}, `
			store.ts:4 table in flags
			unseen old.js`},
		{"first", scout.Change{Kind: scout.Rename, Terms: scout.Terms{To: "firstIn"}}, `
			index.ts:2 re-export
			unseen old.js`},
		{"first", scout.Change{Kind: scout.Delete}, `
			index.ts:2 re-export
			use.test.ts:1 import: drop it from the import
			use.test.ts:4 test in testFirst
			unseen old.js`},
		{"size", scout.Change{Kind: scout.Rename}, `
			tree.ts:8 call
			view.tsx:1 import
			view.tsx:5 call in View
			unseen old.js`},
		{"Store", scout.Change{Kind: scout.AddVariant}, `
			senseless: Store is an interface, which has no variants; an implementation more breaks nothing that a compiler sees`},
		{"old", scout.Change{Kind: scout.Rename}, `
			refused: no compiler checks JavaScript`},
		{"size", scout.Change{Kind: scout.ReturnError}, `
			refused: a compiler of TypeScript sees nothing of this kind of change`},
	}
	for _, tt := range tests {
		if diff := gocmp.Diff(strings.TrimSpace(strings.ReplaceAll(tt.want, "\t", "")), code.VerdictText(t, tt.name, tt.change)); diff != "" {
			t.Errorf("%s %s:\n%s", tt.change.Kind, tt.name, diff)
		}
	}
}
