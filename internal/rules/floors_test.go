package rules

import (
	"regexp"
	"strings"
	"testing"
)

// The floors of CLAUDE.md are those of the imports: a package imports from its own floor and from lower ones.
func TestRuleImportsFollowTheFloors(t *testing.T) {
	floors := floorsOf(readDoc(t, "CLAUDE.md"))
	for _, p := range goList(t, "./...", "./agent/...") {
		from := strings.TrimPrefix(p.ImportPath, "tidepool/")
		for _, imported := range p.Imports {
			to, ours := strings.CutPrefix(imported, "tidepool/")
			if ours && floorOf(floors, to) < floorOf(floors, from) {
				t.Errorf("%s imports %s, which stands on a higher floor of CLAUDE.md", from, to)
			}
		}
	}
}

// floorsOf returns the number of the floor, counted from the top, of each directory that the map names.
func floorsOf(page string) map[string]int {
	_, page, _ = strings.Cut(page, "\n## Where things are\n")
	page, _, _ = strings.Cut(page, "\n| to find")
	floors := make(map[string]int)
	for i, floor := range strings.Split(page, "\n* **") {
		for _, named := range regexp.MustCompile("`([a-z/]+)/`").FindAllStringSubmatch(floor, -1) {
			floors[named[1]] = i
		}
	}
	return floors
}

// floorOf returns the floor of the nearest directory at or above a package; 0, above all others, if the map names none.
func floorOf(floors map[string]int, dir string) int {
	for dir != "" {
		if floor, ok := floors[dir]; ok {
			return floor
		}
		dir = dir[:max(strings.LastIndexByte(dir, '/'), 0)]
	}
	return 0
}
