package code

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tidepool/internal/lexer"
	"tidepool/lsp"
	"tidepool/tools"
	"tidepool/tools/internal/toolstest"
)

// agree compares, for each name in the sources of a project, what the text says for certain with the list of the server,
// and returns the functions that the text told.
func agree(t *testing.T, code *Toolset, paths []string) []string {
	t.Helper()
	if err := code.Project.WaitReady(t.Context()); err != nil {
		t.Fatal(err)
	}
	q, err := code.begin(t.Context(), tools.Call{}, tools.Wait{})
	if err != nil {
		t.Fatal(err)
	}
	told := map[string]bool{}
	for _, path := range paths {
		f, err := q.Lexed.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range f.Tokens() {
			if name.Kind() != lexer.Name {
				continue
			}
			line, column := name.Position()
			at := lsp.At(path, line, column)
			text := q.Inside(at)
			outer, err := q.Enclosing(t.Context(), at)
			if err != nil {
				t.Fatal(err)
			}
			if text != "" && text != outer.Name {
				t.Errorf("%s:%d: %s stands in %q, and in %q by the server", q.Relative(path), line, name.Text(), text, outer.Name)
			}
			told[text] = true
		}
	}
	delete(told, "")
	return slices.Sorted(maps.Keys(told))
}

// sourcesOf are the files of a language below a directory.
func sourcesOf(t *testing.T, dir, id string) []string {
	t.Helper()
	var paths []string
	err := filepath.WalkDir(dir, func(path string, entry os.DirEntry, err error) error {
		if err == nil && entry.Type().IsRegular() && lsp.LanguageOf(path) == id {
			paths = append(paths, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return paths
}

func TestInsideAgreesWithServers(t *testing.T) {
	for _, test := range []struct {
		id, archive string
		want        []string
	}{
		{"c", hardClang(t), []string{"Box::get", "Kit::Kit", "Kit::in", "Kit::out", "LOUD", "N::M::deep", "a::Kit::late", "after", "apart", "before", "branched", "conditional", "last", "made", "opened", "paired", "plain", "pointer", "recorded", "records", "spread", "table", "turned"}},
		{"typescript", hardTypeScript, []string{"Cast", "Decorated.m", "Kept.constructor", "Kept.m", "Kept.n", "Made", "Over.m", "Page", "Plain.b", "Plain.c", "Plain.constructor", "Plain.get", "Shared.m", "generator", "generic", "later", "merged", "mix", "outer", "shared", "straight", "waits"}},
	} {
		t.Run(test.id, func(t *testing.T) {
			code := over(toolstest.Serve(t, t.TempDir(), test.id, test.archive))
			told := agree(t, code, sourcesOf(t, code.Root, test.id))
			if diff := cmp.Diff(test.want, told); diff != "" {
				t.Errorf("told by the text:\n%s", diff)
			}
		})
	}
	for id, name := range map[string]string{"c": "clang", "typescript": "typescript"} {
		t.Run(name+".txtar", func(t *testing.T) {
			code := over(toolstest.ServeFile(t, id, name))
			if told := agree(t, code, sourcesOf(t, code.Root, id)); len(told) < 5 {
				t.Errorf("the text tells of %q only", told)
			}
		})
	}
}

// hardClang has functions of which the text tells, and what only looks like one.
func hardClang(t *testing.T) string {
	t.Helper()
	archive, err := os.ReadFile(toolstest.Testdata("hardclang.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	return string(archive)
}

const hardTypeScript = `
-- tsconfig.json --
{"compilerOptions": {"strict": true, "target": "ES2022", "experimentalDecorators": true, "allowJs": true, "jsx": "preserve"}}
-- hard.ts --
function mix(n: number): number;
function mix(n: string): number;
function mix(n: any): number { return n }
export function outer(a: { b: number }, c = (d: number) => mix(d)): number {
  const inner = (x: number) => { return mix(x) };
  function nested() { return mix(2) }
  class Local { m() { return mix(3) } }
  return mix(1) + inner(a.b) + nested() + c(1)
}
export default async function later() { return mix(1) }
export function* generator(): Generator<number, void, unknown> { yield mix(1) }
export function generic<T extends { a: number }>(t: T): Array<T> { mix(t.a); return [t] }
export function typed(x: unknown): x is { a: number } { return mix(1) > 0 }
export function literal(): { a: number } { return { a: mix(1) } }
export const arrow = (n: number) => { return mix(n) }
export const object = { method() { return mix(1) }, get got() { return mix(2) } }
if (mix(1)) { mix(2) }
namespace space { export function within() { return mix(1) } }
export abstract class Shop<T> extends Map<string, { a: T }> implements Iterable<any> {
  size2 = mix(1)
  open(door: number): void { [1].forEach((n) => { mix(n) }) }
  static async late<T>(t: T) { return mix(1) }
  get total(): number { return mix(2) }
  set total(n: number) { mix(n) }
  #secret() { return mix(3) }
  field = () => { return mix(4) }
  static { mix(5) }
  'quoted'() { return mix(6) }
  [Symbol.toStringTag + ''](): string { return String(mix(7)) }
  constructor(readonly n = mix(8)) { super(); mix(9); this.#secret() }
}
export class Plain<T> extends Shop<T> implements Iterable<any> {
  a = 1
  b() { return mix(this.a) }
  public async c<U extends { d: number }>(u: U): Promise<U | undefined> { mix(u.d); return u }
  static(): void { mix(1) }
  private static get(n: number) { return mix(n) }
  constructor() { super(mix(1)) }
}
function decorated(...args: any[]): any {}
@decorated
export class Decorated { m() { return mix(1) } }
function Old(this: any) { this.x = mix(1) }
Old.prototype.m = function () { return mix(2) }
function expando() { return mix(1) }
expando.more = function () { return mix(2) }
function merged() { return mix(1) }
namespace merged { export const a = mix(2) }
-- page.tsx --
declare function mix(n: number): number;
export function Page() { const a = mix(1); return <div onClick={() => { mix(2) }}>{mix(3)} it's</div> }
-- old.js --
function mix(n) { return n }
function Foo() { this.x = mix(1) }
Foo.prototype.bar = function () { return mix(2) }
function Made() { this.x = mix(1) }
const made = new Made()
function Handed() { return mix(1) }
Object.assign(Handed.prototype, { m() { return mix(2) } })
function Defined() { return mix(1) }
Object.defineProperty(Defined, 'more', { get() { return mix(2) } })
function Indexed() { return mix(1) }
Indexed['more'] = () => mix(2)
function Cast() { return mix(1) }
/** @type {any} */ (Cast).more = () => mix(2)
function Extended() { return mix(1) }
Object.setPrototypeOf(Extended.prototype, Array.prototype)
function straight(a = () => { mix(1) }) { function inner() { return mix(2) } return [1].map((x) => { return mix(x) }) }
async function waits() { for await (const x of y) { mix(x) } }
class Kept extends Foo {
  constructor() { super(); this.f = () => mix(1) }
  m() { return mix(1) }
  static n(a, { b = mix(2) } = {}) { return mix(3) }
  get got() { return mix(4) }
  async *gen() { yield mix(5) }
  #own() { return mix(6) }
  field = () => { return mix(7) }
  static { mix(8) }
}
Kept.prototype.late = function () { return mix(9) }
Kept.prototype.m.more = function () { return mix(9) }
Kept.other = function () { return mix(10) }
Object.defineProperty(Kept.prototype, 'defined', { get: function () { return mix(11) } })
class Over { m() { return mix(1) } }
Over.prototype.m = function () { return mix(2) }
exports.one = function one() { return mix(1) }
module.exports = { two() { return mix(1) }, three: function () { return mix(2) } }
const Expression = class { m() { return mix(1) } }
const Named = class Inner { m() { return mix(1) } }
Foo.Nested = class { m() { return mix(1) } }
(function () { function wrapped() { return mix(1) } class Within { m() { return mix(2) } } })()
if (made) { function inBlock() { return mix(1) } }
label: function labelled() { return mix(1) }
-- module.mjs --
import { mix } from './old.js'
export function shared() { return mix(1) }
export class Shared { m() { return mix(2) } }
export default class extends Shared { n() { return mix(3) } }
`
