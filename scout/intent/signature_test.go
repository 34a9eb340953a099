package intent

import (
	"slices"
	"testing"
)

func TestSignaturesThatAreWrittenOut(t *testing.T) {
	const declared = "func (t *T) F(src string) string {"
	for _, tt := range []struct {
		text, declaration string
		want, written     string
	}{
		{"T.F() -> T.F(reason string). Who?", "", "T.F -> T.F §grown. Who?", "T.F(reason string)"},
		{"F(opts Options, src string) instead of F(src string)", "", "F §grown instead of F", "F(opts Options, src string)"},
		{"F(key, value) will be F(tx, key, value); what breaks", "", "F will be F §grown; what breaks", "F(tx, key, value)"},
		{"becomes func (t *T) F(ctx context.Context, n int) (Item, bool).", "", "becomes F §grown.", "func (t *T) F(ctx context.Context, n int) (Item, bool)"},
		{"func F(ctx context.Context, …) it is", "", "F §grown it is", "func F(ctx context.Context, …)"},
		{"F(f func(int, int) bool) → F(f func(int) bool, n int)", "", "F → F §grown", "F(f func(int) bool, n int)"},
		{"F(v) string -> F(v) (string, error)", "", "F -> F §failing", "F(v) (string, error)"},
		{"let it be func F(s string) (string, error)", "", "let it be F §failing", "func F(s string) (string, error)"},
		{"F(a, b string) becomes F(parts ...string)", "", "F becomes F §resigned", "F(parts ...string)"},
		{"from F(a int) int to F(a int) int64", "", "from F to F §resigned", "F(a int) int64"},
		{"F(src string, n int) string it shall be", declared, "F §grown it shall be", "F(src string, n int) string"},
		{"F(src string) (string, error)?", declared, "F §failing?", "F(src string) (string, error)"},
		{"what if F(src string) string panics", declared, "what if F panics", "F(src string) string"},
		{"what if F(x) panics", declared, "what if F panics", "F(x)"},
		{"what if F(src string) panics", "", "what if F §signature panics", "F(src string)"},
		{"what if F() is gone", "", "what if F() is gone", ""},
		{"F: (int) -> (int, error)?", "", "F: (int) -> §failing?", "(int, error)"},
		{"F: (int, error) -> (int64, error)?", "", "F: (int, error) -> (int64, error)?", ""},
		{"F(a) -> F(a, b): Callers?", "", "F -> F §grown: Callers?", "F(a, b)"},
		{"F(a: number): number → F(a: number, b: T[]): Promise<number>", "", "F → F §grown", "F(a: number, b: T[]): Promise<number>"},
		{"is F(a, b", "", "is F(a, b", ""},
		{"swap those of F (a, b)", "", "swap those of F (a, b)", ""},
	} {
		got, written := compareSignatures(tt.text, Subject{Name: "T.F", Text: tt.declaration})
		if got != tt.want || written != tt.written {
			t.Errorf("%q with %q: %q of %q, want %q of %q", tt.text, tt.declaration, got, written, tt.want, tt.written)
		}
	}
}

func TestASignatureIsAReason(t *testing.T) {
	r := Read("Box.Open() -> Box.Open(key string): who calls it?", Subject{Name: "Box.Open", Class: Method})
	if r.Kind != "add_parameter" || !slices.Contains(r.Because, "'Box.Open(key string)'") {
		t.Errorf("%+v", r)
	}
}
