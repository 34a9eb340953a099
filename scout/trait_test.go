package scout_test

import (
	"strings"
	"testing"

	"tidepool/scout"
	"tidepool/scout/render"
	"tidepool/scout/scouttest"
)

// What a kind of change asks for at a place depends on its traits.
func TestActionsByTrait(t *testing.T) {
	for _, tt := range []struct {
		kind  scout.ChangeKind
		edge  scout.Edge
		want  string
		leads bool // the walk goes on from there
	}{
		{scout.RemoveField, scout.Edge{Role: scout.RoleLiteral, Traits: traits(scout.TraitKeyed, "")}, "drop the field from the literal", false},
		{scout.RemoveField, scout.Edge{Role: scout.RoleLiteral, Traits: traits(scout.TraitUnkeyed, "")}, "drop its value", false},
		{scout.RemoveField, scout.Edge{Role: scout.RolePromotion}, "no longer promoted", false},
		{scout.AddVariant, scout.Edge{Role: scout.RoleSwitch}, "add a case", false},
		{scout.AddVariant, scout.Edge{Role: scout.RoleSwitch, Traits: traits(scout.TraitText, "T.String")}, "name the new variant", false},
		{scout.AddVariant, scout.Edge{Role: scout.RoleStringMethod}, "see that it names the new variant", false},
		{scout.AddVariant, scout.Edge{Role: scout.RoleStringMethod, Traits: traits(scout.TraitGenerated, "stringer -type=T")}, "regenerate with stringer -type=T", false},
		{scout.AddVariant, scout.Edge{Role: scout.RoleMember, Traits: traits(scout.TraitGenerated, "")}, "", false},
		{scout.AddMethod, scout.Edge{Role: scout.RoleMock, Fix: "add it", Traits: traits(scout.TraitGenerated, "")}, "regenerate it, do not edit", true},
		{scout.ReturnError, scout.Edge{Role: scout.RoleCall, Traits: traits(scout.TraitPropagates, "")}, "handle or pass on the error", true},
		{scout.ReturnError, scout.Edge{Role: scout.RoleCall, Traits: traits(scout.TraitHandles, "")}, "see that it handles the new error", false},
		{scout.ReturnError, scout.Edge{Role: scout.RoleCall, Traits: traits(scout.TraitDrops, "")}, "it drops the error: handle it or pass it on", false},
		{scout.Other, scout.Edge{Role: scout.RoleLiteral, Traits: traits(scout.TraitUnkeyed, "")}, "breaks if a field is added or removed", false},
		{scout.ChangeBehavior, scout.Edge{Role: scout.RoleTest, Traits: traits(scout.TraitGenerated, "mockgen")}, "run this test", false},
	} {
		g := new(scouttest.Graph)
		root, behind := scout.Node{Name: "F", Path: "f.go", Line: 1}, scout.Node{Name: "G", Path: "g.go", Line: 1}
		g.Name("F", root)
		tt.edge.To = behind
		g.Link(root, tt.edge)
		g.Link(behind, scout.Edge{To: scout.Node{Name: "H", Path: "h.go", Line: 1}, Role: tt.edge.Role})
		a, err := scout.Walk(t.Context(), g, scout.Heuristic{}, scout.Query{Text: "?", Symbols: []string{"F"}, Change: scout.Change{Kind: tt.kind}}, scout.Options{})
		if err != nil {
			t.Fatal(err)
		}
		action := ""
		if len(a.Pointers) > 1 {
			action = a.Pointers[1].Action
		}
		if leads := len(a.Pointers) > 2; action != tt.want || leads != tt.leads {
			t.Errorf("%s of a %s: %q, goes on: %t; want %q, %t", tt.kind, scout.Manner(tt.edge.Role, tt.edge.Traits), action, leads, tt.want, tt.leads)
		}
	}
}

func traits(name scout.TraitName, detail string) []scout.Trait {
	return []scout.Trait{{Name: name, Detail: detail}}
}

