package teach

import (
	"fmt"
	"slices"
	"strings"

	"tidepool/internal/mermaid"
)

// Mermaid draws the order as a flowchart in the Mermaid language: an arrow leads
// from what is learned to what it is needed for. Arrows that follow from others
// are left out. It ends with a newline.
func (p *Plan) Mermaid() string {
	c := &chart{plan: p, named: make([]bool, len(p.Units))}
	c.WriteString("flowchart LR\n")
	for i, u := range p.Units {
		var direct []string
		for _, n := range p.direct(i) {
			direct = append(direct, c.node(n))
		}
		if len(direct) > 0 {
			fmt.Fprintf(c, "  %s --> %s\n", strings.Join(direct, " & "), c.node(i))
		}
		if u.How == Dispatch && u.From != i {
			fmt.Fprintf(c, "  %s -.-> %s\n", c.node(u.From), c.node(i))
		}
	}
	for i, named := range c.named {
		if !named {
			fmt.Fprintf(c, "  %s\n", c.node(i))
		}
	}
	return c.String()
}

// A chart is a flowchart while it is drawn.
type chart struct {
	strings.Builder
	plan  *Plan
	named []bool // units whose name stands there
}

// node returns a unit's place in the chart, with its name the first time.
func (c *chart) node(i int) string {
	id := fmt.Sprintf("n%d", i+1)
	if c.named[i] {
		return id
	}
	c.named[i] = true
	text := fmt.Sprintf("\"%d %s\"", i+1, mermaid.Label(c.plan.Units[i].Name))
	if c.plan.Units[i].Part() == Core {
		return id + "([" + text + "])"
	}
	return id + "[" + text + "]"
}

// direct returns the units that unit i needs and that no other one, which it needs,
// needs as well. Within a group all count, since each leads to all others.
func (p *Plan) direct(i int) []int {
	var direct []int
	needs := make([][]int, len(p.Units))
	for j, u := range p.Units {
		needs[j] = u.Needs
	}
	for _, n := range p.Units[i].Needs {
		through := slices.ContainsFunc(p.Units[i].Needs, func(m int) bool {
			return m != n && !p.together(m, i) && !p.together(m, n) && reaches(needs, m, n)
		})
		if !through || p.together(n, i) {
			direct = append(direct, n)
		}
	}
	return direct
}

func (p *Plan) together(i, j int) bool {
	return p.Units[i].Group != 0 && p.Units[i].Group == p.Units[j].Group
}
