package teach

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
)

// Mermaid draws the order as a flowchart in the Mermaid language: an arrow leads
// from what is learned to what it is needed for. Arrows that follow from others
// are left out. It ends with a newline.
func (p *Plan) Mermaid() string {
	var b strings.Builder
	b.WriteString("flowchart LR\n")
	for i, u := range p.Units {
		shape := [2]string{"[", "]"}
		if u.Part() == Core {
			shape = [2]string{"([", "])"}
		}
		fmt.Fprintf(&b, "  n%d%s\"%d %s\"%s\n", i+1, shape[0], i+1, label(u.Name), shape[1])
	}
	for i, u := range p.Units {
		var direct []string
		for _, n := range p.direct(i) {
			direct = append(direct, fmt.Sprintf("n%d", n+1))
		}
		if len(direct) > 0 {
			fmt.Fprintf(&b, "  %s --> n%d\n", strings.Join(direct, " & "), i+1)
		}
		if u.How == Dispatch && u.From != i {
			fmt.Fprintf(&b, "  n%d -.-> n%d\n", u.From+1, i+1)
		}
	}
	return b.String()
}

// direct are the units that unit i needs and that no other one, which it needs,
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

// label writes a name so that Mermaid shows it and reads nothing into it: what
// is no letter, digit or harmless sign becomes an entity.
func label(name string) string {
	var b strings.Builder
	for _, r := range name {
		switch {
		case unicode.IsLetter(r), unicode.IsDigit(r), strings.ContainsRune(" ._:-/", r):
			b.WriteRune(r)
		case unicode.IsPrint(r):
			fmt.Fprintf(&b, "#%d;", r)
		}
	}
	return b.String()
}
