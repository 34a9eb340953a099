package render

import (
	"fmt"
	"strconv"
	"strings"

	"tidepool/internal/mermaid"
	"tidepool/scout"
)

// maxNodes bounds the declarations of a diagram: with more of them nobody finds one.
const maxNodes = 100

// Mermaid draws an answer as a flowchart in the Mermaid language: what is to be changed, and, by file, the declarations that break
// for certain (thick arrows) and those that must be looked at (dotted ones), each with its lines. It ends with a line feed.
func Mermaid(a *scout.Answer) string {
	certain, others := a.Touched()
	c := &chart{}
	c.add(a.Understood.Change, certain, "==>", "breaks")
	c.add(a.Understood.Change, others, "-.->", "look")
	var b strings.Builder
	b.WriteString("flowchart LR\n")
	fmt.Fprintf(&b, "  change([\"%s\"])\n", mermaid.Label(subjectOf(a)))
	for i, file := range c.files {
		fmt.Fprintf(&b, "  subgraph f%d[\"%s\"]\n%s  end\n", i+1, mermaid.Label(file.path), file.nodes.String())
	}
	if c.left > 0 {
		fmt.Fprintf(&b, "  more[\"and %d more\"]\n", c.left)
	}
	b.WriteString(c.arrows.String())
	b.WriteString("  classDef breaks stroke:#cc3311,stroke-width:3px\n  classDef look stroke:#767676,stroke-dasharray:4\n")
	return b.String()
}

// subjectOf returns the names that an answer is about, or its question's kind if there are none.
func subjectOf(a *scout.Answer) string {
	var names []string
	for _, s := range a.Symbols {
		names = append(names, s.Name)
	}
	if len(names) == 0 {
		return "the question"
	}
	return strings.Join(names, " ")
}

// A chart is what a flowchart shows, while it is collected.
type chart struct {
	files  []*chartFile
	nodes  int
	left   int // declarations beyond maxNodes
	arrows strings.Builder
}

// A chartFile is one file with its declarations.
type chartFile struct {
	path  string
	nodes strings.Builder
}

// add puts the declarations of places into the chart, each with an arrow of that kind and a class.
func (c *chart) add(kind scout.ChangeKind, places []scout.Pointer, arrow, class string) {
	for _, r := range rowsOf(kind, places, func(scout.Pointer) string { return "" }) {
		if c.nodes == maxNodes {
			c.left++
			continue
		}
		c.nodes++
		fmt.Fprintf(&c.file(r.file).nodes, "    n%d[\"%s\"]:::%s\n", c.nodes, mermaid.Label(labelOf(r)), class)
		fmt.Fprintf(&c.arrows, "  change %s n%d\n", arrow, c.nodes)
	}
}

// file returns the part of the chart for a file.
func (c *chart) file(path string) *chartFile {
	for _, f := range c.files {
		if f.path == path {
			return f
		}
	}
	f := &chartFile{path: path}
	c.files = append(c.files, f)
	return f
}

// labelOf is "serve: 12 14", or "line 12" outside of any declaration.
func labelOf(r row) string {
	var lines []string
	for _, p := range r.places[:min(len(r.places), maxNumbers)] {
		lines = append(lines, strconv.Itoa(p.line))
	}
	text := strings.Join(lines, " ")
	if more := len(r.places) - maxNumbers; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	if r.in == "" {
		return "line " + text
	}
	return r.in + ": " + text
}
