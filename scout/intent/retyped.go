package intent

import (
	"slices"
	"strings"
	"unicode"
)

var (
	// Behind these stands the type that there is, and behind those the one that
	// there will be.
	oldCue = matching(`(?i)\b(instead of|rather than|as opposed to|it is|it['’]s|old|formerly|hitherto|having been|in place of|in lieu of|where|not|\w+n['’]t|used to|was|so far|currently|today|at (?:the moment|present)|no longer|no more|bisher|(?:war|ist) (?:bisher|heute|noch)|statt|anstatt|stood|stops being|off|swap\w*|trade|than|and no|replac\w+|substitut\w+ for|from)(?:,? (?:the|it|its|is|has|was|be|being|of|as|type|have|defined|declared))*:?$`)
	newCue = matching(`(?i)(\b(mak\w+ §symbol|into|onto|to|new|wird(?: zu)?|werden|zu|jetzt|künftig|no,|becom\w+|will be|shall be|should be|now|as|by|with|holds?|were|declared|use|make it|gets?|have|of|over to|if|is|be|but|for)(?: (?:the|it|is|have|of|be|become|hold|type|declared|as|being))*:?|->|→|=>|⇒|:)$`)
	unreal = matching(`(?i)\b(if|suppose|assume|imagine|once|when)\b[^.?!]* (was|is)( (of|the|type|a))*$|\bwhy not( the| a)?$`) // what is not so yet
	dots   = matching(`\b(i\.e\.|e\.g\.),?|\b[Tt]ype[ -](errors|check\w*)\b|\ba type[ -]error\b`)                               // no types
)

// A mention is a type that a text mentions.
type mention struct {
	text     string
	from, to int  // bytes
	old      bool // the words before say that it is the one that there is
	new      bool // they say that it is the one that there will be
}

// retyped finds the old and the new type of what is given another one. What is
// declared decides if it is known; else the words before do, else the order.
func retyped(text string, s Subject) (from, to string) {
	masked := dots.get().ReplaceAllString(maskFirst(text, s.Name), ",")
	mentions := mentionsIn(masked)
	declared := declaredType(s)
	from = declared
	for _, m := range mentions {
		switch {
		case m.old, m.text == declared:
			from = first(from, m.text)
		case m.new || to == "":
			to = m.text
		}
	}
	if from == "" && len(mentions) > 1 && mentions[0].text != to {
		from = mentions[0].text
	}
	if to == "" && declared != "" {
		to = another(mentions, declared)
	}
	if to == "" || to == from {
		to = described(masked, from)
	}
	return from, to
}

// another returns the last type that is mentioned and is not the declared one; "" if
// there is none.
func another(mentions []mention, declared string) string {
	for _, m := range slices.Backward(mentions) {
		if m.text != declared {
			return m.text
		}
	}
	return ""
}

func first(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

// mentionsIn lists the types of a text, in order.
func mentionsIn(text string) []mention {
	var found []mention
	end := 0
	for i := 0; i < len(text); i++ {
		if i > 0 && !strings.ContainsAny(text[i-1:i], " (`\"':") && !strings.HasSuffix(text[:i], "→") || text[i] == ' ' {
			continue
		}
		if article.get().MatchString(text[i:]) || strings.HasPrefix(strings.TrimLeft(text[i:], "`"), markSymbol) || text[i] == ':' || opening(text, i) {
			continue
		}
		if name, n := typeAt(text[i:]); name != "" {
			m := mention{text: name, from: i, to: i + n}
			m.read(text[end:i])
			found = append(found, m)
			i, end = m.to, m.to
		}
	}
	for i := 0; i+1 < len(found); i++ {
		if arrowText.get().MatchString(strings.TrimSpace(text[found[i].to:found[i+1].from])) {
			found[i].old, found[i].new = true, false
		}
	}
	return found
}

// opening reports whether a plain word with a capital stands where a sentence
// begins.
func opening(text string, at int) bool {
	before := strings.TrimRight(text[:at], " ")
	if before != "" && !strings.ContainsAny(before[len(before)-1:], ".?!") {
		return false
	}
	word, _, _ := strings.Cut(text[at:], " ")
	return !strings.ContainsFunc(strings.TrimRight(word, ".,;:?!"), func(r rune) bool { return !unicode.IsLetter(r) })
}

var articleEnd = matching(`(?i)(\s|^)(an?|the|plain|bare)?\s*$`)

// read takes the words between the type before and this one. Those next to it
// weigh more than those farther away.
func (m *mention) read(before string) {
	before = strings.TrimRight(before, " `\"'(")
	before = strings.TrimSpace(articleEnd.get().ReplaceAllString(before, ""))
	words := strings.Fields(before)
	for n := len(words); n > 0 && n > len(words)-4; n-- {
		phrase := strings.TrimRight(strings.Join(words[:n], " "), ",;")
		if m.new = unreal.get().MatchString(phrase); m.new {
			return
		}
		if m.old = oldCue.get().MatchString(phrase); m.old {
			return
		}
		if m.new = newCue.get().MatchString(phrase); m.new {
			return
		}
	}
}

var declaredText = matching("^(?:type\\s+|var\\s+|const\\s+)?[\\pL_][\\pL\\pN_]*(?:\\s*,\\s*[\\pL_]\\w*)*\\??:?\\s+([^`/=]+)")

// declaredType returns the type that the subject's own line gives it; "" if unknown.
func declaredType(s Subject) string {
	m := declaredText.get().FindStringSubmatch(strings.TrimSpace(s.Text))
	if m == nil {
		return ""
	}
	return strings.TrimRight(strings.TrimSpace(m[1]), ";,")
}

var inWords = []struct {
	words *pattern
	to    func(declared string) string
}{
	{matching(`(?i)\b(by value|not (by|as|a) pointer|no(t a)? pointer|instead of (a |by )?pointer)\b`), func(d string) string { return strings.TrimPrefix(d, "*") }},
	{matching(`(?i)\b(becomes?|into|to|be|is|as|by|make it|make §symbol|were)( now)? (a )?pointer\b`), func(d string) string { return "*" + d }},
	{matching(`(?i)\b(becomes?|into|to|be|is|as|make it|make §symbol|were)( now)? (a )?(slice|list|array)\b`), func(d string) string { return "[]" + d }},
}

// described returns a new type that the words only describe, made of the declared one.
func described(text, declared string) string {
	if declared == "" {
		return ""
	}
	for _, d := range inWords {
		if d.words.get().MatchString(text) {
			if to := d.to(declared); to != declared {
				return to
			}
		}
	}
	return ""
}
