package scout

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"tidepool/internal/wording"
)

// summarize says in a few sentences what a person would want to be told: how
// much is touched, and what the answer does not know.
func (a *Answer) summarize() string {
	sentences := append(a.reach(), a.limits()...)
	sentences = append(sentences, a.doubts()...)
	return strings.Join(sentences, " ")
}

// reach counts the places that the change touches.
func (a *Answer) reach() []string {
	certain, others := a.Touched()
	switch {
	case len(a.Pointers) == 0: // what the query names is not known yet
		return nil
	case len(certain) > 0 && len(others) > 0:
		return []string{a.breaks(certain), fmt.Sprintf("%s: %s.", a.besides(), inFiles(others))}
	case len(certain) > 0:
		return []string{a.breaks(certain)}
	case len(others) > 0 && a.Understood.Change == ChangeBehavior:
		return []string{a.named() + " " + runBy(others) + "."}
	case len(others) > 0:
		return []string{a.lead() + " " + inFiles(others) + "."}
	case a.Check.settled():
		return []string{a.subject() + " breaks nothing: the compiler accepts it."}
	}
	return []string{a.lead() + " nothing else that was found."}
}

// runBy tells those that were seen to run something from those of which that is only likely.
func runBy(places []Pointer) string {
	var seen, likely []Pointer
	for _, p := range places {
		if p.Observed {
			seen = append(seen, p)
		} else {
			likely = append(likely, p)
		}
	}
	switch {
	case len(likely) == 0:
		return "is run by " + inFiles(seen)
	case len(seen) == 0:
		return "may be run by " + inFiles(likely)
	}
	return "is run by " + inFiles(seen) + ", and may be run by " + inFiles(likely)
}

// besides returns why a compiler does not vouch for the other places.
func (a *Answer) besides() string {
	if a.Check.settled() {
		return "Where no compiler looks"
	}
	return "To be looked at besides"
}

// lead begins the sentence that counts places which are not certain.
func (a *Answer) lead() string {
	switch {
	case a.Understood.Change == ChangeBehavior:
		return a.named() + " is run by"
	case a.Understood.Change.Open():
		return a.named() + " has to do with"
	}
	return a.subject() + " touches"
}

// breaks returns what a compiler has found.
func (a *Answer) breaks(certain []Pointer) string {
	text := a.subject() + " certainly breaks " + inFiles(certain)
	if n := a.LeftOut.Certain; n > 0 {
		text += fmt.Sprintf(", and %d more than are listed", n)
	}
	return text + "."
}

// subject returns the change and what it is made to.
func (a *Answer) subject() string { return a.Understood.Change.describe() + " " + a.named() }

// named returns the symbols of the query, one alone with its place.
func (a *Answer) named() string {
	names := strings.Join(a.Understood.Symbols, ", ")
	if len(a.Pointers) == 0 || a.Pointers[0].Depth > 0 || len(a.Pointers) > 1 && a.Pointers[1].Depth == 0 {
		return names
	}
	root := a.Pointers[0]
	if placeText().MatchString(names) {
		names = root.In
	}
	location := root.Location
	if slices.ContainsFunc(a.Pointers[1:], func(p Pointer) bool { return p.path() == root.path() }) {
		location = path.Base(location) // the answer lists the file with all of its path
	}
	if _, generated := TraitOf(root.Traits, TraitGenerated); generated {
		location += ", generated"
	}
	return names + " (" + location + ")"
}

// Touched returns the pointers beyond the declarations that the query names: those
// that a compiler vouches for, and the others.
func (a *Answer) Touched() (certain, others []Pointer) {
	for _, p := range a.Pointers {
		switch {
		case p.Depth == 0:
		case p.Certain:
			certain = append(certain, p)
		default:
			others = append(others, p)
		}
	}
	return certain, others
}

