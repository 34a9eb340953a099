package policy

import (
	"regexp"
	"slices"
	"strings"
)

// A matcher picks tools by name, as Claude Code's hook matchers do. The zero value matches none.
type matcher struct {
	all     bool
	names   []string
	pattern *regexp.Regexp // nil if names are meant
}

func newMatcher(text string) (matcher, error) {
	switch {
	case text == "" || text == "*":
		return matcher{all: true}, nil
	case strings.ContainsFunc(text, isNoName):
		pattern, err := regexp.Compile(text)
		return matcher{pattern: pattern}, err
	}
	names := strings.FieldsFunc(text, func(r rune) bool { return r == '|' || r == ',' })
	for i := range names {
		names[i] = strings.TrimSpace(names[i])
	}
	return matcher{names: names}, nil
}

// isNoName reports whether r cannot be part of a list of names.
func isNoName(r rune) bool {
	return !('a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || strings.ContainsRune("_|, -", r))
}

func (m matcher) match(tool string) bool {
	if m.pattern != nil {
		return m.pattern.MatchString(tool)
	}
	return m.all || slices.Contains(m.names, tool)
}
