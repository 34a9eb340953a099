package golang_test

import (
	"strings"
	"testing"

	"tidepool/internal/golang/analysis"
	"tidepool/scout"
	"tidepool/tools/internal/lang/langtest"
	"tidepool/tools/internal/toolstest"
)

// What the analysis process cannot tell costs its part of the answer, which says so.
func TestAnalysisFails(t *testing.T) {
	code := langtest.Subject{Tree: toolstest.Module(t, map[string]string{
		"a.go":       "package m\n\nimport \"errors\"\n\ntype Base struct{}\n\nfunc (Base) Run() error { return errors.New(\"\") }\n\ntype Outer struct{ Base }\n\nfunc use(o Outer) error { return o.Run() }\n",
		"a_plan9.go": "package m\n\nvar other = Base{}.Run\n",
	})}
	code.Go.Analysis = toolstest.Analysis(t, analysis.Options{Limit: 1})
	const why = " is not known: the analysis of the packages needed more than 0 MB (memory.budget)"
	for _, tt := range []struct {
		kind  scout.ChangeKind
		edges string // contained
		doubt string
	}{
		{scout.ChangeBehavior, "", "which tests run it" + why},
		{scout.ReturnError, "", "who passes its error on" + why},
		{scout.Other, "a.go:11: call in use", "what becomes of errors and promoted names where it is used" + why},
		{scout.Other, "a.go:11: call in use", "where files for other systems use it" + why},
	} {
		g := code.Walk(t)
		nodes, err := g.Resolve(t.Context(), "Base.Run")
		if err != nil {
			t.Fatal(err)
		}
		edges, err := g.Edges(t.Context(), nodes[0], scout.Change{Kind: tt.kind})
		if err != nil {
			t.Fatal(err)
		}
		var lines []string
		for _, e := range edges {
			lines = append(lines, e.To.Location()+": "+string(e.Role)+" in "+e.To.Name)
		}
		got := strings.Join(lines, "\n")
		if !strings.Contains(got, tt.edges) || tt.edges == "" && got != "" {
			t.Errorf("%s: %s\nwant %q", tt.kind, got, tt.edges)
		}
		if doubts := langtest.Doubts(g); !strings.Contains(doubts, tt.doubt) {
			t.Errorf("%s: doubts %q, want %q", tt.kind, doubts, tt.doubt)
		}
	}
	g := code.Walk(t)
	nodes, err := g.Resolve(t.Context(), "Base.Run")
	if err != nil {
		t.Fatal(err)
	}
	verdict, err := g.Check(t.Context(), scout.Change{Kind: scout.AddParameter}, nodes)
	if err != nil || len(verdict.Broken) != 1 {
		t.Errorf("%+v, %v", verdict.Broken, err)
	}
	if doubts := langtest.Doubts(g); !strings.Contains(doubts, "what breaks on other systems"+why) {
		t.Errorf("doubts %q", doubts)
	}
}
