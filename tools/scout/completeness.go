package scout

import (
	"slices"
	"strings"

	"tidepool/lsp"
	"tidepool/scout"
)

// concerning leaves out of a completeness what is missing of languages that cannot mention the symbols of an answer: what no
// server of TypeScript has read says nothing about a type of Go. All of it counts while the symbols are not known.
func concerning(a *scout.Answer, c lsp.Completeness) lsp.Completeness {
	languages := languagesOf(a)
	if len(languages) == 0 {
		return c
	}
	reason, state := c.Reason, lsp.Complete
	for _, s := range c.Servers {
		switch {
		case !mentions(s.Language, languages):
			reason = strings.Trim(strings.ReplaceAll("; "+reason+"; ", "; "+s.Reason+"; ", "; "), "; ")
		case s.State.Rank() > state.Rank():
			state = s.State
		}
	}
	if state == lsp.Complete && (reason != "" || c.UnsyncedFiles > 0) {
		state = lsp.Partial
	}
	if state.Rank() <= c.State.Rank() {
		c.State, c.Reason = state, reason
	}
	return c
}

// mentions reports whether code in a language may mention symbols of others: its own, and of Go and C each the other's.
func mentions(language string, others []string) bool {
	return slices.Contains(others, language) || language == "c" && slices.Contains(others, "go") || language == "go" && slices.Contains(others, "c")
}

// languagesOf lists the languages of the symbols that an answer is about.
func languagesOf(a *scout.Answer) []string {
	var all []string
	for _, s := range a.Symbols {
		for _, c := range s.Found[:s.Walked] {
			path, _, _ := strings.Cut(c.Location, ":")
			if language := lsp.LanguageOf(path); !slices.Contains(all, language) {
				all = append(all, language)
			}
		}
	}
	return all
}
