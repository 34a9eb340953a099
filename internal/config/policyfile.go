package config

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A PolicyEntry is one policy of a policy file, as it is written there. The zero value of a member that is absent or cannot be used.
type PolicyEntry struct {
	ID          string
	Title       string
	Category    string // "" or one of PolicyCategories
	Severity    string // error, warning or info
	Requirement string // at most 4,000 bytes
	Enforcement []Rule // without decisions; of one whose tool cannot be used, Tool is "", every tool
	Expires     time.Time
	Overridable bool
	Enabled     bool
	Line        int   // in the file
	Fault       error // joins a *KeyError for each thing that is wrong; nil: nothing
}

// PolicyCategories returns what the category of a policy may be.
func PolicyCategories() []string {
	return []string{"security", "compliance", "coding", "testing", "documentation", "architecture", "repo"}
}

// MaxPolicies bounds the policies of a file.
const MaxPolicies = 1000

// maxRequirement bounds what a policy says, in bytes.
const maxRequirement = 4000

// ParsePolicies reads a policy file. The error is a *KeyError and means that nothing of the file can be used. What is wrong with one
// policy alone is that policy's Fault.
func ParsePolicies(path string, data []byte) ([]PolicyEntry, error) {
	root, bad := parse(data)
	var list *node
	if bad == nil {
		bad = root.fields(map[string]func(*node) *fault{"policies": func(n *node) *fault { list = n; return nil }}, "policies")
	}
	switch {
	case bad != nil:
	case list == nil:
		bad = root.expected(`an object with "policies"`)
	case list.kind != array:
		bad = list.expected("a list of policies").within(".policies")
	case len(list.items) > MaxPolicies:
		bad = &fault{line: list.line, problem: fmt.Sprintf("%d policies, at most %d", len(list.items), MaxPolicies), advice: "split the file"}
	}
	if bad != nil {
		return nil, bad.at(path, "")
	}
	entries := make([]PolicyEntry, len(list.items))
	for i, item := range list.items {
		entries[i] = policyEntry(item, path, "policies["+strconv.Itoa(i)+"]")
	}
	return entries, nil
}

// at returns the fault as an error of a key in a file.
func (f *fault) at(path, key string) *KeyError {
	return &KeyError{
		Key: strings.TrimPrefix(key+f.below, "."), Source: fmt.Sprintf("%s:%d", path, f.line), Problem: f.problem, Advice: f.advice,
	}
}

// policyEntry decodes one policy, as far as it can be used.
func policyEntry(n *node, path, key string) PolicyEntry {
	e := PolicyEntry{Line: n.line, Enabled: true}
	faults := n.each(map[string]func(*node) []*fault{
		"id":          one(e.decodeID),
		"title":       one(func(n *node) *fault { return words(&e.Title, n, 200) }),
		"category":    one((&oneOf{&e.Category, PolicyCategories(), ""}).decode),
		"severity":    one(e.decodeSeverity),
		"requirement": one(func(n *node) *fault { return words(&e.Requirement, n, maxRequirement) }),
		"enforcement": e.decodeEnforcement,
		"expires":     one(e.decodeExpires),
		"overridable": one((&onOff{&e.Overridable}).decode),
		"enabled":     one((&onOff{&e.Enabled}).decode),
	}, "id", "title", "category", "severity", "requirement", "enforcement", "expires", "overridable", "enabled")
	if faults == nil {
		faults = e.missing(n.line)
	}
	var all []error
	for _, f := range faults {
		all = append(all, f.at(path, key))
	}
	e.Fault = errors.Join(all...)
	return e
}

// missing returns what a policy needs and does not have.
func (e *PolicyEntry) missing(line int) (all []*fault) {
	for _, needed := range []struct{ name, value, advice string }{
		{"an id", e.ID, `add "id": "SEC-001"`},
		{"a title", e.Title, `add "title", a few words that name it`},
		{"a severity", e.Severity, `add "severity": "error" (denies), "warning" (asks) or "info" (is told)`},
	} {
		if needed.value == "" {
			all = append(all, &fault{line: line, problem: "a policy needs " + needed.name, advice: needed.advice})
		}
	}
	return all
}

