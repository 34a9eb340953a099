package python

import (
	"fmt"
	"slices"
	"testing"

	"tidepool/internal/lexer"
)

// A declaration has its kind, and the names of the classes and functions around it, whatever statements stand between.
func TestDeclaring(t *testing.T) {
	f := lexer.Parse("a.py", []byte(`import sys

@cached
async def x(a=(1,
2)):
    if a:
        def x(): pass

class C(
    Base,
):
    """x"""
    if sys.platform == "darwin":
        # x
        @property
        def x(self):
            return x
    else:
        class x: pass
    y = 1

    class D:
        def x(self):
            def x():
                pass
def x(): pass
`))
	var got []string
	for token := range f.Mentions("x") {
		if s, ok := declaring(f, token); ok {
			got = append(got, fmt.Sprintf("%d %s %s.%s", s.Location.Range.Start.Line, s.Kind, s.Receiver, s.Name))
		}
	}
	want := []string{"4 function .x", "7 function x.x", "16 method C.x", "19 class C.x", "23 method C.D.x", "24 function C.D.x.x", "26 function .x"}
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}
