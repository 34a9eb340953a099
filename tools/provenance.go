package tools

import (
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"tidepool/internal/gosyntax"
	"tidepool/lsp"
	"tidepool/scout"
)

// headLines is how many lines at the head of a file may say that a program has written it.
const headLines = 20

var (
	headComment = regexp.MustCompile(`^\s*(//|#|/\*|\*|--|\{-|;|%|<!--)`)
	saysWritten = regexp.MustCompile(`(?i)@generated\b|\bgenerated\b.*\bdo not (edit|modify|change)|\bdo not (edit|modify|change)\b.*\bgenerated\b|\b(this file (is|was)|automatically|auto-?) ?(auto-?|automatically )?generated\b`)
	saysWriter  = regexp.MustCompile(`(?i)\bgenerated (?:automatically )?(?:by|with|from|using) (?:the )?["'` + "`" + `]?(.+?)["'` + "`" + `]?(?:[.;,!]? +do not\b.*|[.;,!]? *\*/|[.;,!])?$`)
)

// placeTraits are the traits of a place that follow from where it stands: what has written the file, which builds have it.
func (g *graph) placeTraits(l lsp.Location) []scout.Trait {
	known := languageWith(languageOfPath(l.Path))
	var traits []scout.Trait
	if by, ok := g.writer(known, l.Path); ok {
		traits = append(traits, scout.Trait{Name: scout.TraitGenerated, Detail: by})
	}
	if known.needs == nil {
		return traits
	}
	if needs := known.needs(&g.inquiry, l); needs != "" {
		traits = append(traits, scout.Trait{Name: scout.TraitTagged, Detail: needs})
	}
	if known.leftOut != nil && g.isLeftOut(known, l.Path) {
		traits = append(traits, scout.Trait{Name: scout.TraitLeftOut})
	}
	return traits
}

// A provenance is where a file comes from and goes.
type provenance struct {
	written bool
	by      string
	leftOut *bool // nil: nobody has asked
}

func (g *graph) provenanceOf(path string) *provenance {
	if g.provenances == nil {
		g.provenances = make(map[string]*provenance)
	}
	return g.provenances[path]
}

// writer is what has written a file; false if no program has.
func (g *graph) writer(known language, path string) (string, bool) {
	p := g.provenanceOf(path)
	if p == nil {
		p = new(provenance)
		g.provenances[path] = p
		if known.writer != nil {
			p.by, p.written = known.writer(&g.inquiry, path)
		} else if f, err := g.source(path); err == nil {
			p.by, p.written = writtenBy(f)
		}
	}
	return p.by, p.written
}

func (g *graph) isLeftOut(known language, path string) bool {
	p := g.provenanceOf(path)
	if p.leftOut == nil {
		out := known.leftOut(path)
		p.leftOut = &out
	}
	return *p.leftOut
}

// writtenBy reads the comment at the head of a file that a program may have written.
func writtenBy(f source) (by string, ok bool) {
	for n := 1; n <= min(f.Lines(), headLines); n++ {
		line := f.Line(n)
		if !headComment.MatchString(line) || !saysWritten.MatchString(line) {
			continue
		}
		if found := saysWriter.FindStringSubmatch(strings.TrimSpace(line)); found != nil {
			by = strings.TrimSpace(found[1])
		}
		return by, true
	}
	return "", false
}

// goWriter is what the head of a Go file says has written it, or the command of a go:generate line of its package that
// runs that.
func goWriter(q *inquiry, path string) (by string, ok bool) {
	f, err := q.files.Open(path)
	if err != nil || !f.Generated() {
		return "", false
	}
	by = f.Generator()
	var commands []string
	for _, other := range q.files.Package(path) {
		commands = append(commands, other.Generate()...)
	}
	if command, ok := goGenerates(commands, by, filepath.Base(path)); ok {
		by = command
	}
	return by, true
}

// goGenerates finds the one command that names what has written a file, with all that it says of how, or else the file.
func goGenerates(commands []string, by, file string) (string, bool) {
	said := strings.FieldsFunc(by, func(r rune) bool { return r == ' ' || r == '=' })
	if len(said) > 0 {
		said[0] = strings.TrimSuffix(filepath.Base(said[0]), ".go")
	}
	for _, wanted := range [][]string{said, said[:min(len(said), 1)], {file}} {
		fitting := slices.DeleteFunc(slices.Clone(commands), func(command string) bool {
			words := strings.FieldsFunc(command, func(r rune) bool { return r == ' ' || r == '=' })
			for i, word := range words {
				words[i] = strings.TrimSuffix(filepath.Base(word), ".go")
			}
			return len(wanted) == 0 || slices.ContainsFunc(wanted, func(word string) bool { return !slices.Contains(words, strings.TrimSuffix(word, ".go")) })
		})
		if len(fitting) == 1 {
			return fitting[0], true
		}
	}
	return "", false
}

// goNeeds is what a build needs to have a Go file.
func goNeeds(q *inquiry, l lsp.Location) string {
	f, err := q.files.Open(l.Path)
	if err != nil {
		return ""
	}
	return f.Constraint()
}

// goElements is the trait of a composite literal of a type.
func goElements(e gosyntax.Elements) []scout.Trait {
	switch e {
	case gosyntax.Keyed:
		return []scout.Trait{{Name: scout.TraitKeyed}}
	case gosyntax.Unkeyed:
		return []scout.Trait{{Name: scout.TraitUnkeyed}}
	}
	return nil
}
