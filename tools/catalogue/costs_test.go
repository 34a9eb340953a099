package catalogue_test

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"tidepool/tools"
	"tidepool/tools/catalogue"
)

// What discovery costs a model, at four characters a token. Claude Code puts the instructions and the bare names of all tools into every
// conversation; no tool is loaded with its schema unless tools.always_load names it. The list, one tool and the guide are read on demand.
const (
	alwaysLoaded = 900
	wholeList    = 1500
	oneTool      = 1100
	wholeGuide   = 400
)

func TestCostsOfDiscovery(t *testing.T) {
	var definitions []struct{ Name string }
	raw, err := os.ReadFile("../testdata/tools.golden.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(raw, &definitions); err != nil {
		t.Fatal(err)
	}
	var names strings.Builder
	for _, d := range definitions {
		names.WriteString("mcp__tidepool__" + d.Name + "\n")
	}
	index, page := readDoc(t, "TOOL.md"), ""
	list, pages, found := strings.Cut(index, "```\n\n## ")
	if !found {
		t.Fatal("TOOL.md has no list")
	}
	_, list, _ = strings.Cut(list, "```\n")
	for text := range strings.SplitSeq(pages, "\n## ") {
		if len(text) > len(page) {
			page = text
		}
	}
	for what, cost := range map[string]struct{ tokens, most int }{
		"always loaded":    {catalogue.Tokens(tools.Instructions() + names.String()), alwaysLoaded},
		"the list":         {catalogue.Tokens(list), wholeList},
		"the longest tool": {catalogue.Tokens(page), oneTool},
		"the guide":        {catalogue.Tokens(catalogue.Guide()), wholeGuide},
	} {
		t.Logf("%s: %d tokens", what, cost.tokens)
		if cost.tokens > cost.most {
			t.Errorf("%s: %d tokens, at most %d", what, cost.tokens, cost.most)
		}
	}
}

func readDoc(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile("../../docs/tools/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
