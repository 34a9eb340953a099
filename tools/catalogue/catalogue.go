// Package catalogue describes the tools of a registry to whoever has not called them yet: a line for each, one tool in full, and all of
// them as the files TOOL.md and schema.json. It has the guide to programs that call tools, and answers HTTP requests for all of this.
//
// A model that loads every schema pays for each of them in every conversation. The list of lines costs what one or two schemas cost, and a
// tool in full is read when it is needed.
package catalogue

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"tidepool/tools"
)

// A Catalogue describes tools. It does not change and is safe for concurrent use.
type Catalogue struct {
	all   []tools.Definition // sorted by name
	intro string             // the first line of the index
}

// New returns the catalogue of tools that are sorted by name. intro says above the list how they are called.
func New(all []tools.Definition, intro string) *Catalogue { return &Catalogue{all, intro} }

// A group is a part of the index.
type group struct {
	title    string
	toolsets []string // packages
}

// groups returns the parts of the index in their order. The tools of a toolset that is in none of them come last, under its name.
func groups() []group {
	return []group{
		{"Code", []string{"code", "scout", "teach"}},
		{"Run, read, write", []string{"execution"}},
		{"Conversations", []string{"conversation"}},
		{"Memory", []string{"memory"}},
		{"Journal of hypotheses", []string{"journal"}},
		{"Work", []string{"work"}},
		{"Policies", []string{"policy"}},
		{"Skills and agents", []string{"skill"}},
		{"The user", []string{"people"}},
	}
}

// Index returns all tools, a line each, in groups.
func (c *Catalogue) Index() string {
	var b strings.Builder
	b.WriteString(c.intro + "\n")
	rest := slices.Clone(c.all)
	for _, g := range groups() {
		b.WriteString(section(g.title, rest, g.toolsets))
		rest = slices.DeleteFunc(rest, func(d tools.Definition) bool { return slices.Contains(g.toolsets, d.Toolset) })
	}
	for len(rest) > 0 {
		set := rest[0].Toolset
		b.WriteString(section(strings.ToUpper(set[:1])+set[1:], rest, []string{set}))
		rest = slices.DeleteFunc(rest, func(d tools.Definition) bool { return d.Toolset == set })
	}
	return b.String()
}

// section returns the lines of the tools of some toolsets; "" if there are none.
func section(title string, all []tools.Definition, toolsets []string) string {
	var b strings.Builder
	for _, d := range all {
		if slices.Contains(toolsets, d.Toolset) {
			fmt.Fprintf(&b, "%s(%s): %s\n", d.Name, strings.Join(required(d), ", "), d.Line)
		}
	}
	if b.Len() == 0 {
		return ""
	}
	return "\n" + title + "\n" + b.String()
}

// required returns the arguments that a call must have.
func required(d tools.Definition) []string {
	var schema struct{ Required []string }
	if err := json.Unmarshal(d.InputSchema, &schema); err != nil {
		return []string{"?"} // a registry has made the schema
	}
	return schema.Required
}

// find returns a tool. The error is a *tools.UnknownToolError.
func (c *Catalogue) find(name string) (tools.Definition, error) {
	at := slices.IndexFunc(c.all, func(d tools.Definition) bool { return d.Name == name })
	if at >= 0 {
		return c.all[at], nil
	}
	unknown := &tools.UnknownToolError{Name: name}
	for _, d := range c.all {
		unknown.Known = append(unknown.Known, d.Name)
	}
	return tools.Definition{}, unknown
}

// Tokens estimates what a text costs a model: four characters a token.
func Tokens(text string) int { return (len([]rune(text)) + 3) / 4 }