// inFiles is "6 places in 2 files: 4 calls, 2 tables".
func inFiles(places []Pointer) string {
	files, counts := make(map[string]bool), make(map[Role]int)
	for _, p := range places {
		files[p.path()] = true
		counts[p.Role]++
	}
	var kinds []string
	for _, role := range Roles() {
		if n := counts[role]; n > 0 {
			kinds = append(kinds, wording.Count(n, inShort(role)))
		}
	}
	in := "" // one file is seen at a glance
	if len(files) > 1 {
		in = " in " + wording.Count(len(files), "file")
	}
	if len(kinds) == 1 {
		return kinds[0] + in
	}
	return wording.Count(len(places), "place") + in + ": " + strings.Join(kinds, ", ")
}

// inShort returns the word that is enough beside what is to be done.
func inShort(role Role) string {
	switch role {
	case RoleSwitch, RoleLiteral, RoleAssertion:
		_, noun, _ := strings.Cut(string(role), " ")
		return noun
	}
	return string(role)
}

// limits returns what was found and is not in the answer.
func (a *Answer) limits() []string {
	var s []string
	if n := a.LeftOut.Open + a.LeftOut.Cut; n > 0 {
		s = append(s, fmt.Sprintf("%s left out: depth %s ends at %d; %s.", areMore(n), a.Understood.Depth, a.Understood.Budget, a.deeper()))
	}
	if n := a.LeftOut.Unfollowed; n > 0 {
		s = append(s, fmt.Sprintf("What uses %s was not followed.", wording.Count(n, "more function")))
	}
	if a.Check.Refusal != "" && a.Understood.Change.compiled() {
		asked := "No compiler was asked"
		if a.Check.Tried {
			asked += " about all of it"
		}
		s = append(s, asked+": "+strings.TrimSuffix(a.Check.Refusal, ".")+".")
	}
	if a.Partial != "" {
		s = append(s, "The walk was "+a.Partial+".")
	}
	return s
}

// deeper says how to see more.
func (a *Answer) deeper() string {
	switch a.Understood.Depth {
	case Low:
		return "medium looks at 30"
	case Medium:
		return "high looks at 100"
	}
	return "ask about fewer symbols"
}

// doubts returns what may be wrong with the answer.
func (a *Answer) doubts() []string {
	var s []string
	if n := a.Unscored.Count; n > 0 {
		s = append(s, fmt.Sprintf("%s could not score %s: %s. Places without a score are listed by their role alone.%s",
			a.Scorer, wording.Count(n, "edge"), a.Unscored.Reason, a.Unscored.mending()))
	}
	if n := a.Unread.Count; n > 0 {
		s = append(s, fmt.Sprintf("What lies behind %s could not be read: %s.", wording.Count(n, "place"), a.Unread.Reason))
	}
	for _, symbol := range a.Symbols {
		switch {
		case symbol.Problem != "":
			s = append(s, symbol.Problem+".")
		case symbol.Walked > 1:
			s = append(s, fmt.Sprintf("%s may mean %s; all were followed.", symbol.Name, candidateList(symbol.Found[:symbol.Walked])))
		}
	}
	if a.Understood.Doubt != "" {
		s = append(s, a.Understood.Doubt+".")
	}
	if a.Understood.Inferred && a.Understood.Change.Open() && a.Understood.Doubt == "" {
		s = append(s, "The words name no edit; pass change to see what exactly one needs.")
	}
	return s
}

// mending returns a sentence that says what to do; "" if nobody knows.
func (f Failures) mending() string {
	if f.Hint == "" {
		return ""
	}
	return " To have them scored: " + f.Hint + "."
}

func candidateList(found []Candidate) string {
	list := make([]string, len(found))
	for i, c := range found {
		list[i] = c.Name + " (" + c.Location + ")"
	}
	return strings.Join(list, " or ")
}

func areMore(n int) string {
	if n == 1 {
		return "1 more is"
	}
	return fmt.Sprintf("%d more are", n)
}
