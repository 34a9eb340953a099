package policy

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// A selector picks texts of a tool's input.
type selector struct {
	all   bool       // every text, at any depth
	paths [][]string // else those at one of these
}

func newSelector(field string) selector {
	switch field {
	case "*":
		return selector{all: true}
	case "": // where Claude Code's own tools have them, and most others
		return selector{paths: [][]string{
			{"command"}, {"file_path"}, {"notebook_path"}, {"path"}, {"url"}, {"pattern"}, {"query"},
		}}
	}
	return selector{paths: [][]string{strings.Split(field, ".")}}
}

// find returns the dotted path of the first text that test holds for; it is "" if the input itself is that text.
func (s selector) find(input any, test func(string) bool) (at string, found bool) {
	if s.all {
		return findText(input, test)
	}
	for _, path := range s.paths {
		if at, found = findAt(input, path, test); found {
			return at, true
		}
	}
	return "", false
}

// findAt follows a path through objects by key and through arrays by index, or by every element where the path has no
// index. At its end stand a text, a number or a boolean, or an array of them.
func findAt(value any, path []string, test func(string) bool) (at string, found bool) {
	if list, ok := value.([]any); ok {
		return findElement(list, path, test)
	}
	if len(path) == 0 {
		text, ok := asText(value)
		return "", ok && test(text)
	}
	object, ok := value.(map[string]any)
	if !ok {
		return "", false
	}
	member, ok := object[path[0]]
	if !ok {
		return "", false
	}
	at, found = findAt(member, path[1:], test)
	return below(path[0], at, found)
}

func findElement(list []any, path []string, test func(string) bool) (at string, found bool) {
	if len(path) > 0 {
		if i, err := strconv.Atoi(path[0]); err == nil {
			if i < 0 || i >= len(list) {
				return "", false
			}
			at, found = findAt(list[i], path[1:], test)
			return below(path[0], at, found)
		}
	}
	for i, element := range list {
		if at, found = findAt(element, path, test); found {
			return below(strconv.Itoa(i), at, true)
		}
	}
	return "", false
}

// findText looks at every text, in an order that does not change.
func findText(input any, test func(string) bool) (at string, found bool) {
	switch v := input.(type) {
	case string:
		return "", test(v)
	case []any:
		for i, element := range v {
			if at, found = findText(element, test); found {
				return below(strconv.Itoa(i), at, true)
			}
		}
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			if at, found = findText(v[name], test); found {
				return below(name, at, true)
			}
		}
	}
	return "", false
}

// below puts a step before the path of what was found after it.
func below(step, rest string, found bool) (string, bool) {
	switch {
	case !found:
		return "", false
	case rest == "":
		return step, true
	}
	return step + "." + rest, true
}

// asText returns a value as a pattern sees it; objects and null are no text.
func asText(value any) (string, bool) {
	switch v := value.(type) {
	case string:
		return v, true
	case json.Number:
		return v.String(), true
	case bool:
		return strconv.FormatBool(v), true
	}
	return "", false
}

// decode turns a tool's input, which is known to be JSON, into maps, slices, strings and json.Numbers.
func decode(input json.RawMessage) any {
	decoder := json.NewDecoder(bytes.NewReader(input))
	decoder.UseNumber()
	var value any
	if err := decoder.Decode(&value); err != nil {
		return nil // absent: there is nothing to match
	}
	return value
}
