package config

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// A Rule decides tool calls before they run. All its conditions must hold.
type Rule struct {
	Decision string `json:"decision"`          // deny, ask or allow
	Tool     string `json:"tool,omitempty"`    // exact names joined by "|" or ",", else a regular expression; "" or "*" is every tool
	Field    string `json:"field,omitempty"`   // dotted path into the tool's input, "*" for every text in it; "" looks where commands, paths and addresses usually stand
	Pattern  string `json:"pattern,omitempty"` // regular expression that must match the field somewhere; "" is any input
	Reason   string `json:"reason,omitempty"`  // shown to the user or the model; at most 1,000 bytes
}

// maxReason keeps a hook's answer far below the 10,000 characters after which Claude Code moves it to a file.
const maxReason = 1000

type rules struct{ field *[]Rule }

func (v *rules) decode(n *node) *fault {
	if n.kind != array {
		return n.expected(v.accepts())
	}
	list := make([]Rule, len(n.items))
	for i, item := range n.items {
		if bad := list[i].decode(item); bad != nil {
			return bad.within("[" + strconv.Itoa(i) + "]")
		}
	}
	*v.field = list
	return nil
}

func (v *rules) accepts() string { return "a list of rules" }

func (v *rules) show() any {
	if *v.field == nil {
		return []Rule{}
	}
	return *v.field
}

func (r *Rule) decode(n *node) *fault {
	bad := n.fields(map[string]func(*node) *fault{
		"decision": (&oneOf{&r.Decision, []string{"deny", "ask", "allow"}, "allow"}).decode,
		"tool":     r.decodeTool,
		"field":    r.decodeField,
		"pattern":  func(n *node) *fault { return expression(&r.Pattern, n) },
		"reason":   r.decodeReason,
	}, "decision", "tool", "field", "pattern", "reason")
	switch {
	case bad != nil:
		return bad
	case r.Decision == "":
		return &fault{line: n.line, problem: "a rule needs a decision", advice: `add "decision": "deny", "ask" or "allow"`}
	case r.Field != "" && r.Pattern == "":
		return &fault{line: n.line, problem: "a rule with a field needs a pattern", advice: `add "pattern", a regular expression for the field`}
	}
	return nil
}

// decodeTool needs to check expressions only: every list of names is one, too.
func (r *Rule) decodeTool(n *node) *fault {
	if n.kind == str && n.text == "*" {
		r.Tool = n.text
		return nil
	}
	return expression(&r.Tool, n)
}

func (r *Rule) decodeField(n *node) *fault {
	if n.kind != str || slices.Contains(strings.Split(n.text, "."), "") {
		return n.expected(`a path into the tool's input like "file_path" or "edits.0.new_string"`)
	}
	r.Field = n.text
	return nil
}

func (r *Rule) decodeReason(n *node) *fault {
	if n.kind != str || len(n.text) > maxReason {
		return n.expected("a text of at most 1000 bytes")
	}
	r.Reason = n.text
	return nil
}

func expression(field *string, n *node) *fault {
	if n.kind != str {
		return n.expected("a regular expression")
	}
	if _, err := regexp.Compile(n.text); err != nil {
		f := n.expected("a regular expression")
		f.problem += ": " + strings.TrimPrefix(err.Error(), "error parsing regexp: ")
		f.advice = "patterns are Go regular expressions: https://pkg.go.dev/regexp/syntax"
		return f
	}
	*field = n.text
	return nil
}