// Beside the file stands what a build needs to have it, if this one does not and its name does not say so.
func TestTextSaysWhichBuildHasAFile(t *testing.T) {
	g := new(scouttest.Graph)
	root := scout.Node{Name: "F", Path: "f.go", Line: 1}
	g.Name("F", root)
	for path, needs := range map[string]string{"cgo.go": "cgo && !race", "net_windows_test.go": "windows", "net_linux.go": "unix && arm64"} {
		made := []scout.Trait{{Name: scout.TraitTagged, Detail: needs}, {Name: scout.TraitLeftOut}}
		g.Link(root, scout.Edge{To: scout.Node{Path: path, Line: 2}, Role: scout.RoleCall, Traits: made})
	}
	g.Link(root, scout.Edge{To: scout.Node{Path: "here.go", Line: 2}, Role: scout.RoleCall, Traits: traits(scout.TraitTagged, "linux")})
	a, err := scout.Walk(t.Context(), g, scout.Heuristic{}, scout.Query{Text: "?", Symbols: []string{"F"}, Change: scout.Change{Kind: scout.AddParameter}}, scout.Options{})
	if err != nil {
		t.Fatal(err)
	}
	want := "cgo.go:2 [cgo && !race]\nhere.go:2\nnet_linux.go:2 [unix && arm64]\nnet_windows_test.go:2\n"
	if text := render.Text(a); !strings.HasSuffix(text, want) {
		t.Errorf("%s\nwant at its end\n%s", text, want)
	}
}

// An open question shows how a place does what its role says.
func TestTextOfOpenQuestionsSaysTheManner(t *testing.T) {
	e := scout.Edge{Role: scout.RoleLiteral, Traits: []scout.Trait{
		{Name: scout.TraitUnkeyed}, {Name: scout.TraitPromoted, Detail: "Base"}, {Name: scout.TraitGenerated, Detail: "x"},
	}}
	if got, want := scout.Manner(e.Role, e.Traits), "composite literal, unkeyed, promoted"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if _, ok := e.Trait(scout.TraitTest); ok {
		t.Error("has a trait that it has not")
	}
	g := new(scouttest.Graph)
	root := scout.Node{Name: "F", Path: "f.go", Line: 1}
	g.Name("F", root)
	for i, name := range []scout.TraitName{scout.TraitDrops, scout.TraitPropagates} {
		g.Link(root, scout.Edge{To: scout.Node{Path: "g.go", Line: i + 2}, Role: scout.RoleCall, Traits: traits(name, "")})
	}
	a, err := scout.Walk(t.Context(), g, scout.Heuristic{}, scout.Query{Text: "?", Symbols: []string{"F"}, Change: scout.Change{Kind: scout.Other}}, scout.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if text := render.Text(a); !strings.Contains(text, "call, error dropped") || strings.Contains(text, "propagation") {
		t.Errorf("want only what warns in the text:\n%s", text)
	}
}

// A declaration that a program has written is not to be edited, and the answer says so at once.
func TestTextSaysThatTheSymbolIsGenerated(t *testing.T) {
	g := new(scouttest.Graph)
	root := scout.Node{Name: "F", Path: "f.pb.go", Line: 1}
	g.Name("F", root)
	g.Link(root, scout.Edge{To: scout.Node{Path: "g.go", Line: 2}, Role: scout.RoleCall})
	q := scout.Query{Text: "?", Symbols: []string{"F"}, Change: scout.Change{Kind: scout.AddParameter}}
	a, err := scout.Walk(t.Context(), generated{g}, scout.Heuristic{}, q, scout.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if p := a.Pointers[0]; p.Action != "regenerate with protoc-gen-go" || len(p.Traits) != 1 {
		t.Errorf("the symbol is to be treated so: %+v", p)
	}
	if want := "Adding a parameter to F (f.pb.go:1, generated) touches 1 call.\n"; !strings.HasPrefix(render.Text(a), want) {
		t.Errorf("%s\nwant at its beginning\n%s", render.Text(a), want)
	}
}

// A generated graph stands in a file that a program has written.
type generated struct{ *scouttest.Graph }

func (generated) FileTraits(scout.Node) []scout.Trait {
	return traits(scout.TraitGenerated, "protoc-gen-go")
}
