package typescript

import (
	"cmp"
	"errors"
	"slices"
	"strings"
	"testing"

	"tidepool/internal/lexer"
	"tidepool/lsp"
	"tidepool/scout"
	"tidepool/tools/internal/graph"
)

// revised is a snippet with a change made to the name behind the mark ¤, or why it cannot be made.
func revised(t *testing.T, c scout.Change, snippet string) string {
	t.Helper()
	f, name := marked(t, "a.ts", snippet)
	e := editor{path: f.Path, file: f, name: name}
	shaped := func() ([]lsp.Edit, error) {
		r, err := e.reshape(c)
		return r.edits, err
	}
	edits, err := map[scout.ChangeKind]func() ([]lsp.Edit, error){
		scout.RemoveParameter: shaped, scout.RetypeParameter: shaped, scout.ReorderParameters: shaped, scout.MakeVariadic: shaped,
		scout.AddField: func() ([]lsp.Edit, error) {
			r, err := e.addField(c)
			return r.edits, err
		},
		scout.MakeGeneric: func() ([]lsp.Edit, error) {
			r, err := e.generic()
			return r.edits, err
		},
		scout.AddParameter: func() ([]lsp.Edit, error) { return e.addParameter(c.Terms.Position) },
		scout.ChangeSignature: func() ([]lsp.Edit, error) {
			r, err := e.signature(c)
			return r.edits, err
		},
		scout.AddMethod:   func() ([]lsp.Edit, error) { return e.addMember(c.Terms.Member) },
		scout.RemoveField: e.remove,
		scout.Rename:      func() ([]lsp.Edit, error) { return e.rename("renamed"), nil },
		scout.ChangeType: func() ([]lsp.Edit, error) {
			r, err := e.retype(c.Terms.To)
			return r.edits, err
		},
		scout.AddVariant: func() ([]lsp.Edit, error) {
			made, ok := typeNamed(f, f.Path, name)
			if !ok || made.word != "enum" {
				return nil, refuse("no enum")
			}
			return []lsp.Edit{addMember(made)}, nil
		},
	}[c.Kind]()
	var why *graph.Refusal
	if errors.As(err, &why) {
		return "refused: " + why.Reason
	}
	if err != nil {
		t.Fatal(err)
	}
	return strings.ReplaceAll(with(f, edits), unfit, "UNFIT")
}

func with(f *lexer.File, edits []lsp.Edit) string {
	var b strings.Builder
	last, src := 0, f.Text(0, f.Offset(f.Lines()+1, 1))
	for _, e := range slices.SortedStableFunc(slices.Values(edits), func(a, b lsp.Edit) int { return cmp.Compare(a.Start, b.Start) }) {
		b.WriteString(src[last:e.Start] + e.New)
		last = e.End
	}
	return b.String() + src[last:]
}

