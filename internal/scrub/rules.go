package scrub

import (
	"fmt"
	"maps"
	"slices"
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
	offset int // the core of the rule's expression may begin so many bytes before the keyword's end; -1: anywhere around
}

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
	set.rules = append(set.rules, ownForms()...)
	return set, set.index()
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
		anchors := r.anchors()
		if anchors == nil {
			r.prefixes = nil
			for _, keyword := range r.keywords {
				add(keyword, hook{i, -1})
			}
		}
		for _, keyword := range slices.Sorted(maps.Keys(anchors)) {
			for _, at := range anchors[keyword] {
				add(keyword, hook{i, at + len(keyword)})
			}
		}
	}
	set.keywords = newAutomaton(words)
	return nil
}
