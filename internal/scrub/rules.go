package scrub

import (
	"fmt"
	"regexp"
	"strings"
)

// A ruleSet is all rules with the automaton that finds their keywords.
type ruleSet struct {
	rules    []*rule
	allowed  []*allowList // for all of gitleaks' rules
	keywords *automaton
	hooks    [][]hook // by keyword
}

// A hook says what a keyword begins.
type hook struct {
	rule   int
	before int // the core of the rule's expression may begin so many bytes before the keyword's end, or anywhere
}

// anywhere as a hook's before: the keyword does not say where a match begins.
const anywhere = -1

// loadRules compiles gitleaks' rules and our own. It takes about 15 ms.
func loadRules() (*ruleSet, error) {
	file, err := readRules()
	if err != nil {
		return nil, err
	}
	set := new(ruleSet)
	if set.allowed, err = allowLists([]allowSource{file.AllowList}); err != nil {
		return nil, fmt.Errorf("the allow list of gitleaks: %w", err)
	}
	set.allowed = append(set.allowed, checksums())
	for _, source := range file.Rules {
		if source.Regex == "" || pathDecides(source.ID) {
			continue
		}
		r := &rule{
			id: source.ID, source: source.Regex, group: source.SecretGroup, entropy: source.Entropy,
			keywords: lower(source.Keywords),
		}
		if r.allowed, err = allowLists(source.AllowLists); err != nil {
			return nil, fmt.Errorf("the allow list of rule %s: %w", r.id, err)
		}
		set.rules = append(set.rules, r)
	}
	for _, r := range ownForms() {
		if r.own = true; r.id == assignment {
			r.allowed = set.harmlessNames()
		}
		set.rules = append(set.rules, r)
	}
	return set, set.index()
}

// harmlessNames returns gitleaks' lists of names that sound like a secret's and are none's, such as public_token and csrf-token.
func (set *ruleSet) harmlessNames() []*allowList {
	var lists []*allowList
	for _, r := range set.rules {
		if r.id != genericRule {
			continue
		}
		for _, list := range r.allowed {
			if list.target == "match" {
				lists = append(lists, &allowList{target: list.target, patterns: list.patterns})
			}
		}
	}
	return lists
}

// genericRule is gitleaks' rule for name=value.
const genericRule = "generic-api-key"

// checksums returns the list that allows checksums that say what they are. gitleaks knows them by the names of lock files.
func checksums() *allowList {
	return &allowList{target: "match", patterns: []*regexp.Regexp{
		regexp.MustCompile(`\b(?:h1|sha(?:1|256|384|512))[-:=]["']?[A-Za-z0-9+/]{20,}`),
	}}
}

// pathDecides reports whether a rule says too little where the path of the file is unknown. It finds any quoted word after
// "password"; our own form of assignments looks more closely.
func pathDecides(id string) bool { return id == "hashicorp-tf-password" }

func lower(words []string) []string {
	var all []string
	for _, word := range words {
		all = append(all, strings.ToLower(word))
	}
	return all
}

func allowLists(sources []allowSource) ([]*allowList, error) {
	var lists []*allowList
	for _, source := range sources {
		list, err := newAllowList(source)
		if err != nil {
			return nil, err
		}
		if list != nil {
			lists = append(lists, list)
		}
	}
	return lists, nil
}

// index parses the rules and makes the automaton of their keywords.
func (set *ruleSet) index() error {
	var words []string
	number := make(map[string]int)
	add := func(word string, h hook) {
		if _, known := number[word]; !known {
			number[word] = len(words)
			words, set.hooks = append(words, word), append(set.hooks, nil)
		}
		set.hooks[number[word]] = append(set.hooks[number[word]], h)
	}
	for i, r := range set.rules {
		if err := r.parse(); err != nil {
			return err
		}
		if len(r.keywords) == 0 {
			return fmt.Errorf("rule %s has no keyword", r.id)
		}
		for _, a := range r.anchors {
			add(a.keyword, hook{i, a.before})
		}
		if len(r.anchors) > 0 {
			continue
		}
		for _, keyword := range r.keywords {
			add(keyword, hook{i, anywhere})
		}
	}
	set.keywords = newAutomaton(words)
	return nil
}
