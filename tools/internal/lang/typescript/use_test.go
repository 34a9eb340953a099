package typescript

import (
	"strings"
	"testing"

	"tidepool/internal/lexer"
	"tidepool/lsp"
)

// marked is a snippet as a file, and where the name behind the mark ¤ stands in it.
func marked(t *testing.T, path, snippet string) (*lexer.File, lexer.Token) {
	t.Helper()
	before, after, ok := strings.Cut(snippet, "¤")
	if !ok {
		t.Fatalf("no mark in %q", snippet)
	}
	f := lexer.Parse(path, []byte(before+after))
	line, column := f.Position(len(before))
	return f, tokenIn(f, lsp.At(path, line, column))
}

func TestTypeScriptUses(t *testing.T) {
	tests := []struct{ want, snippets string }{ // one snippet to a line
		{"call", `
			¤f(1);
			a.b.¤f();
			a?.¤f?.(1);
			¤f!(1);
			¤f<string>(1);
			¤f<Map<string, number>>(1);
			await ¤f();
			x ? ¤f() : g();
			x ? g() : ¤f();
			switch (x) { case 1: ¤f(); }
			return { a: ¤f() };
			if (x) ¤f(); else g();
			super.¤f();
			new Map(¤f());
			new A().¤f();
			const { a } = ¤f();
			for (const x of ¤f()) {}
			import("./m").then((m) => m.¤f());
			export const a = ¤f();
			export default ¤f();
			class C { m(): Map<string, T> { ¤f() } }
			class C { m = () => { ¤f() } }
			class C { static { ¤f() } }
			namespace N { ¤f(); }
			if (x) { ¤f() } else { g() }
			const o = { a: { b: ¤f() } };
			exports.etag = ¤f({});
			module.exports.x = ¤f({});
			module.exports = ¤f();
			exports.g = a.b.¤f();
		`},
		{"new", `
			new ¤C(1);
			new ns.¤C();
			new ¤C<string>();
			throw new ¤C;
		`},
		{"element", `
			const x = <¤F a={1} />;
			return <¤F>text</F>;
			return (<b><¤F /></b>);
			a && <¤F />;
			const y = <b>text <¤F /></b>;
		`},
		{"closing", `const x = <F>text</¤F>;`},
		{"tag", "¤f`text`;\nexports.g = ¤f`text`;\n¤f<string>`text ${x}`;"},
		{"decorator", `
			@¤f() class C {}
			class C { @¤f m() {} }
		`},
		{"import", `
			import { ¤f } from "./m";
			import { ¤f as g } from "./m";
			import { g as ¤f } from "./m";
			import ¤f from "./m";
			import ¤f, { g } from "./m";
			import g, { ¤f } from "./m";
			import * as ¤f from "./m";
			import type { ¤T } from "./m";
			import { type ¤T } from "./m";
			const { ¤f } = require("./m");
		`},
		{"re-export", `
			export { ¤f } from "./m";
			export { ¤f as g } from "./m";
			export type { ¤T } from "./m";
		`},
		{"export", `
			export { ¤f };
			export default ¤f;
			module.exports = ¤f;
			module.exports = { ¤f };
			exports.g = ¤f;
			exports.¤f = 1;
		`},
		{"base", `
			class A extends ¤B {}
			class A<T> extends ¤B<T> implements C {}
			class A extends B<T> implements C, ¤D {}
			class A implements ns.¤B {}
			interface A extends B, ¤C {}
			interface A<T extends X> extends ¤B<T> {}
			const A = class extends ¤B {};
		`},
		{"type", `
			let x: ¤T;
			let x: ¤T[] = [];
			let x: A | ¤T;
			if (y) { const a: A = 1, b: ¤T = 2; }
			if (y) { let a = { c: 1 }, b: ¤T; }
			let x: Array<¤T>;
			let x: Map<string, ¤T>;
			let x = y as ¤T;
			let x = y satisfies ¤T;
			function g(x: ¤T) {}
			function g(x?: ¤T): void {}
			function g(): ¤T {}
			function g(): Promise<¤T> {}
			const g = (x: ¤T): void => {};
			const g = (): ¤T => x;
			function g(x: A): x is ¤T {}
			type A = ¤T;
			type A = B | ¤T;
			type A = { b: ¤T };
			interface A { b: ¤T; c?: B }
			class A { b: ¤T = 1 }
			class A { constructor(private b: ¤T) {} }
			function g<U extends ¤T>() {}
			type A = keyof ¤T;
			g<¤T>(x);
			let x: (a: ¤T) => void;
			let x: (a: A) => ¤T;
		`},
		{"case", `
			switch (x) { case ¤A: break; }
			switch (x) { case E.¤A: break; }
		`},
		{"write", `
			¤x = 1;
			a.¤x += 1;
			¤x++;
			--¤x;
			delete a.¤x;
		`},
		{"value", `
			g(¤f);
			a.map(¤f);
			const g = ¤f;
			const g = { ¤f };
			const g = { a: ¤f };
			const g = { a: 1, cb: ¤f };
			const g = { a, cb: ¤f, d: 2 };
			const g = { "a": h(), cb: ¤f };
			const g = { a() { return 1; }, cb: ¤f };
			const g = { ...h, cb: ¤f };
			use({ method: "GET", handler: ¤f });
			return { a, b: { c: 1, d: ¤f } };
			const g = 1, h = { a: 1, cb: ¤f };
			const g = [¤f];
			return ¤f;
			x ? ¤f : g;
			x ? g : ¤f;
			x = y || ¤f;
			¤f.g();
			f.¤g;
			if (x === ¤y) {}
			x instanceof ¤C;
			<b a={¤f}></b>;
			[f, ¤g] = h;
			a < ¤b;
		`},
		{"declaration", `
			function ¤f() {}
			async function* ¤f() {}
			class ¤C {}
			interface ¤C {}
			type ¤C = 1;
			type ¤C<T> = T;
			export type ¤C = 1;
			enum ¤E { A }
			enum E { ¤A, B }
			enum E { A, ¤B = 2 }
			const ¤x = 1;
			class C { ¤m() {} }
			class C { a = 1; async ¤m() {} }
			class C { a() {} ¤m(): void {} }
			class C { get ¤m() { return 1; } }
			abstract class C { abstract ¤m(): void; }
			interface C { a: 1; ¤m(): void }
			interface C { ¤m?: 1 }
			const o = { ¤m() { return 1; } };
			const o = { a, async ¤m() {} };
			class C extends B<{ a: 1 }> { ¤m() {} }
			class C<T> extends M(B) implements D { a = 1; ¤b = 2 }
		`},
	}
	for _, tt := range tests {
		for snippet := range strings.Lines(tt.snippets) {
			if snippet = strings.TrimSpace(snippet); snippet == "" {
				continue
			}
			_, name := marked(t, "a.tsx", snippet)
			if got := useKind(name); got != tt.want {
				t.Errorf("%s: %s, want %s", snippet, got, tt.want)
			}
		}
	}
}

func TestTypeScriptPassed(t *testing.T) {
	tests := []struct{ snippet, want string }{
		{"setTimeout(¤f, 1)", "setTimeout"},
		{"a.b.map(¤f)", "a.b.map"},
		{"const x = ¤f", ""},
		{"function g(a = ¤f) {}", ""},
		{"g({ a: ¤f })", ""},
	}
	for _, tt := range tests {
		if got := passed(marked(t, "a.ts", tt.snippet)); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.snippet, got, tt.want)
		}
	}
}
