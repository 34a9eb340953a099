package rules

import "testing"

// mostFiles is how many files a package may have, those of its tests apart: one with more holds two thoughts.
const mostFiles = 25

func TestRulePackagesAreSmall(t *testing.T) {
	for _, p := range goList(t, "./...", "./agent/...") {
		if len(p.GoFiles) > mostFiles {
			t.Errorf("%s has %d files, at most %d", p.ImportPath, len(p.GoFiles), mostFiles)
		}
	}
}
