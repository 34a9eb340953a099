package macro

import (
	"strings"
	"testing"

	"tidepool/internal/lexer"
)

// read returns the macros of a text by their names, the last definition of each.
func read(text string) map[string]Macro {
	all := map[string]Macro{}
	for _, t := range lexer.Parse("a.c", []byte(text)).Tokens() {
		if m, ok := Defined(t); ok {
			all[m.Name] = m
		}
	}
	return all
}

func TestExpand(t *testing.T) {
	macros := read(`#define ID(x) x
#define CALL(f, n) f(n)
#define NEST(f) CALL(f, 2)
#define PASTE(n) handle_ ## n,
#define JOIN(a, b) a##_##b
#define TEXT(x) #x
#define OBJECT handler
#define EMPTY
#define LOG(format, ...) print(format, ##__VA_ARGS__)
#define NAMED(args...) h(args)
#define LOOP(x) LOOP(x) + POOL(x)
#define POOL(x) LOOP(x)
#define LONG(a) \
	first(a); /* why */ \
	second(a)
#define SPACED (x)
int after;
`)
	for text, want := range map[string]string{
		"ID(f)(3)": "f(3)", "NEST(f)": "f(2)", "PASTE(alpha)": "handle_alpha,", "JOIN(a, b)(1)": "a_b(1)", "TEXT(f)": `""`,
		"OBJECT(1)": "handler(1)", "EMPTY f()": "f()", `LOG("a")`: `print("a")`, `LOG("a", b, c)`: `print("a",b,c)`,
		"NAMED(1, 2)": "h(1,2)", "LOOP(1)": "LOOP(1)+LOOP(1)", "LONG(z)": "first(z);second(z)", "SPACED": "(x)",
		"ID + 1": "ID+1", "ID(f": "ID(f", "CALL(ID(g), (1, 2))": "g((1,2))", "ID()": "", "CALL(f)": "f()",
	} {
		f := lexer.Parse("b.c", []byte(text))
		all := f.Tokens()
		expanded, _ := Expand(Tokens(f.First(), all[len(all)-1]), func(name string) (Macro, bool) {
			m, ok := macros[name]
			return m, ok
		})
		made, _ := Join(expanded)
		if got := strings.ReplaceAll(made, " ", ""); got != strings.ReplaceAll(want, " ", "") {
			t.Errorf("%s is %s, want %s", text, got, want)
		}
	}
}

// A marked token keeps its mark wherever it goes, but not into a name that is made of it. The name of a macro gives its mark to the body.
func TestMarks(t *testing.T) {
	macros := read("#define TWICE(f) f(1) + take(f)\n#define MAKE(f) on_##f\n#define BOTH(f) g + MAKE(f) + f + f##_g\n#define NAME g\n")
	define := func(name string) (Macro, bool) {
		m, ok := macros[name]
		return m, ok
	}
	for text, want := range map[string]string{
		"TWICE ( *g )": "g g", "MAKE ( *g )": "", "other ( *g )": "g", "*MAKE ( g )": "on_g", "*BOTH ( g )": "g + on_g + + g_g",
		"BOTH ( *g )": "g", "*NAME ( g )": "g", "TWICE ( *NAME )": "g g",
	} {
		var tokens []Token
		for text := range strings.FieldsSeq(text) {
			name, marked := strings.CutPrefix(text, "*")
			tokens = append(tokens, Token{Text: name, Mark: marked})
		}
		expanded, _ := Expand(tokens, define)
		made, marked := Join(expanded)
		var got []string
		for _, at := range marked {
			name, _, _ := strings.Cut(made[at:], " ")
			got = append(got, name)
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: %q are marked in %q, want %q", text, got, made, want)
		}
	}
}

// An expansion that grows without end stops, and says that it is not whole.
func TestExpandBounds(t *testing.T) {
	macros := read("#define A(x) B(x x x x)\n#define B(x) C(x x x x)\n#define C(x) D(x x x x)\n#define D(x) E(x x x x)\n#define E(x) F(x x x x)\n" +
		"#define F(x) G(x x x x)\n#define G(x) H(x x x x)\n#define H(x) x x x x\n")
	tokens := []Token{{Text: "A"}, {Text: "("}, {Text: "1"}, {Text: ")"}}
	made, whole := Expand(tokens, func(name string) (Macro, bool) {
		m, ok := macros[name]
		return m, ok
	})
	if len(made) > 5*maxTokens || whole {
		t.Errorf("%d tokens, whole: %t", len(made), whole)
	}
}
