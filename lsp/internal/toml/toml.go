// Package toml reads what language servers and their tools are configured by in files of TOML: strings in tables, line by
// line. It is no parser: what it does not understand says nothing.
package toml

import "strings"

// String returns the string that a key at the beginning of a line has as its value.
func String(text, key string) (value string, ok bool) {
	for line := range strings.Lines(text) {
		name, rest, found := strings.Cut(line, "=")
		if found && strings.TrimSpace(name) == key {
			return strings.Trim(strings.TrimSpace(rest), `"'`), true
		}
	}
	return "", false
}

// QuotedLength returns the length of the string that text begins with, quotes included.
func QuotedLength(text string) int {
	for at := 1; at < len(text); at++ {
		switch text[at] {
		case '\\':
			if text[0] == '"' {
				at++
			}
		case text[0]:
			return at + 1
		}
	}
	return len(text)
}

// Table returns what stands between the header of a table and the next one.
func Table(text, header string) string {
	var table strings.Builder
	inside := false
	for line := range strings.Lines(text) {
		trimmed := strings.TrimSpace(line)
		if strings.HasPrefix(trimmed, "[") && strings.Contains(trimmed, "]") && !strings.ContainsAny(trimmed, `"'`) {
			inside = strings.HasPrefix(trimmed, header)
			continue
		}
		if inside {
			table.WriteString(line)
		}
	}
	return table.String()
}

// Strings returns the strings of the array that a key of the table has as its value.
func Strings(table, key string) []string {
	_, rest, found := strings.Cut("\n"+table, "\n"+key)
	value, ok := strings.CutPrefix(strings.TrimSpace(rest), "=")
	if !found || !ok {
		return nil
	}
	var list []string
	for at := 0; at < len(value) && value[at] != ']'; {
		switch value[at] {
		case '"', '\'':
			length := QuotedLength(value[at:])
			list = append(list, strings.Trim(value[at:at+length], `"'`))
			at += length
		case '#':
			at += strings.IndexByte(value[at:]+"\n", '\n')
		default:
			at++
		}
	}
	return list
}
