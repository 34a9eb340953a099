package scrub

import (
	"regexp/syntax"
	"slices"
	"strings"
	"unicode"
)

// unbounded is the length of a text that has no limit, in characters.
const unbounded = 1 << 20

// An expression is what is known of a regular expression before it runs.
type expression struct {
	core     *syntax.Regexp // the expression without what may be empty at its beginning: it matches somewhere in a text exactly if the expression does
	lead     int            // characters that what was left out may match before the core; at most unbounded
	prefixes []string       // in lower case: each match of the core begins with one of them; nil: unknown
	groups   []int          // the groups that can be the secret, see secretGroups
}

func parse(source string) (expression, error) {
	tree, err := syntax.Parse(source, syntax.Perl)
	if err != nil {
		return expression{}, err
	}
	e := expression{groups: secretGroups(tree, nil)}
	e.core, e.lead = withoutLead(tree)
	if prefixes, _ := expand(e.core); !slices.Contains(prefixes, "") {
		e.prefixes = prefixes
	}
	return e, nil
}

// secretGroups returns the groups of a tree that can be the secret. A group that is repeated is a piece of it, and a group that is
// a literal is a mark within it; there the whole match is the secret.
func secretGroups(tree *syntax.Regexp, groups []int) []int {
	switch tree.Op {
	case syntax.OpStar, syntax.OpPlus, syntax.OpRepeat:
		return groups
	case syntax.OpCapture:
		if tree.Sub[0].Op != syntax.OpLiteral {
			groups = append(groups, tree.Cap)
		}
	}
	for _, sub := range tree.Sub {
		groups = secretGroups(sub, groups)
	}
	return groups
}

// withoutLead removes what may be empty at the beginning of a tree, and returns how many characters that may match.
func withoutLead(tree *syntax.Regexp) (core *syntax.Regexp, lead int) {
	switch tree.Op {
	case syntax.OpCapture:
		return withoutLead(tree.Sub[0])
	case syntax.OpConcat:
		subs := tree.Sub
		for len(subs) > 1 && shortest(subs[0]) == 0 {
			lead = min(lead+longest(subs[0]), unbounded)
			subs = subs[1:]
		}
		first, more := withoutLead(subs[0])
		return concat(first, subs[1:]), min(lead+more, unbounded)
	case syntax.OpAlternate:
		alternate := &syntax.Regexp{Op: syntax.OpAlternate, Flags: tree.Flags}
		for _, sub := range tree.Sub {
			one, more := withoutLead(sub)
			alternate.Sub, lead = append(alternate.Sub, one), max(lead, more)
		}
		return alternate, lead
	}
	return tree, 0
}

func concat(first *syntax.Regexp, others []*syntax.Regexp) *syntax.Regexp {
	if len(others) == 0 {
		return first
	}
	return &syntax.Regexp{Op: syntax.OpConcat, Flags: first.Flags, Sub: append([]*syntax.Regexp{first}, others...)}
}

// shortest returns the number of characters of the shortest match, 0 for assertions.
func shortest(tree *syntax.Regexp) int {
	switch tree.Op {
	case syntax.OpLiteral:
		return len(tree.Rune)
	case syntax.OpCharClass, syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		return 1
	case syntax.OpCapture, syntax.OpPlus:
		return shortest(tree.Sub[0])
	case syntax.OpRepeat:
		return min(tree.Min*shortest(tree.Sub[0]), unbounded)
	case syntax.OpConcat:
		sum := 0
		for _, sub := range tree.Sub {
			sum = min(sum+shortest(sub), unbounded)
		}
		return sum
	case syntax.OpAlternate:
		least := unbounded
		for _, sub := range tree.Sub {
			least = min(least, shortest(sub))
		}
		return least
	}
	return 0
}

// longest returns the number of characters of the longest match.
func longest(tree *syntax.Regexp) int {
	switch tree.Op {
	case syntax.OpLiteral:
		return len(tree.Rune)
	case syntax.OpCharClass, syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		return 1
	case syntax.OpCapture, syntax.OpQuest:
		return longest(tree.Sub[0])
	case syntax.OpStar, syntax.OpPlus:
		return unbounded
	case syntax.OpRepeat:
		if tree.Max < 0 {
			return unbounded
		}
		return min(tree.Max*longest(tree.Sub[0]), unbounded)
	case syntax.OpConcat:
		sum := 0
		for _, sub := range tree.Sub {
			sum = min(sum+longest(sub), unbounded)
		}
		return sum
	case syntax.OpAlternate:
		most := 0
		for _, sub := range tree.Sub {
			most = max(most, longest(sub))
		}
		return most
	}
	return 0
}

// Bounds of expand.
const (
	maxPrefixes  = 64 // prefixes of one expression
	maxPrefix    = 40 // bytes of one
	maxExpansion = 10 // characters of a class that are written out
)

// expand returns texts in lower case of which each match begins with one, and whether the matches are exactly those texts.
// "" among them says nothing.
func expand(tree *syntax.Regexp) (texts []string, exact bool) {
	switch tree.Op {
	case syntax.OpEmptyMatch, syntax.OpBeginLine, syntax.OpEndLine, syntax.OpBeginText, syntax.OpEndText,
		syntax.OpWordBoundary, syntax.OpNoWordBoundary:
		return []string{""}, true
	case syntax.OpLiteral:
		return []string{strings.ToLower(string(tree.Rune))}, true
	case syntax.OpCharClass:
		return expandClass(tree.Rune)
	case syntax.OpCapture:
		return expand(tree.Sub[0])
	case syntax.OpQuest:
		texts, exact = expand(tree.Sub[0])
		return append(texts, ""), exact
	case syntax.OpAlternate:
		exact = true
		for _, sub := range tree.Sub {
			one, whole := expand(sub)
			texts, exact = append(texts, one...), exact && whole
		}
		return texts, exact
	case syntax.OpConcat:
		return expandConcat(tree.Sub)
	}
	return []string{""}, false
}

func expandConcat(subs []*syntax.Regexp) (texts []string, exact bool) {
	texts, exact = []string{""}, true
	for _, sub := range subs {
		tails, whole := expand(sub)
		if len(texts)*len(tails) > maxPrefixes || len(texts[0])+len(tails[0]) > maxPrefix {
			return texts, false
		}
		var longer []string
		for _, text := range texts {
			for _, tail := range tails {
				longer = append(longer, text+tail)
			}
		}
		if texts = longer; !whole {
			return texts, false
		}
	}
	return texts, exact
}

// expandClass returns the characters of a class, given as ranges, if they are few and ASCII. Characters that are a or A in
// another script are left out, as nobody writes secrets in them.
func expandClass(ranges []rune) (texts []string, exact bool) {
	seen := make(map[rune]bool)
	for i := 0; i < len(ranges); i += 2 {
		if ranges[i+1]-ranges[i] > maxExpansion {
			return []string{""}, false
		}
		for r := ranges[i]; r <= ranges[i+1]; r++ {
			if r < unicode.MaxASCII && !seen[unicode.ToLower(r)] {
				seen[unicode.ToLower(r)] = true
				texts = append(texts, string(unicode.ToLower(r)))
			}
		}
	}
	if len(texts) == 0 || len(texts) > maxExpansion {
		return []string{""}, false
	}
	return texts, true
}
