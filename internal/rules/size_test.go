package rules

import (
	"strings"
	"testing"
)

// mostFiles is how many files a package may have, those of its tests apart: one with more holds two thoughts.
const mostFiles = 25

// larger are the packages that have more, and how many they may have until they are cut.
var larger = map[string]int{"lsp": 51}

func TestRulePackagesAreSmall(t *testing.T) {
	for _, p := range goList(t, "./...", "./agent/...") {
		name := strings.TrimPrefix(p.ImportPath, "tidepool/")
		if most := max(mostFiles, larger[name]); len(p.GoFiles) > most {
			t.Errorf("%s has %d files, at most %d", name, len(p.GoFiles), most)
		}
	}
}
