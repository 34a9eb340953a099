package code

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tidepool/tools"
	"tidepool/tools/internal/query"
)

func showConstructors(t *testing.T, name string) *ShowConstructorsOutput {
	t.Helper()
	out, err := zoo.ShowConstructors(t.Context(), tools.Call{}, ShowConstructorsInput{TypeName: name})
	if err != nil {
		t.Fatalf("show_constructors %s: %v", name, err)
	}
	return out
}

func TestShowConstructors(t *testing.T) {
	tests := []struct {
		name, kind string
		listed     []string
		want       []string
		literals   int
	}{
		{"Color", "defined as int", []string{"5 constants", "2 functions"}, []string{
			"kinds/kinds.go:9 const Red = iota (iota is 0)", "kinds/kinds.go:11 const Green = iota (iota is 1)",
			"kinds/kinds.go:13 const Blue = iota (iota is 3)", "kinds/kinds.go:17 const Default = Color(1)",
			"kinds/more.go:4 const Violet = 9", "kinds/kinds.go:22 func ParseColor(string) (Color, error)",
			"paint/paint.go:54 func Canvas.Fill() k.Color",
		}, 0},
		{"Level", "defined as string", []string{"2 constants"}, []string{
			`kinds/kinds.go:28 const Low = "low"`, `kinds/kinds.go:28 const High = "high"`,
		}, 0},
		{"Shape", "interface", []string{"4 implementations", "1 function"}, []string{
			"kinds/kinds.go:38 Circle, struct", "kinds/kinds.go:45 *Square, struct", "kinds/kinds.go:52 Solid, interface",
			"paint/paint.go:48 paint.Canvas, struct",
			"kinds/kinds.go:58 func Largest(...Shape) Shape",
		}, 0},
		{"Animal", "interface", []string{"5 implementations"}, []string{
			"farm/farm.go:16 farm.Dog, struct", "zoo.go:55 Loud, interface", "zoo.go:61 *Dog, struct", "zoo.go:70 Cat, struct",
			"zoo.go:79 Puppy, struct",
		}, 0},
		{"model.Server", "struct", []string{"5 functions"}, []string{
			"model/model.go:103 func NewServer(string) *Server", "model/model.go:106 func Parse(string) (Server, error)",
			"model/model.go:109 func All() (map[string][]*Server, error)", "model/model.go:112 func Factory() func() *Server",
			"model/model.go:114 func Server.clone() *Server",
		}, 4},
		{"Option", "function type", []string{"1 function"}, []string{"kinds/kinds.go:64 func Radius(float64) Option"}, 0},
		{"Result", "struct", []string{"2 functions"}, []string{
			"kinds/kinds.go:73 func Ok(T) Result[T]", "kinds/kinds.go:76 func IntResult() *Result[int]",
		}, 1},
		{"Lonely", "struct", []string{}, nil, 0},
	}
	for _, tt := range tests {
		out := showConstructors(t, tt.name)
		var got []string
		for _, c := range out.Constructors {
			got = append(got, fmt.Sprintf("%s:%d %s", query.Relative(zoo.Root, c.File), c.Line, c.declared()))
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s:\n%s", tt.name, diff)
		}
		if out.Kind != tt.kind || !slices.Equal(out.Listed, tt.listed) || out.Literals != tt.literals || out.Total != len(tt.want) {
			t.Errorf("%s: %s, listed %q, %d literals, %d in all", tt.name, out.Kind, out.Listed, out.Literals, out.Total)
		}
	}
}

func TestImplementationFields(t *testing.T) {
	circle := showConstructors(t, "Shape").Constructors[0]
	if circle.Kind != "implementation" || !circle.IsRecord || !slices.Equal(circle.Fields, []string{"float64"}) {
		t.Errorf("got %+v", circle)
	}
}

func TestConstructorsOfAnAlias(t *testing.T) {
	out := showConstructors(t, "Alias")
	if out.Total != 5 || !slices.Equal(out.Followed, []string{"type Alias = Server, see model/model.go:13"}) {
		t.Errorf("%d constructors, followed %q", out.Total, out.Followed)
	}
}

func TestShowConstructorsText(t *testing.T) {
	want := `kinds/kinds.go:5: Color, defined as int  // Color is enum-like.
made by 5 constants and 2 functions
kinds/kinds.go:9: const Red = iota (iota is 0)  // warm
kinds/kinds.go:11: const Green = iota (iota is 1)  // Green is calm.
kinds/kinds.go:13: const Blue = iota (iota is 3)
kinds/kinds.go:17: const Default = Color(1)  // Default is one more, apart.
kinds/more.go:4: const Violet = 9  // Violet comes from another file.
kinds/kinds.go:22: func ParseColor(string) (Color, error)  // ParseColor makes one.
paint/paint.go:54: func Canvas.Fill() k.Color  // Fill writes and reads a field.`
	if diff := cmp.Diff(want, showConstructors(t, "Color").Text()); diff != "" {
		t.Error(diff)
	}
	lonely := showConstructors(t, "Lonely").Text()
	if want := "no constants, implementations or functions make it"; !strings.Contains(lonely, want) {
		t.Errorf("got %q", lonely)
	}
}

func TestConstructorsAreBounded(t *testing.T) {
	many := make([]query.Constructor, maxConstructors+5)
	out := &ShowConstructorsOutput{}
	out.list("constant", many)
	out.list("function", many[:3])
	if len(out.Constructors) != maxConstructors || out.Total != maxConstructors+8 {
		t.Errorf("%d of %d are kept", len(out.Constructors), out.Total)
	}
	if !slices.Equal(out.Listed, []string{"205 constants", "3 functions"}) {
		t.Errorf("listed %q", out.Listed)
	}
}
