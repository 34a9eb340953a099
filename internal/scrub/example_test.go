package scrub

import (
	"math/rand/v2"
	"regexp/syntax"
	"slices"
	"strings"
	"testing"
)

// An exampler makes texts that a regular expression matches.
type exampler struct{ random *rand.Rand }

// of returns a text that a tree matches, provided that its assertions hold.
func (e exampler) of(tree *syntax.Regexp) string {
	switch tree.Op {
	case syntax.OpLiteral:
		return string(tree.Rune)
	case syntax.OpCharClass:
		return string(e.oneOf(tree.Rune))
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		return "." // where it stands alone, a dot was meant
	case syntax.OpCapture:
		return e.of(tree.Sub[0])
	case syntax.OpConcat:
		var b strings.Builder
		for _, sub := range tree.Sub {
			b.WriteString(e.of(sub))
		}
		return b.String()
	case syntax.OpAlternate:
		return e.of(tree.Sub[e.random.IntN(len(tree.Sub))])
	case syntax.OpQuest:
		return e.times(tree.Sub[0], 0, 1)
	case syntax.OpStar:
		return e.times(tree.Sub[0], 0, 4)
	case syntax.OpPlus:
		return e.times(tree.Sub[0], 1, 4)
	case syntax.OpRepeat:
		most := tree.Max
		if most < 0 {
			most = tree.Min + 4
		}
		return e.times(tree.Sub[0], tree.Min, most)
	}
	return ""
}

func (e exampler) times(tree *syntax.Regexp, least, most int) string {
	var b strings.Builder
	for range least + e.random.IntN(most-least+1) {
		if tree.Op == syntax.OpAnyChar || tree.Op == syntax.OpAnyCharNotNL {
			b.WriteRune('a' + rune(e.random.IntN(26)))
			continue
		}
		b.WriteString(e.of(tree))
	}
	return b.String()
}

// oneOf returns a printable character of a class, or else any of its.
func (e exampler) oneOf(ranges []rune) rune {
	var printable []rune
	for r := rune(' '); r <= '~'; r++ {
		for i := 0; i < len(ranges); i += 2 {
			if ranges[i] <= r && r <= ranges[i+1] {
				printable = append(printable, r)
			}
		}
	}
	if len(printable) == 0 {
		return ranges[0]
	}
	return printable[e.random.IntN(len(printable))]
}

// example returns a text that a rule's expression matches, with one of the rule's keywords in it.
func (e exampler) example(t testing.TB, r *rule) string {
	t.Helper()
	tree, err := syntax.Parse(r.source, syntax.Perl)
	if err != nil {
		t.Fatal(err)
	}
	text := e.of(tree)
	lower := strings.ToLower(text)
	if !slices.ContainsFunc(r.keywords, func(keyword string) bool { return strings.Contains(lower, keyword) }) {
		text = r.keywords[e.random.IntN(len(r.keywords))] + "\n" + text
	}
	return text
}

// naive returns what a rule finds by its expression alone, run over the whole text.
func naive(t testing.TB, set *ruleSet, r *rule, text string) (found []Finding) {
	t.Helper()
	lower := strings.ToLower(text)
	if !slices.ContainsFunc(r.keywords, func(keyword string) bool { return strings.Contains(lower, keyword) }) {
		return nil
	}
	c, err := r.compiled()
	if err != nil {
		t.Fatal(err)
	}
	s := &search{ruleSet: set, text: text}
	for _, match := range c.pattern.FindAllStringSubmatchIndex(text, -1) {
		if start, end := r.secret(match); !s.harmless(r, extent{0, len(text)}, match, text[start:end]) {
			found = append(found, Finding{r.id, start, end})
		}
	}
	return found
}

// covers reports whether a finding is within one of others.
func covers(others []Finding, f Finding) bool {
	return slices.ContainsFunc(others, func(other Finding) bool { return other.Start <= f.Start && f.End <= other.End })
}
