package intent

import (
	"slices"
	"strings"
)

// A signature is one of the symbol that a text writes out: "func F(n int) error", "F(n)".
type signature struct {
	from, to   int // bytes, with "func" and the receiver before the name
	name       int // byte where the name begins
	parameters []string
	result     string
	old        bool // the words before say that it is the one that there is
	new        bool // they say that it is the one that there will be
}

const (
	maxSignatures = 6  // more are a listing of code, of which nothing can be said
	nearby        = 80 // bytes before a signature that tell what it is
)

// Differences of the new signature from the present one.
const (
	markGrown    = "§grown"     // it has more parameters
	markFailing  = "§failing"   // it returns an error that it did not return
	markResigned = "§resigned"  // it differs otherwise
	markWritten  = "§signature" // nothing else is known than that it is written out
)

// signatureMarks are all of them.
var signatureMarks = []string{markGrown, markFailing, markResigned, markWritten}

// compareSignatures puts, in place of what a text writes out of signatures of the
// symbol, its name and marks of how they differ; written is what the marks stand
// for. A signature that is written out alone is compared to the declaration, if
// that is known.
func compareSignatures(text string, s Subject) (marked, written string) {
	list := signaturesIn(text, s.Name)
	if len(list) == 0 {
		if at := failingResults.get().FindStringSubmatchIndex(text); at != nil {
			return text[:at[2]] + markFailing + text[at[3]:], text[at[2]:at[3]]
		}
		return text, ""
	}
	was, will := oldAndNew(list, s)
	marks := differences(was, will)
	for _, g := range slices.Backward(list) {
		name, _, _ := strings.Cut(text[g.name:], "(")
		if will != nil && g.from == will.from {
			written = text[g.from:g.to]
			name = strings.Join(append([]string{name}, marks...), " ")
		}
		text = text[:g.from] + name + text[g.to:]
	}
	return text, written
}

// oldAndNew picks the signature that there is and the one that there will be; nil
// for one that nothing tells.
func oldAndNew(list []signature, s Subject) (was, will *signature) {
	for i := range list {
		g := &list[i]
		if g.old || i == 0 && len(list) > 1 && !list[1].old {
			was = g
		} else if will == nil || g.new {
			will = g
		}
	}
	if was != nil || will == nil || !will.typed() && !will.new {
		return was, will
	}
	head, _, _ := strings.Cut(s.Text, " {")
	if declared := signaturesIn(head, s.Name); len(declared) == 1 {
		was = &declared[0]
	}
	return was, will
}

// differences returns the marks of what becomes of a signature. Where nothing is known
// of it, or a part is left out, a context or an error that is written out counts
// as new.
func differences(was, will *signature) []string {
	switch {
	case will == nil:
		return nil
	case was == nil && !will.typed() && !will.new:
		return nil // a way to call it
	case was == nil:
		return will.guessed(&signature{})
	case was.elided() || will.elided():
		return will.guessed(was)
	}
	var marks []string
	if len(will.parameters) > len(was.parameters) {
		marks = append(marks, markGrown)
	}
	if will.fails() && !was.fails() {
		marks = append(marks, markFailing)
	}
	if len(marks) == 0 && was.differs(will) {
		marks = append(marks, markResigned)
	}
	return marks
}

func (g *signature) guessed(was *signature) []string {
	switch {
	case g.takesContext() && !was.takesContext():
		return []string{markGrown}
	case g.fails() && !was.fails():
		return []string{markFailing}
	}
	return []string{markWritten}
}

func (g *signature) elided() bool {
	return slices.ContainsFunc(g.parameters, func(p string) bool { return p == "..." || p == "…" })
}

func (g *signature) fails() bool { return errorLast.get().MatchString(g.result) }

func (g *signature) takesContext() bool {
	return len(g.parameters) > 0 && contextual.get().MatchString(g.parameters[0])
}

