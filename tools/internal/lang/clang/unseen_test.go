package clang

import (
	"fmt"
	"slices"
	"testing"

	"tidepool/internal/lexer"
)

// A definition has its kind, and the namespaces and classes around it; a prototype, a call and the use of a macro are none.
func TestUnseen(t *testing.T) {
	f := lexer.Parse("a.cpp", []byte(`#ifdef ELSEWHERE
static int
x(void)
{
	return x();
}
#endif
int x(int);
MAKE(x) { }
int y = x(1);
namespace geo { namespace { double x(double a) { return a; } } }
class box {
public:
	int x() const { return 1; }
	int z();
};
int geo::box::x() { return 2; }
#define x(a) int x(a) {}
extern "C" { void x(char *p) { } }
`))
	var got []string
	for token := range f.Mentions("x") {
		if s, ok := unseen(f, token); ok {
			got = append(got, fmt.Sprintf("%d %s %s|%s|%s", s.Location.Range.Start.Line, s.Kind, s.Package, s.Receiver, s.Name))
		}
	}
	want := []string{"3 function ||x", "11 function geo||x", "14 method |box|x", "17 method geo|box|x", "19 function ||x"}
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}