// decodeSeverity takes critical for error, as other programs call it.
func (e *PolicyEntry) decodeSeverity(n *node) *fault {
	if n.kind == str && n.text == "critical" {
		e.Severity = "error"
		return nil
	}
	return (&oneOf{&e.Severity, []string{"error", "warning", "info"}, ""}).decode(n)
}

func (e *PolicyEntry) decodeEnforcement(n *node) (faults []*fault) {
	if n.kind != array {
		return []*fault{n.expected(`a list of rules, each with "tool", "field", "pattern" or "reason"`)}
	}
	e.Enforcement = make([]Rule, len(n.items))
	for i, item := range n.items {
		for _, f := range e.Enforcement[i].decodeCondition(item) {
			faults = append(faults, f.within("["+strconv.Itoa(i)+"]"))
		}
	}
	return faults
}

// decodeCondition decodes a rule whose decision is the severity of its policy.
func (r *Rule) decodeCondition(n *node) []*fault {
	faults := n.each(map[string]func(*node) []*fault{
		"tool":    one(r.decodeTool),
		"field":   one(r.decodeField),
		"pattern": one(func(n *node) *fault { return expression(&r.Pattern, n) }),
		"reason":  one(r.decodeReason),
	}, "tool", "field", "pattern", "reason")
	if faults == nil && r.Field != "" && r.Pattern == "" {
		return []*fault{{line: n.line, problem: "a rule with a field needs a pattern", advice: `add "pattern", a regular expression for the field`}}
	}
	return faults
}

// decodeExpires takes a day as its end, in UTC.
func (e *PolicyEntry) decodeExpires(n *node) *fault {
	if day, err := time.Parse(time.DateOnly, n.text); err == nil && n.kind == str {
		e.Expires = day.AddDate(0, 0, 1)
		return nil
	}
	at, err := time.Parse(time.RFC3339, n.text)
	if err != nil || n.kind != str {
		return n.expected(`a day like "2027-01-31", its end in UTC, or a time like "2027-01-31T18:00:00Z"`)
	}
	e.Expires = at
	return nil
}

// decodeID takes a word of letters, digits and "._-".
func (e *PolicyEntry) decodeID(n *node) *fault {
	fits, _ := regexp.MatchString(`^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$`, n.text) // the pattern is one
	if n.kind != str || !fits {
		return n.expected(`an id like "SEC-001", of at most 64 letters, digits and "._-"`)
	}
	e.ID = n.text
	return nil
}

func words(field *string, n *node, most int) *fault {
	if n.kind != str || strings.TrimSpace(n.text) == "" || len(n.text) > most {
		return n.expected(fmt.Sprintf("a text of at most %d bytes", most))
	}
	*field = n.text
	return nil
}

// one adapts a decoder that finds one fault at most.
func one(decode func(*node) *fault) func(*node) []*fault {
	return func(n *node) []*fault {
		if f := decode(n); f != nil {
			return []*fault{f}
		}
		return nil
	}
}

// each is fields that goes on after a fault, so that what can be used is decoded.
func (n *node) each(decode map[string]func(*node) []*fault, names ...string) (faults []*fault) {
	if n.kind != object {
		return []*fault{n.expected("an object with " + strings.Join(names, ", "))}
	}
	var seen []string
	for _, m := range n.members {
		set := decode[m.name]
		var found []*fault
		switch {
		case set == nil:
			found = []*fault{{line: m.line, problem: "unknown key", advice: suggest(m.name, names, "known here: "+strings.Join(names, ", "))}}
		case slices.Contains(seen, m.name):
			found = []*fault{{line: m.line, problem: "given twice"}}
		default:
			found = set(m.value)
		}
		seen = append(seen, m.name)
		for _, f := range found {
			faults = append(faults, f.within("."+m.name))
		}
	}
	return faults
}