// differs compares what both signatures write out: one may give names alone.
func (g *signature) differs(other *signature) bool {
	switch {
	case len(g.parameters) != len(other.parameters):
		return true
	case g.typed() != other.typed():
		return false
	}
	return !slices.Equal(g.parameters, other.parameters) || g.result != other.result
}

func (g *signature) typed() bool {
	return strings.Contains(strings.Join(g.parameters, ","), " ") || g.result != ""
}

var (
	// Results before and after, without a name: (int) -> (int, error).
	failingResults = matching(`(?:^|[^r)\s]|[^r]\))\s*(?:->|→|=>)\s*(\([^()]*,\s*error\))`)

	errorLast  = matching(`\berror\s*\)?$`)
	contextual = matching(`\b(ctx|context\.Context)\b`)
	declares   = matching(`\bfunc\s*(\([^()]*\)\s*)?([\w.]+\.)?$`)
	qualified  = matching(`[\w.]+\.$`)
)

// signaturesIn lists the signatures that a text writes out. Empty brackets behind
// a name are no more than a way to write it, unless another signature is there to
// compare them to.
func signaturesIn(text, name string) []signature {
	parts := nameParts(name)
	if len(parts) == 0 {
		return nil
	}
	var list []signature
	last := parts[len(parts)-1]
	for at := wordIndex(text, last, 0); at >= 0 && len(list) < maxSignatures; at = wordIndex(text, last, at+len(last)) {
		if g, ok := signatureAt(text, at, len(last)); ok {
			list = append(list, g)
		}
	}
	for i := len(list) - 1; i >= 0; i-- {
		if g := list[i]; len(g.parameters) == 0 && g.result == "" && (len(list) == 1 || i > 0 && !g.old && !g.new) {
			list = slices.Delete(list, i, i+1)
		}
	}
	return list
}

func signatureAt(text string, at, length int) (signature, bool) {
	open := at + length
	if !strings.HasPrefix(text[open:], "(") {
		return signature{}, false
	}
	end := closing(text, open)
	if end < 0 {
		return signature{}, false
	}
	g := signature{from: at, name: at, parameters: listed(text[open+1 : end]), to: end + 1}
	before := text[max(0, at-nearby):at]
	for _, p := range []*pattern{declares, qualified} {
		if m := p.get().FindStringIndex(before); m != nil {
			g.from = at - len(before) + m[0]
			break
		}
	}
	if g.from < at && !strings.HasPrefix(text[g.from:], "func") {
		g.name = g.from
	}
	g.result, g.to = resultAt(text, g.to)
	var m mention
	m.read(text[max(0, g.from-nearby):g.from])
	g.old, g.new = m.old, m.new
	return g, true
}

// resultAt reads the result behind the parameters, and says where it ends.
func resultAt(text string, at int) (string, int) {
	rest := strings.TrimLeft(text[at:], ": ")
	start := len(text) - len(rest)
	if strings.HasPrefix(rest, "(") {
		if end := closing(rest, 0); end > 0 {
			return rest[:end+1], start + end + 1
		}
	}
	name, n := typeAt(rest)
	if name == "" || text[at] == ':' && !isBuiltin(name) && opening(rest, 0) {
		return "", at // behind a colon a word with a capital begins a sentence
	}
	return name, start + n
}

// closing returns where the bracket at open is closed; -1 if it is not.
func closing(text string, open int) int {
	depth := 0
	for i, r := range text[open:] {
		switch r {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			if depth--; depth == 0 {
				return open + i
			}
		}
	}
	return -1
}

// listed returns the items between commas outside brackets.
func listed(text string) []string {
	var items []string
	depth, from := 0, 0
	for i, r := range text + "," {
		switch {
		case strings.ContainsRune("([{", r):
			depth++
		case strings.ContainsRune(")]}", r):
			depth--
		case r == ',' && depth == 0:
			if item := strings.TrimSpace(text[from:i]); item != "" {
				items = append(items, item)
			}
			from = i + 1
		}
	}
	return items
}
