package config

import (
	"encoding/json"
	"slices"
	"strings"
)

type languageTable struct {
	field *map[string]Language
	known []string
}

func (v *languageTable) decode(n *node) *fault {
	if n.kind != object {
		return n.expected(v.accepts())
	}
	table := make(map[string]Language, len(n.members))
	for _, m := range n.members {
		if _, twice := table[m.name]; twice {
			return (&fault{line: m.line, problem: "given twice"}).within("." + m.name)
		}
		if v.known != nil && !slices.Contains(v.known, m.name) {
			f := &fault{line: m.line, problem: "unknown language", advice: suggest(m.name, v.known, "known languages: "+strings.Join(v.known, ", "))}
			return f.within("." + m.name)
		}
		language, bad := decodeLanguage(m.value)
		if bad != nil {
			return bad.within("." + m.name)
		}
		table[m.name] = language
	}
	*v.field = table
	return nil
}

func decodeLanguage(n *node) (Language, *fault) {
	var l Language
	bad := n.fields(map[string]func(*node) *fault{
		"command": func(n *node) *fault {
			l.Command = nil
			for _, item := range n.items {
				if item.kind != str || item.text == "" {
					return item.expected("a program or an argument")
				}
				l.Command = append(l.Command, item.text)
			}
			if n.kind != array || len(l.Command) == 0 {
				return n.expected("a program and its arguments as a list of strings")
			}
			return nil
		},
		"enabled": func(n *node) *fault {
			if n.kind != boolean {
				return n.expected("true or false")
			}
			l.Disabled = n.text == "false"
			return nil
		},
		"settings": func(n *node) *fault {
			if n.kind != object || json.Unmarshal(n.raw, &l.Settings) != nil {
				return n.expected("an object")
			}
			return nil
		},
	}, "command", "enabled", "settings")
	return l, bad
}

func (v *languageTable) accepts() string { return "an object with one member per language" }

func (v *languageTable) show() any {
	shown := make(map[string]any, len(*v.field))
	for id, l := range *v.field {
		entry := map[string]any{"enabled": !l.Disabled}
		if l.Command != nil {
			entry["command"] = l.Command
		}
		if l.Settings != nil {
			entry["settings"] = l.Settings
		}
		shown[id] = entry
	}
	return shown
}
