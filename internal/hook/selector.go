package hook

import (
	"bytes"
	"encoding/json"
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

// any reports whether test holds for one of the texts.
func (s selector) any(input any, test func(string) bool) bool {
	if s.all {
		return anyText(input, test)
	}
	for _, path := range s.paths {
		if anyAt(input, path, test) {
			return true
		}
	}
	return false
}

// anyAt follows a path through objects by key and through arrays by index, or by every element where the path has no
// index. At its end stand a text, a number or a boolean, or an array of them.
func anyAt(value any, path []string, test func(string) bool) bool {
	if list, ok := value.([]any); ok {
		return anyElement(list, path, test)
	}
	if len(path) == 0 {
		text, ok := asText(value)
		return ok && test(text)
	}
	object, ok := value.(map[string]any)
	if !ok {
		return false
	}
	member, ok := object[path[0]]
	return ok && anyAt(member, path[1:], test)
}

func anyElement(list []any, path []string, test func(string) bool) bool {
	if len(path) > 0 {
		if i, err := strconv.Atoi(path[0]); err == nil {
			return 0 <= i && i < len(list) && anyAt(list[i], path[1:], test)
		}
	}
	for _, element := range list {
		if anyAt(element, path, test) {
			return true
		}
	}
	return false
}

func anyText(value any, test func(string) bool) bool {
	switch v := value.(type) {
	case string:
		return test(v)
	case []any:
		for _, element := range v {
			if anyText(element, test) {
				return true
			}
		}
	case map[string]any:
		for _, member := range v {
			if anyText(member, test) {
				return true
			}
		}
	}
	return false
}

// asText is a value as a pattern sees it; objects and null are no text.
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
