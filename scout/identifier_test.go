package scout

import (
	"slices"
	"testing"
)

func TestIdentifiersIn(t *testing.T) {
	for text, want := range map[string][]string{
		"remove the field background in Canvas":                           {"Canvas.background"},
		"What breaks if I drop field `age` from the struct memory.Store?": {"memory.Store.age"},
		"rename Router.Post to Router.Submit":                             {"Router.Post"},
		"rename `Post` to `Submit`":                                       {"Post"},
		"change Config.Timeout from int to time.Duration":                 {"Config.Timeout"},
		"change the type of Config.Timeout to big.Int":                    {"Config.Timeout"},
		"add a method CloseAll to io.Closer":                              {"io.Closer"},
		"add a field maxRetries to Config.Http":                           {"Config.Http"},
		"how do Registry.Discover and CamelCase work":                     {"Registry.Discover", "CamelCase"},
		"move geo.Point to shape.Point":                                   {"geo.Point"},
		"URLParam returns (string, bool)":                                 {"URLParam"},
		"Mux should be an interface":                                      {"Mux"},
		"are URLs of HTTPServer kept?":                                    {"HTTPServer"},
		"does a call of parse_line fail?":                                 {"parse_line"},
	} {
		tiers := identifiersIn(text)
		if len(tiers) == 0 || !slices.Equal(tiers[0], want) {
			t.Errorf("%q names %q, want %q first", text, tiers, want)
		}
	}
}
