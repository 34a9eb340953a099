package scout

import (
	"fmt"
	"slices"
	"strings"

	"tidepool/lsp"
	"tidepool/scout"
	"tidepool/scout/render"
	"tidepool/tools/internal/graph"
	"tidepool/tools/internal/page"
)

// Output is what scout returns: the walk's answer, with how complete the code it walked was and what it cost.
type Output struct {
	*scout.Answer
	Limits      []string           `json:"limits,omitempty"`            // declarations with more references than were looked at
	Unsupported []unsupportedRoles `json:"roles_unsupported,omitempty"` // that would belong to the answer
	Languages   []languageRoles    `json:"languages"`                   // what scout can report for the languages of the symbols
	Tests       *graph.TestRuns    `json:"tests,omitempty"`             // how it is known which tests run a function of Go

	Advice   string `json:"advice,omitempty"` // how to have another scorer
	Requests int    `json:"requests"`         // to language servers
	MS       int64  `json:"ms"`               // milliseconds that the answer took
	ModelMS  int64  `json:"model_ms"`         // of them, the scorer's
}

// Text renders the answer for a model.
func (o *Output) Text() string {
	var p page.Page
	p.WriteString(strings.TrimRight(render.Text(o.Answer), "\n") + "\n")
	for _, limit := range o.Limits {
		p.Line("%s", limit)
	}
	if o.Tests != nil {
		writeTests(&p, o.Tests)
	}
	for _, u := range o.Unsupported {
		p.Line("(%s)", u)
	}
	completeness, _ := o.Completeness.(lsp.Completeness)
	text := p.Closing(completeness)
	if o.Advice != "" {
		text += "\n(rules put this in order; " + o.Advice + ")"
	}
	return text
}

// unsupportedRoles are the roles that cannot be told in a language.
type unsupportedRoles struct {
	Language string       `json:"language"`
	Roles    []scout.Role `json:"roles"`
}

func (u unsupportedRoles) String() string {
	names := make([]string, len(u.Roles))
	for i, role := range u.Roles {
		names[i] = string(role)
	}
	return fmt.Sprintf("in %s scout does not find every %s", u.Language, strings.Join(names, " and "))
}

// unsupported lists what an answer is made of that the languages of its symbols do not let scout find.
func unsupported(g *graph.Graph, a *scout.Answer) []unsupportedRoles {
	var all []unsupportedRoles
	for _, symbol := range a.Symbols {
		for _, c := range symbol.Found[:symbol.Walked] {
			path, _, _ := strings.Cut(c.Location, ":")
			u := unsupportedRoles{Language: lsp.LanguageOf(path)}
			for _, role := range a.Understood.Change.Roles() {
				if slices.Contains(g.Known(u.Language).Hidden, role) {
					u.Roles = append(u.Roles, role)
				}
			}
			again := slices.ContainsFunc(all, func(other unsupportedRoles) bool { return other.Language == u.Language })
			if len(u.Roles) > 0 && !again {
				all = append(all, u)
			}
		}
	}
	return all
}
