package scout

import (
	"fmt"
	"strings"
	"testing"

	"tidepool/scout"
	"tidepool/tools/internal/lang/langtest"
	"tidepool/tools/internal/toolstest"
)

func TestTypeSwitches(t *testing.T) {
	tests := []struct{ language, project, want string }{
		{"typescript", `
-- tsconfig.json --
{"compilerOptions": {"strict": true, "types": []}}
-- shape.ts --
export abstract class Shape {}
export class Circle extends Shape { r = 1 }
export class Square extends Shape { a = 1 }
export function area(s: Shape): number {
  if (s instanceof Circle) return s.r;
  if (s instanceof Square) return s.a;
  return 0;
}
export const round = (s: Shape) => s instanceof Circle;
`, "shape.ts:5 area: tests for 2 of 2 types of Shape"},
		{"python", `
-- pyproject.toml --
-- shape.py --
class Shape: pass
class Circle(Shape): pass
class Square(Shape): pass
class Dot(Shape): pass
def area(s):
    if isinstance(s, (Circle, Square)):
        return 1
def name(s):
    match s:
        case Circle(): return "circle"
        case Dot(): return "dot"
def round(s):
    return isinstance(s, Circle)
`, "shape.py:6 area: tests for 2 of 3 types of Shape; shape.py:10 name: tests for 2 of 3 types of Shape"},
	}
	for _, tt := range tests {
		served := langtest.Subject{Tree: toolstest.Serve(t, t.TempDir(), tt.language, tt.project)}
		g := served.Walk(t)
		nodes, err := g.Resolve(t.Context(), "Shape")
		if err != nil {
			t.Fatal(err)
		}
		edges, err := g.Edges(t.Context(), nodes[0], scout.Change{Kind: scout.AddImplementation})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, e := range edges {
			if e.Role == scout.RoleTypeSwitch {
				got = append(got, fmt.Sprintf("%s %s: %s", e.To.Location(), e.Enclosing, e.Reason))
			}
		}
		if text := strings.Join(got, "; "); text != tt.want {
			t.Errorf("%s: got %s, want %s", tt.language, text, tt.want)
		}
	}
}

// What an answer does not find is said of the languages alone that have it.
func TestHiddenRoles(t *testing.T) {
	for id, want := range map[string][]scout.Role{
		"go": nil, "typescript": {scout.RoleTable}, "python": {scout.RoleExample}, "c": {scout.RoleTypeSwitch},
		"rust": {scout.RoleSwitch, scout.RoleTypeSwitch, scout.RoleTable, scout.RoleExample}, "cobol": nil,
	} {
		if got := none().Known(id).Hidden; fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%s hides %v, want %v", id, got, want)
		}
	}
}
