package typescript

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tidepool/internal/lexer"
)

func TestTypeScriptKinds(t *testing.T) {
	tests := []struct{ snippet, want string }{
		{"class ¤A {}", "class"},
		{"export default abstract class ¤A<T> extends B {}", "abstract class"},
		{"interface ¤A {}", "interface"},
		{"enum ¤A { B }", "enum"},
		{"declare const enum ¤A { B }", "const enum"},
		{"type ¤A = { b: 1 };", "object type"},
		{"type ¤A = { b: 1 } | C;", "union"},
		{"type ¤A =\n  | B\n  | C", "union"},
		{"type ¤A = 'b' | \"c\";", "union"},
		{"type ¤A = B & { c: 1 };", "intersection"},
		{"type ¤A = B | C & D;", "union"},
		{"type ¤A<T> = T extends string ? 1 : 2;", "conditional type"},
		{"type ¤A<T> = { [K in keyof T]?: T[K] };", "mapped type"},
		{"type ¤A<T> = { readonly [K in keyof T]: 1 };", "mapped type"},
		{"type ¤A = { [key: string]: 1 };", "object type"},
		{"type ¤A = (b: B | C) => D | E;", "function type"},
		{"type ¤A = new () => B;", "function type"},
		{"type ¤A = [B, C];", "tuple"},
		{"type ¤A = readonly [B, C];", "tuple"},
		{"type ¤A = B;\ntype C = D | E;", "alias"},
		{"type ¤A = Map<B, C | D>", "alias"},
		{"type ¤A = B\nconst c = d | e", "alias"},
		{"type ¤A = `b${C}`", "alias"},
	}
	for _, tt := range tests {
		f, name := marked(t, "a.ts", tt.snippet)
		found, ok := typeNamed(f, "a.ts", name)
		if !ok || found.kind() != tt.want {
			t.Errorf("%s: %s, want %s", tt.snippet, found.kind(), tt.want)
		}
	}
	for _, snippet := range []string{"const ¤a = 1", "function ¤a() {}", "import { ¤a } from 'b'"} {
		f, name := marked(t, "a.ts", snippet)
		if _, ok := typeNamed(f, "a.ts", name); ok {
			t.Errorf("%s is taken for a type", snippet)
		}
	}
}

func TestTypeScriptHeritage(t *testing.T) {
	tests := []struct{ snippet, bases, all string }{
		{"class ¤A {}", "", ""},
		{"class ¤A<T extends X = Y> extends B<T> implements C, D<E> {}", "B", "B C D"},
		{"class ¤A extends ns.B implements other.C {}", "B", "B C"},
		{"class ¤A extends Mixin(B) {}", "", ""},
		{"interface ¤A extends B, C<D, E>, F {}", "B C F", "B C F"},
	}
	for _, tt := range tests {
		f, name := marked(t, "a.ts", tt.snippet)
		found, _ := typeNamed(f, "a.ts", name)
		if texts(found.bases) != tt.bases || texts(found.all) != tt.all {
			t.Errorf("%s: %q of %q, want %q of %q", tt.snippet, texts(found.bases), texts(found.all), tt.bases, tt.all)
		}
	}
}

func texts(tokens []lexer.Token) string {
	var all []string
	for _, t := range tokens {
		all = append(all, t.Text())
	}
	return strings.Join(all, " ")
}

func TestTypeScriptMembers(t *testing.T) {
	const snippet = `class ¤A<T> {
  a: string
  readonly b?: number = 1; static c = { d: 1 }
  // What e is.
  private e!: Map<string, (x: number) => void>
  #f = 1
  "g-h": string
  [key: string]: unknown;
  [Symbol.iterator]() { return this }
  @deco({ x: 1 }) i = (x: number): void => { x }
  declare j:
    | "k"
    | "l"
  get m(): number { return 1 } set m(to) {}
  get = 1; static = 2
  async *n<U>(o: U, ...p: string[]): AsyncIterable<U> { }
  q?(): void
  abstract r(): { s: 1 }
  static { this.c }
  t(): T extends string ? 1 : 2 { return 1 as any }
  constructor(private readonly u: string, v = 2, { w }: X) { super() }
  x
  y = this.a
    .length
  z() { }
}`
	want := []string{
		"a: string", "b (readonly optional): number = 1", "c (static) = { d: 1 }", "e (private): Map<string, (x: number) => void> // What e is.",
		"#f = 1", "g-h: string", "[key: string]: unknown", "[Symbol.iterator]()", "i = (x: number): void => { x }",
		`j (declare): | "k" | "l"`, "m (get)(): number", "m (set)(to)", "get = 1", "static = 2",
		"n (async)<U>(o: U, ...p: string[]): AsyncIterable<U>", "q (optional)(): void", "r (abstract)(): { s: 1 }", "static", "t(): T extends string ? 1 : 2",
		"constructor(private readonly u: string, v = 2, { w }: X)", "x", "y = this.a .length", "z()",
	}
	f, name := marked(t, "a.ts", snippet)
	found, _ := typeNamed(f, "a.ts", name)
	var got []string
	for _, m := range membersIn(f, found.body) {
		line := m.label
		if len(m.modifiers) > 0 {
			line += " (" + strings.Join(m.modifiers, " ") + ")"
		}
		if m.params.Kind() != 0 {
			line += m.signature(f)
		} else if m.typ.is() {
			line += ": " + m.typ.in(f)
		}
		if m.value.is() {
			line += " = " + m.value.in(f)
		}
		if m.doc != "" {
			line += " // " + m.doc
		}
		got = append(got, line)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestTypeScriptParameters(t *testing.T) {
	f, name := marked(t, "a.ts", "function ¤f(a: string, b?: number, c = 1, ...d: E[], { g, h }: I = {}, [j]: K, private l: M) {}")
	want := []string{"a: string", "b?: number", "c?", "...d: E[]", "{ g, h }?: I", "[j]: K", "l: M"}
	if diff := cmp.Diff(want, paramTexts(f, name.Next())); diff != "" {
		t.Error(diff)
	}
	properties := 0
	for _, p := range params(f, name.Next()) {
		if p.property() {
			properties++
		}
	}
	if properties != 1 {
		t.Errorf("%d properties", properties)
	}
}
