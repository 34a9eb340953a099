package scrub

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// A rule is one form of secrets.
type rule struct {
	id       string
	source   string   // the regular expression
	keywords []string // in lower case; one of them is near each secret of this form
	group    int      // the group that is the secret; 0: the first of the expression's groups that is not empty, else the whole match
	entropy  float64  // bits per character that a secret must exceed; 0: any
	allowed  []*allowList
	isSecret func(match, secret string) bool // a last check; nil: none
	own      bool                            // it is none of gitleaks' rules

	expression
	anchors  []anchor                  // none: a match may begin anywhere around a keyword
	compiled func() (*compiled, error) // made when a text first has a candidate
}

// An anchor says where the core of an expression begins: so many bytes before the end of a keyword.
type anchor struct {
	keyword string
	before  int
}

// compiled is what of a rule takes long to make and is seldom needed: 0.1 to 3 ms each.
type compiled struct {
	pattern *regexp.Regexp
	sieve   *sieve
}

// parse makes the rule ready for candidates.
func (r *rule) parse() error {
	e, err := parse(r.source)
	if err != nil {
		return fmt.Errorf("rule %s: %w", r.id, err)
	}
	r.expression = e
	r.anchors = r.findAnchors()
	r.compiled = sync.OnceValues(r.compile)
	return nil
}

func (r *rule) compile() (*compiled, error) {
	pattern, err := regexp.Compile(r.source)
	if err != nil {
		return nil, fmt.Errorf("rule %s: %w", r.id, err)
	}
	s, err := newSieve(r.core, len(r.anchors) == 0)
	if err != nil {
		return nil, fmt.Errorf("rule %s: %w", r.id, err)
	}
	return &compiled{pattern, s}, nil
}

// findAnchors returns how many bytes before the end of a keyword the core of the expression begins. It returns nothing if a match may
// begin with something else than with a keyword or what contains it.
func (r *rule) findAnchors() []anchor {
	var found []anchor
	for _, prefix := range r.prefixes {
		anchors := r.anchorsOf(prefix)
		if anchors == nil {
			return nil
		}
		for _, a := range anchors {
			if !slices.Contains(found, a) {
				found = append(found, a)
			}
		}
	}
	return found
}

// anchorsOf returns the anchor of a match with a prefix: the first keyword within the prefix, or else all that it begins.
func (r *rule) anchorsOf(prefix string) (found []anchor) {
	for _, keyword := range r.keywords {
		if at := strings.Index(prefix, keyword); at >= 0 {
			return []anchor{{keyword, at + len(keyword)}}
		}
		if strings.HasPrefix(keyword, prefix) {
			found = append(found, anchor{keyword, len(keyword)})
		}
	}
	return found
}

// secret returns where in a match, given as regexp gives it, the secret stands.
func (r *rule) secret(match []int) (start, end int) {
	groups := r.groups
	if r.group > 0 {
		groups = []int{r.group}
	}
	for _, group := range groups {
		if start, end = match[2*group], match[2*group+1]; start < end {
			return start, end
		}
	}
	return match[0], match[1]
}

// An allowList says what is no secret although it looks like one.
type allowList struct {
	target    string // what the patterns are tried on: "" the secret, "match" or "line"
	all       bool   // a pattern and a word must be there; else one is enough
	patterns  []*regexp.Regexp
	stopWords wordSet
}

// A wordSet is a set of words in lower case, by their first wordStart bytes. Those that are shorter have themselves.
type wordSet map[string][]string

const wordStart = 3

func newWordSet(words []string) wordSet {
	set := make(wordSet)
	for _, word := range words {
		word = strings.ToLower(word)
		start := word[:min(len(word), wordStart)]
		set[start] = append(set[start], word)
	}
	return set
}

// isIn reports whether a text in lower case contains a word.
func (set wordSet) isIn(text string) bool {
	if len(set) == 0 {
		return false
	}
	for at := range len(text) {
		for length := 1; length <= min(wordStart, len(text)-at); length++ {
			if slices.ContainsFunc(set[text[at:at+length]], func(word string) bool { return strings.HasPrefix(text[at:], word) }) {
				return true
			}
		}
	}
	return false
}

// allows reports whether a list calls a secret harmless.
func (a *allowList) allows(secret, match, line string) bool {
	target := secret
	switch a.target {
	case "match":
		target = match
	case "line":
		target = line
	}
	word := a.stopWords.isIn(strings.ToLower(secret))
	if a.all {
		return (word || len(a.stopWords) == 0) && (len(a.patterns) == 0 || a.matches(target))
	}
	return word || a.matches(target)
}

func (a *allowList) matches(text string) bool {
	return slices.ContainsFunc(a.patterns, func(p *regexp.Regexp) bool { return p.MatchString(text) })
}

// newAllowList compiles one of gitleaks' lists. nil: it speaks of paths and commits alone, or demands a path.
func newAllowList(from allowSource) (*allowList, error) {
	all := slices.Contains([]string{"AND", "&&"}, strings.ToUpper(from.Condition))
	if len(from.Regexes)+len(from.StopWords) == 0 || all && len(from.Paths) > 0 {
		return nil, nil
	}
	a := &allowList{target: from.RegexTarget, all: all}
	if a.target == "secret" {
		a.target = ""
	}
	for _, source := range from.Regexes {
		pattern, err := regexp.Compile(source)
		if err != nil {
			return nil, err
		}
		a.patterns = append(a.patterns, pattern)
	}
	a.stopWords = newWordSet(from.StopWords)
	return a, nil
}

// entropy returns the Shannon entropy of a text in bits per character.
func entropy(text string) float64 {
	counts := make(map[rune]int)
	for _, r := range text {
		counts[r]++
	}
	sum := 0.0
	for _, count := range counts {
		share := float64(count) / float64(len(text))
		sum -= share * math.Log2(share)
	}
	return sum
}
