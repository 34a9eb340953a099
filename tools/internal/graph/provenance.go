package graph

import (
	"slices"
	"strings"

	"tidepool/lsp"
	"tidepool/scout"
	"tidepool/tools/internal/query"
)

// headLines is how many lines at the head of a file may say that a program has written it.
const headLines = 20

var (
	headComment = pattern(`^\s*(//|#|/\*|\*|--|\{-|;|%|<!--)`)
	saysWritten = pattern(`(?i)@generated\b|\bgenerated\b.*\bdo not (edit|modify|change)|\bdo not (edit|modify|change)\b.*\bgenerated\b|\bthis file (is|was|has been) (auto-?|automatically )?generated\b|^\W*(auto-?|automatically )generated (by|from|file)\b`)
	saysWriter  = pattern(`(?i)\bgenerated (?:automatically )?(?:by|with|from|using) (?:the )?["'` + "`" + `]?(.+?)["'` + "`" + `]?(?:[.;,!]? +do not\b.*|[.;,!]? *\*/|[.;,!])?$`)
)

// placeTraits returns the traits of a place that follow from where it stands: what has written the file, which builds have it.
func (g *Graph) placeTraits(l lsp.Location) []scout.Trait {
	p := g.provenanceOf(l.Path)
	traits := slices.Clone(p.traits)
	if p.needs != nil {
		if needs := p.needs(l.Range.Start.Line); needs != "" {
			traits = append(traits, scout.Trait{Name: scout.TraitTagged, Detail: needs})
		}
	}
	if p.leftOut {
		traits = append(traits, scout.Trait{Name: scout.TraitLeftOut})
	}
	return traits
}

// FileTraits returns the traits of the place at which n is declared.
func (g *Graph) FileTraits(n scout.Node) []scout.Trait { return g.placeTraits(g.Located(n)) }

// A provenance is where a file comes from, and where it goes.
type provenance struct {
	traits  []scout.Trait
	needs   func(line int) string // nil: it cannot be told
	leftOut bool
}

// provenanceOf looks at a file once.
func (g *Graph) provenanceOf(path string) *provenance {
	if p := g.provenances[path]; p != nil {
		return p
	}
	known, p := g.Languages(lsp.LanguageOf(path)), new(provenance)
	by, ok := "", false
	if known.Writer != nil {
		by, ok = known.Writer(&g.Query, path)
	} else if f, err := g.Source(path); err == nil {
		by, ok = writtenBy(f)
	}
	if ok {
		p.traits = append(p.traits, scout.Trait{Name: scout.TraitGenerated, Detail: by})
	}
	if known.Needs != nil {
		p.needs = known.Needs(&g.Query, path)
	}
	p.leftOut = known.LeftOut != nil && known.LeftOut(path)
	if g.provenances == nil {
		g.provenances = make(map[string]*provenance)
	}
	g.provenances[path] = p
	return p
}

// writtenBy reads the comment at the head of a file that a program may have written.
func writtenBy(f query.Source) (by string, ok bool) {
	for n := 1; n <= min(f.Lines(), headLines); n++ {
		line := f.Line(n)
		if !headComment().MatchString(line) || !saysWritten().MatchString(line) {
			continue
		}
		if found := saysWriter().FindStringSubmatch(strings.TrimSpace(line)); found != nil {
			by, _, _ = strings.Cut(found[1], " with ")
			by = strings.TrimSpace(by)
		}
		return by, true
	}
	return "", false
}
