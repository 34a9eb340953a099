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
	sentences := append(a.reach(), a.lost()...)
	sentences = append(sentences, a.limits()...)
	sentences = append(sentences, a.doubts()...)
	return strings.Join(sentences, " ")
}

// reach counts the places that the change touches.
func (a *Answer) reach() []string {
	certain, others := a.Touched()
	switch {
	case len(a.Pointers) == 0: // what the query names is not known yet
		return nil
	case a.Understood.Meant != "":
		return append([]string{"No edit was tried: " + a.Check.Refusal + "."}, a.found(others))
	case len(certain) > 0 && len(others) > 0:
		return []string{a.breaks(certain), fmt.Sprintf("%s: %s.", a.besides(), a.counted(others))}
	case len(certain) > 0:
		return []string{a.breaks(certain)}
	case len(others) > 0 && a.Understood.Change == ChangeBehavior:
		return []string{a.named() + " " + a.runBy(others) + "."}
	case len(others) == 0 && a.Check.settled():
		return []string{a.subject() + " breaks nothing: the compiler accepts it."}
	}
	return []string{a.found(others)}
}

// maxLost bounds the methods of interfaces that a summary names.
const maxLost = 3

// lost says which interfaces are not implemented any more without an error of a compiler.
func (a *Answer) lost() []string {
	names := a.Check.Lost
	if len(names) == 0 {
		return nil
	}
	text := strings.Join(names[:min(len(names), maxLost)], ", ")
	if n := len(names) - maxLost; n > 0 {
		text += " or " + wording.Count(n, "other")
	}
	return []string{"The method will not implement " + text + " any more: code that asks for that at run time still compiles."}
}

// found counts places that are not certain.
func (a *Answer) found(others []Pointer) string {
	if len(others) == 0 {
		return a.lead() + " nothing else that was found."
	}
	return a.lead() + " " + a.counted(others) + "."
}

// runBy tells those that were seen to run something from those of which that is only likely.
func (a *Answer) runBy(places []Pointer) string {
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
		return "is run by " + a.counted(seen)
	case len(seen) == 0:
		return "may be run by " + a.counted(likely)
	}
	return "is run by " + a.counted(seen) + ", and may be run by " + a.counted(likely)
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
	case a.Understood.Change == Deprecate:
		return a.subject() + " breaks nothing. What refers to it:"
	case a.Understood.Change == ChangeValue:
		return a.subject() + " breaks nothing by its type. What reads it:"
	case a.Understood.Direction == Users:
		return a.named() + " is referred to by"
	case a.Understood.Direction == Uses:
		return a.named() + " uses"
	case a.Understood.Direction == Writers:
		return a.named() + " is written by"
	case a.Understood.Change.Open():
		return a.named() + " has to do with"
	}
	return a.subject() + " touches"
}

// breaks returns what a compiler has found.
func (a *Answer) breaks(certain []Pointer) string {
	text := a.subject() + " certainly breaks " + a.counted(certain)
	if a.Understood.Unsure {
		text = "If " + string(a.Understood.Change) + " is meant: " + a.subject() + " breaks " + a.counted(certain)
	}
	if n := a.LeftOut.Certain; n > 0 {
		text += fmt.Sprintf(", and %d more than are listed", n)
	}
	return text + "."
}

// subject returns the change, what it is made to, and the edit as code.
func (a *Answer) subject() string {
	text := a.Understood.Change.describe() + " " + a.named()
	if edit := a.edit(); edit != "" {
		text += ", `" + strings.ReplaceAll(edit, "`", "'") + "`,"
	}
	return text
}

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

// counted is "4 calls, 2 tables". The list shows how many files they are in.
func (a *Answer) counted(places []Pointer) string {
	counts := make(map[Role]int)
	for _, p := range places {
		counts[p.Role]++
	}
	var kinds []string
	for _, role := range Roles() {
		if n := counts[role]; n > 0 {
			kinds = append(kinds, wording.Count(n, a.inShort(role)))
		}
	}
	return strings.Join(kinds, ", ")
}

// inShort returns the word that is enough beside what is to be done.
func (a *Answer) inShort(role Role) string {
	switch role {
	case RoleSwitch, RoleLiteral, RoleAssertion:
		_, noun, _ := strings.Cut(string(role), " ")
		return noun
	}
	return a.Noun(role)
}

// Noun returns the word for a place with a role. What takes a function as a value is no method value.
func (a *Answer) Noun(role Role) string {
	isMethod := func(c Candidate) bool { return c.Kind == "method" }
	for _, s := range a.Symbols {
		if slices.ContainsFunc(s.Found[:s.Walked], isMethod) {
			return string(role)
		}
	}
	if role == RoleMethodValue {
		return "function value"
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
	u := a.Understood
	if u.Doubt != "" {
		s = append(s, u.Doubt+".")
	}
	switch {
	case len(u.Ask) > 0 && u.Change.Open() && u.Meant == "" && u.Doubt == "":
		s = append(s, "The words name no edit. To see what one breaks, pass change: "+orList(u.Ask)+".")
	case len(u.Ask) > 0:
		s = append(s, "To be certain, pass change: "+orList(u.Ask)+".")
	}
	return s
}

// orList is "A, B or C".
func orList(items []string) string {
	last := len(items) - 1
	if last == 0 {
		return items[0]
	}
	return strings.Join(items[:last], ", ") + " or " + items[last]
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
