package lexer

import (
	"fmt"
	"strings"
	"testing"
)

// cut writes the tokens of a source as kind:text, but names and punctuation as they are.
func cut(path, src string) string {
	var all []string
	for _, t := range Parse(path, []byte(src)).Tokens() {
		switch t.Kind() {
		case Name, Punctuation, Number:
			all = append(all, t.Text())
		default:
			all = append(all, fmt.Sprintf("%s:%s", t.Kind().String()[:1], t.Text()))
		}
	}
	return strings.Join(all, " ")
}

func TestTokens(t *testing.T) {
	tests := []struct{ path, src, want string }{
		{"a.ts", "const f = (x: T): void => x?.g<U>(1_000.5e-3)", "k:const f = ( x : T ) : k:void => x ?. g < U > ( 1_000.5e-3 )"},
		{"a.ts", "a // b 'c\n/* d\n */ e", "a c:// b 'c c:/* d\n */ e"},
		{"a.ts", "`a${f(`b${c}`)}d` + 1", "s:`a$ { f ( s:`b$ { c } s:` ) } s:d` + 1"},
		{"a.ts", "x = /[/']+/g.test(y) / 2 / z", "x = s:/[/']+/g . test ( y ) / 2 / z"},
		{"a.ts", "class A { #p = 1; m() { return this.#p } }", "k:class A { #p = 1 ; m ( ) { k:return k:this . #p } }"},
		{"a.ts", "'un\nx \"ended", "' un x \" ended"},
		{"a.tsx", "return <A b={f(1)} c=\"d\">Don't {g()} <br/> go</A>;", "k:return < A b = { f ( 1 ) } c = s:\"d\" > s:Don't  { g ( ) } < br / > s: go < / A > ;"},
		{"a.tsx", "const f = <T,>(x: T) => <><B /></>\nh('i')", "k:const f = < T , > ( x : T ) => < > < B / > < / > h ( s:'i' )"},
		{"a.tsx", "a < b && c > d", "a < b && c > d"},
		{"a.js", "$('a').b", "$ ( s:'a' ) . b"},
		{"a.py", "def f(x): # y\n  return rb'a\\'b' + u\"c\"", "k:def f ( x ) : c:# y k:return s:rb'a\\'b' + s:u\"c\""},
		{"a.py", "'''a\n'b''' f'{{g}}{h(1):>{w}}i' 'j'", "s:'''a\n'b''' s:f'{{g}} { h ( 1 ) : > { w } } s:i' s:'j'"},
		{"a.py", "f'{a\ng('h')", "s:f' { a g ( s:'h' )"},
		{"a.py", "f'{a:#06x}' # b", "s:f' { a : # 06x } s:' c:# b"},
		{"a.py", "naïve = f\"\"\"{x}\n\"\"\"", "naïve = s:f\"\"\" { x } s:\n\"\"\""},
		{"a.c", "#include <a.h>\nint x = 'a' + 1'000; // \\\n b\nL\"c\"", "# include s:<a.h> k:int x = s:'a' + 1'000 ; c:// \\\n b s:L\"c\""},
		{"a.cpp", "auto s = R\"x(a)\" b)x\"; ns::T<int>::m(p->q)", "k:auto s = s:R\"x(a)\" b)x\" ; ns :: T < k:int > :: m ( p -> q )"},
		{"a.c", "#error don't\nx", "# error don ' t x"},
		{"a.go", "func f[T any](x []T) { /* a */ y := `b\n\\` + \"\\\"\" // 'c\n}", "k:func f [ T any ] ( x [ ] T ) { c:/* a */ y := s:`b\n\\` + s:\"\\\"\" c:// 'c }"},
		{"a.go", "type A struct{ B \n*C }; x = '`'", "k:type A k:struct { B * C } ; x = s:'`'"},
		{"a.rs", "fn f<'a>(x: &'a str) -> char { 'b' } /* a /* b */ c */", "k:fn f < ' a > ( x : & ' a str ) -> char { s:'b' } c:/* a /* b */ c */"},
		{"a.rs", "r#type r#\"a\"b\"# b'\\n' 0..10 \"a\nb\"", "r#type s:r#\"a\"b\"# s:b'\\n' 0 .. 10 s:\"a\nb\""},
		{"a.hs", "foldl' f x --> y -- z\n{- a {- b -} -} c <$> 'd'", "foldl' f x --> y c:-- z c:{- a {- b -} -} c <$> s:'d'"},
		{"a.hs", "data T = A { b :: !Int } | C deriving (Show)", "k:data T = A { b :: ! Int } | C k:deriving ( Show )"},
	}
	for _, tt := range tests {
		if got := cut(tt.path, tt.src); got != tt.want {
			t.Errorf("%s %q:\n got %s\nwant %s", tt.path, tt.src, got, tt.want)
		}
	}
}

// Nothing is assumed of a language that nobody knows; who knows that it is C says so.
func TestUnknownExtension(t *testing.T) {
	const src = "if /* 'a' */ b # c"
	for _, path := range []string{"vector", "errors.list", "a.x"} {
		if got, want := cut(path, src), "if / * ' a ' * / b # c"; got != want {
			t.Errorf("%s: %s, want %s", path, got, want)
		}
		f := Parse(path, []byte(src))
		if tokens := f.AsC().Tokens(); len(tokens) != 5 || tokens[0].Kind() != Keyword || tokens[1].Kind() != Comment {
			t.Errorf("%s as C: %d tokens", path, len(tokens))
		}
		if once, twice := f.AsC(), f.AsC(); once != twice {
			t.Errorf("%s is cut twice", path)
		}
	}
	if f := Parse("a.py", []byte(src)); f.AsC() != f {
		t.Error("Python is cut like C")
	}
}
