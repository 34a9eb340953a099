package scout

import (
	"fmt"
	"slices"
	"strings"
)

// summarize says in a few sentences what a person would want to be told: how
// much is touched, where to look first, and what the answer does not know.
func (a *Answer) summarize() string {
	sentences := []string{a.reach(), a.first()}
	sentences = append(sentences, a.limits()...)
	sentences = append(sentences, a.doubts()...)
	sentences = slices.DeleteFunc(sentences, func(s string) bool { return s == "" })
	return strings.Join(sentences, " ")
}

// reach counts the places that the change touches, by role.
func (a *Answer) reach() string {
	subject := a.Understood.Change.describe() + " " + strings.Join(a.Understood.Symbols, ", ")
	touched := a.touched()
	if len(touched) == 0 {
		return subject + " touches no other place that was found."
	}
	files, counts := make(map[string]bool), make(map[Role]int)
	for _, p := range touched {
		files[p.path()] = true
		counts[p.Role]++
	}
	var kinds []string
	for _, role := range Roles() {
		if n := counts[role]; n > 0 {
			kinds = append(kinds, count(n, string(role)))
		}
	}
	return fmt.Sprintf("%s touches %s in %s: %s.",
		subject, count(len(touched), "place"), count(len(files), "file"), strings.Join(kinds, ", "))
}

// first names the places that are most at risk.
func (a *Answer) first() string {
	const named = 3
	touched := slices.DeleteFunc(a.touched(), func(p Pointer) bool { return p.Risk < 4 })
	if len(touched) == 0 {
		return ""
	}
	slices.SortStableFunc(touched, func(a, b Pointer) int { return b.Risk - a.Risk })
	var places []string
	for _, p := range touched[:min(named, len(touched))] {
		places = append(places, p.Location)
	}
	return "Look first at " + strings.Join(places, ", ") + "."
}

// touched are the pointers beyond the declarations that the query names.
func (a *Answer) touched() []Pointer {
	var touched []Pointer
	for _, p := range a.Pointers {
		if p.Depth > 0 {
			touched = append(touched, p)
		}
	}
	return touched
}

// limits says what was found and is not in the answer.
func (a *Answer) limits() []string {
	var s []string
	if n := a.LeftOut.Open + a.LeftOut.Cut; n > 0 {
		advice := "ask about fewer symbols"
		switch a.Understood.Depth {
		case Low:
			advice = "depth medium looks at 30"
		case Medium:
			advice = "depth high looks at 100"
		}
		s = append(s, fmt.Sprintf("%s more: depth %s ends at %d; %s.",
			isAre(n), a.Understood.Depth, a.Understood.Budget, advice))
	}
	if a.Partial != "" {
		s = append(s, "The walk was "+a.Partial+".")
	}
	return s
}

// doubts says what may be wrong with the answer.
func (a *Answer) doubts() []string {
	var s []string
	if n := a.Unscored.Count; n > 0 {
		s = append(s, fmt.Sprintf("%s could not score %s: %s.", a.Scorer, count(n, "edge"), a.Unscored.Reason))
	}
	if n := a.Unread.Count; n > 0 {
		s = append(s, fmt.Sprintf("What lies behind %s could not be read: %s.", count(n, "place"), a.Unread.Reason))
	}
	for _, symbol := range a.Symbols {
		switch {
		case symbol.Problem != "":
			s = append(s, symbol.Problem+".")
		case symbol.Walked > 1:
			s = append(s, fmt.Sprintf("%s may mean %s; all were followed.", symbol.Name, candidateList(symbol.Found)))
		}
	}
	if a.Understood.Inferred {
		s = append(s, fmt.Sprintf("The words were read as %s; pass change if they mean another.", a.Understood.Change))
	}
	return s
}

func candidateList(found []Candidate) string {
	list := make([]string, len(found))
	for i, c := range found {
		list[i] = c.Name + " (" + c.Location + ")"
	}
	return strings.Join(list, " or ")
}

func isAre(n int) string {
	if n == 1 {
		return "There is 1"
	}
	return fmt.Sprintf("There are %d", n)
}

// count is "1 call", "2 switches".
func count(n int, noun string) string {
	switch {
	case n == 1:
	case strings.HasSuffix(noun, "ch"):
		noun += "es"
	default:
		noun += "s"
	}
	return fmt.Sprintf("%d %s", n, noun)
}
