package render

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"tidepool/internal/wording"
	"tidepool/scout"
)

// manyGenerated is from how many files on those that one program has written are told as a group: nobody edits them one by one.
const manyGenerated = 5

// A group is the places in the files that one program has written.
type group struct {
	places []scout.Pointer
	files  map[string]bool
}

// grouped takes the places out that are in many files of one program, and returns them as groups, the largest first.
func grouped(places []scout.Pointer) (rest []scout.Pointer, groups []*group) {
	byProgram := make(map[string]*group)
	for _, p := range places {
		if program, ok := writerOf(p); ok {
			g := byProgram[program]
			if g == nil {
				g = &group{files: make(map[string]bool)}
				byProgram[program] = g
				groups = append(groups, g)
			}
			file, _ := p.Place()
			g.places, g.files[file] = append(g.places, p), true
		}
	}
	groups = slices.DeleteFunc(groups, func(g *group) bool { return len(g.files) < manyGenerated })
	slices.SortStableFunc(groups, func(a, b *group) int { return cmp.Compare(len(b.places), len(a.places)) })
	rest = slices.DeleteFunc(slices.Clone(places), func(p scout.Pointer) bool {
		program, ok := writerOf(p)
		return ok && slices.Contains(groups, byProgram[program])
	})
	return rest, groups
}

// writerOf returns what tells the program that has written the file of a place from others: how the file names it, or else the
// file's own name. false: no program has written it.
func writerOf(p scout.Pointer) (string, bool) {
	by, generated := scout.TraitOf(p.Traits, scout.TraitGenerated)
	file, _ := p.Place()
	return cmp.Or(by.Detail, path.Base(file)), generated
}

// String is "1140 places in 380 generated files such as service/acm/api.go:12: regenerate with gen-api".
func (g *group) String() string {
	var actions []string
	for _, p := range g.places {
		if p.Action != "" && !slices.Contains(actions, p.Action) {
			actions = append(actions, p.Action)
		}
	}
	text := fmt.Sprintf("%s in %d generated files such as %s", wording.Count(len(g.places), "place"), len(g.files), g.places[0].Location)
	if len(actions) > 0 {
		text += ": " + strings.Join(actions, "; ")
	}
	return text
}