func TestTypeScriptEdits(t *testing.T) {
	tests := []struct {
		change scout.Change
		edits  []string // before and after, in turn
	}{
		{scout.Change{Kind: scout.AddParameter}, []string{
			"function ¤f() {}", "function f(__added: UNFIT) {}",
			"function ¤f(a: A, b = 1) {}", "function f(__added: UNFIT, a: A, b = 1) {}",
			"function ¤f(this: T, a: A) {}", "function f(this: T, __added: UNFIT, a: A) {}",
			"async function* ¤f<T>(a: T) {}", "async function* f<T>(__added: UNFIT, a: T) {}",
			"function ¤f(a: 1): 1;\nfunction f(a: 2): 2;\nfunction f(a: any) {}",
			"function f(__added: UNFIT, a: 1): 1;\nfunction f(__added: UNFIT, a: 2): 2;\nfunction f(__added: UNFIT, a: any) {}",
			"const ¤f = (a: A) => a", "const f = (__added: UNFIT, a: A) => a",
			"const ¤f = async a => a", "const f = async (__added: UNFIT, a) => a",
			"const ¤f: (a: A) => B = (a) => b", "const f: (__added: UNFIT, a: A) => B = (__added: UNFIT, a) => b",
			"const ¤f = function (a: A) {}", "const f = function (__added: UNFIT, a: A) {}",
			"const ¤f: F = (a) => b", "refused: the parameters of f are those of F",
			"const ¤x = 1", "refused: x is not declared as a function",
			"class C { ¤m(a: A): void {} }", "class C { m(__added: UNFIT, a: A): void {} }",
			"class C { ¤m = (a: A) => 1 }", "class C { m = (__added: UNFIT, a: A) => 1 }",
			"class C { get ¤m() { return 1 } }", "refused: m is an accessor, which takes no parameters",
			"class ¤C { constructor(private a: A) {} }", "class C { constructor(__added: UNFIT, private a: A) {} }",
			"class ¤C { a = 1 }", "class C { constructor(__added: UNFIT) {} a = 1 }",
			"class ¤C extends n.B {}", "class C extends n.B { constructor(__added: UNFIT, ...rest: ConstructorParameters<typeof n.B>) { super(...rest); }}",
			"interface I { ¤m(a: A): B; m(b: B): A }", "interface I { m(__added: UNFIT, a: A): B; m(__added: UNFIT, b: B): A }",
			"interface I { ¤m: (a: A) => B }", "interface I { m: (__added: UNFIT, a: A) => B }",
			"interface ¤I { (a: A): B }", "interface I { (__added: UNFIT, a: A): B }",
			"interface ¤I { a: A }", "refused: I is an interface, which is not called; name a method of it",
			"type ¤F = (a: A) => B", "type F = (__added: UNFIT, a: A) => B",
			"type ¤F<T> = new <U>(a: A) => B", "type F<T> = new <U>(__added: UNFIT, a: A) => B",
		}},
		{scout.Change{Kind: scout.AddParameter, Terms: scout.Terms{Position: -1}}, []string{
			"function ¤f(a: A) {}", "function f(a: A, __added: UNFIT) {}",
			"function ¤f(a: A, b?: B, ...c: C[]) {}", "function f(a: A, __added: UNFIT, b?: B, ...c: C[]) {}",
			"function ¤f(\n  a: A,\n) {}", "function f(\n  a: A,__added: UNFIT\n) {}",
		}},
		{scout.Change{Kind: scout.AddParameter, Terms: scout.Terms{Position: 2}}, []string{
			"function ¤f(a: A, b: B) {}", "function f(a: A, __added: UNFIT, b: B) {}",
		}},
		{scout.Change{Kind: scout.ChangeSignature, Terms: scout.Terms{To: "B[]"}}, []string{
			"function ¤f(a: A): A {}", "function f(a: A): B[] {}",
			"async function ¤f() {}", "async function f(): Promise<B[]> {}",
			"const ¤f = (a: A) => a", "const f = (a: A): B[] => a",
			"class C { async ¤m(): Promise<A> {} }", "class C { async m(): Promise<B[]> {} }",
		}},
		{scout.Change{Kind: scout.ChangeSignature, Terms: scout.Terms{Member: "b"}}, []string{
			"function ¤f(a: A, b: B, c: C) {}", "function f(a: A,  c: C) {}",
			"function ¤f(a: A) {}", "refused: the new signature is not said",
		}},
		{scout.Change{Kind: scout.RemoveParameter, Detail: "b"}, []string{
			"function ¤f(a: A, b: B, c: C) {}", "function f(a: A,  c: C) {}",
			"const ¤f = (a: A, c: C) => 1", "refused: which one of a A, c C is not said",
			"const ¤f = a => 1", "refused: the parameter of f stands without brackets",
		}},
		{scout.Change{Kind: scout.RetypeParameter, Detail: "a: B[]"}, []string{
			"function ¤f(a: A) {}", "function f(a: B[]) {}",
			"const ¤f = (a = 1) => a", "const f = (a: B[] = 1) => a",
		}},
		{scout.Change{Kind: scout.ReorderParameters}, []string{
			"function ¤f(a: A, b?: B) {}", "function f(b?: B, a: A) {}",
			"function ¤f(a: A, b: B, c: C) {}", "refused: the new order is not said",
		}},
		{scout.Change{Kind: scout.ReorderParameters, Detail: "c, a, b"}, []string{
			"function ¤f(a: A, b: B, c: C) {}", "function f(c: C, a: A, b: B) {}",
		}},
		{scout.Change{Kind: scout.MakeVariadic}, []string{
			"function ¤f(a: A, b: B) {}", "function f(a: A, ...b: (B)[]) {}",
			"function ¤f(b: B[]) {}", "function f(...b: B[]) {}",
			"function ¤f(...b: B[]) {}", "refused: it has no parameter that could take any number",
		}},
		{scout.Change{Kind: scout.AddField, Detail: "b: number"}, []string{
			"interface ¤I { a: A }", "interface I { b: number; a: A }",
			"class ¤C {}", "class C { b!: number;}",
			"interface ¤I { b: A }", "refused: I has a member b already",
		}},
		{scout.Change{Kind: scout.AddField}, []string{
			"type ¤T = { a: A }", "type T = { __added: UNFIT; a: A }",
		}},
		{scout.Change{Kind: scout.MakeGeneric}, []string{
			"interface ¤I { a: A }", "interface I<__T> { a: A }",
			"function ¤f() {}", "refused: the generic signature is not said",
		}},
		{scout.Change{Kind: scout.AddMethod, Terms: scout.Terms{Member: "close"}}, []string{
			"interface ¤I {\n  a: A\n}", "interface I { close(...all: any): any;\n  a: A\n}",
			"abstract class ¤C {}", "abstract class C { abstract close(...all: any): any;}",
			"class ¤C {}", "class C { close(...all: any): any {}}",
			"type ¤T = { a: A } & B", "type T = { close(...all: any): any; a: A } & B",
			"interface ¤I { close(): void }", "refused: I has a member close already",
			"enum ¤E { A }", "refused: E is an enum, which has no members of its own",
			"function ¤f() {}", "refused: f is no type that has methods",
		}},
		{scout.Change{Kind: scout.RemoveField}, []string{
			"interface I { a: A; ¤b: B; c: C }", "interface I { a: A;  c: C }",
			"class C {\n  get ¤a() {\n    return 1\n  }\n  set a(v) {}\n}", "class C {\n  \n\n\n  \n}",
			"class C { constructor(private readonly ¤a: A, b: B) {} }", "class C { constructor(a: A, b: B) {} }",
			"enum E { A, ¤B = 2, C }", "enum E { A,  C }",
			"export function ¤f(a: 1): 1;\nexport function f(a: any) {}\nf2()", "export {};\nexport {};\nf2()",
			"export const a = 1, ¤b = 2, c = 3", "export const a = 1, c = 3",
			"export const ¤a = { b: 1 };\nc()", "export {};\nc()",
			"type ¤T<U> = A<U>\nexport const c = 1", "\nexport const c = 1",
			"export class ¤C {\n  a = 1\n}\nc()", "export {};\n\n\nc()",
		}},
		{scout.Change{Kind: scout.Rename}, []string{
			"interface ¤I {}\ninterface I { a: I }", "interface renamed {}\ninterface renamed { a: I }",
			"class C { 'a-b': 1; \"¤c\": 2 }", "class C { 'a-b': 1; \"renamed\": 2 }",
		}},
		{scout.Change{Kind: scout.ChangeType, Terms: scout.Terms{To: "Date | null"}}, []string{
			"interface I { ¤a?: A }", "interface I { a?: Date | null }",
			"class C { ¤a = 1 }", "class C { a: Date | null = 1 }",
			"class C { constructor(private ¤a: A) {} }", "class C { constructor(private a: Date | null) {} }",
			"class C { get ¤a(): A {} set a(v: A) {} }", "class C { get a(): Date | null {} set a(v: Date | null) {} }",
			"let ¤a: A = b", "let a: Date | null = b",
			"type ¤A =\n  | B\n  | C", "type A =\n  Date | null\n",
			"interface ¤I {}", "refused: I is an interface: name the member that changes its type",
			"enum E { ¤A }", "refused: A is a member of an enum, which has no type of its own",
		}},
		{scout.Change{Kind: scout.ChangeType, Terms: scout.Terms{To: "a whole date"}}, []string{
			"interface I { ¤a: A }", `refused: "a whole date" is no type: say the new one`,
		}},
		{scout.Change{Kind: scout.AddVariant}, []string{
			"enum ¤E { A, B }", "enum E { A, B, __added }",
			"enum ¤E { A = 'a', }", `enum E { A = 'a',__added = "__added" }`,
			"enum ¤E { A = f() }", "enum E { A = f(), __added = 987654321 }",
		}},
	}
	for _, tt := range tests {
		for i := 0; i < len(tt.edits); i += 2 {
			got := revised(t, tt.change, tt.edits[i])
			if got != tt.edits[i+1] {
				t.Errorf("%s %+v of %q:\n%q, want\n%q", tt.change.Kind, tt.change.Terms, tt.edits[i], got, tt.edits[i+1])
			}
			if lines := strings.Count(tt.edits[i], "\n"); !strings.HasPrefix(got, "refused") && strings.Count(got, "\n") != lines {
				t.Errorf("%q moves lines: %q", tt.edits[i], got)
			}
		}
	}
}

func TestWritten(t *testing.T) {
	for _, tt := range []struct{ snippet, want string }{
		{"export async function ¤f(a: A): Promise<B> {}", "export async function f(a: A): Promise<B> → export async function f(added: NEW, a: A): Promise<B>"},
		{"const ¤f = (a: A) => 1", "const f = (a: A) → const f = (added: NEW, a: A)"},
		{"class C { b() {}\n  private ¤m(a: A): B { return a } }", "private m(a: A): B → private m(added: NEW, a: A): B"},
		{"interface I { a: A; ¤m(): B; c: C }", "m(): B → m(added: NEW): B"},
		{"class C {\n  m(a: A): A\n  ¤m(a: B): B\n  m(a: any) {} }", "m(a: B): B → m(added: NEW, a: B): B"},
		{"type ¤F = (a: A) => B", "type F = (a: A) → type F = (added: NEW, a: A)"},
	} {
		f, name := marked(t, "a.ts", tt.snippet)
		e := editor{path: f.Path, file: f, name: name}
		edits, err := e.addParameter(0)
		if got := e.written(edits); err != nil || got != tt.want {
			t.Errorf("%q: %v\n got %s\nwant %s", tt.snippet, err, got, tt.want)
		}
	}
}
