package teach_test

import (
	"strings"
	"testing"

	"tidepool/teach"
)

func TestHeuristic(t *testing.T) {
	link := func(name, kind string, relation teach.Relation, times int) teach.Link {
		return teach.Link{To: teach.Symbol{ID: name, Name: name, Kind: kind}, Relation: relation, Times: times}
	}
	tests := []struct {
		topic, of  string
		candidates []teach.Link
		want       string
	}{
		{"how is a request routed", "Mux.ServeHTTP", []teach.Link{
			link("pool", "variable", teach.Body, 1), link("Mux.Use", "method", teach.Method, 1), link("Mux", "struct", teach.Signature, 1),
			link("Mux.routeHTTP", "method", teach.Body, 1), link("Router", "interface", teach.Signature, 2),
		}, "Mux Router Mux.routeHTTP"},
		{"what writes", "Entry.Write", []teach.Link{
			link("a.Sync", "method", teach.Dispatch, 1), link("b.Write", "method", teach.Dispatch, 1), link("clock", "function", teach.Body, 4),
		}, "b.Write clock a.Sync"},
		{"parsing JSON", "Parse", []teach.Link{
			link("max", "constant", teach.Signature, 3), link("parseHTTPHeader", "function", teach.Body, 1), link("jsonLexer", "struct", teach.Body, 1),
		}, "parseHTTPHeader jsonLexer max"},
		{"what closes it", "Mux", []teach.Link{link("Mux.Use", "method", teach.Method, 1), link("Mux.Close", "method", teach.Method, 1)}, ""},
	}
	seed := teach.Question{Topic: "what closes it", Seed: true, Candidates: []teach.Link{
		link("Mux.Use", "method", teach.Method, 1), link("Mux.Close", "method", teach.Method, 1),
	}}
	if chosen, err := (teach.Heuristic{}).Select(t.Context(), seed); err != nil || len(chosen) != 1 || chosen[0] != 1 {
		t.Errorf("methods of a seed: %v, %v", chosen, err)
	}
	for _, tt := range tests {
		q := teach.Question{Topic: tt.topic, Of: teach.Symbol{Name: tt.of}, Candidates: tt.candidates}
		chosen, err := teach.Heuristic{}.Select(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, i := range chosen {
			got = append(got, tt.candidates[i].To.Name)
		}
		if strings.Join(got, " ") != tt.want {
			t.Errorf("%s of %s: %v, want %s", tt.topic, tt.of, got, tt.want)
		}
	}
}
