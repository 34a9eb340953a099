package catalogue

import (
	"encoding/json"
	"fmt"
	"strings"

	"tidepool/internal/wording"
)

// An ArgumentError says why words are no arguments of a tool.
type ArgumentError struct {
	What string
	Tool string
}

func (e *ArgumentError) Error() string { return e.What }

// Hint says where the arguments of the tool are described.
func (e *ArgumentError) Hint() string {
	return fmt.Sprintf("agent tools %s describes them; agent call %s '{…}' takes them as JSON", e.Tool, e.Tool)
}

// Arguments makes the arguments of a tool of words as a person types them. A word NAME=VALUE with the name of an argument gives
// that one, under each name that the tool takes for it; all others together, with a space between them, are the tool's main
// argument: the first that it requires, else its first. One word that is a JSON object is returned as it is. The error is a *tools.UnknownToolError or an [ArgumentError].
func (c *Catalogue) Arguments(tool string, words []string) (json.RawMessage, error) {
	if len(words) == 1 && strings.HasPrefix(strings.TrimSpace(words[0]), "{") {
		return json.RawMessage(words[0]), nil
	}
	d, err := c.find(tool)
	if err != nil {
		return nil, err
	}
	names, properties := ordered(d.InputSchema)
	given := make(map[string]json.RawMessage)
	var plain []string
	for _, word := range words {
		name, value, pair := strings.Cut(word, "=")
		p, known := properties[name]
		if !known {
			p, known = properties[d.Spellings[name]]
		}
		if !pair || !known {
			plain = append(plain, word)
			continue
		}
		if given[name], err = p.value(tool, name, value); err != nil {
			return nil, err
		}
	}
	if len(plain) > 0 {
		main, err := mainArgument(tool, append(required(d), names...), plain)
		if err != nil {
			return nil, err
		}
		if _, twice := given[main]; twice {
			return nil, &ArgumentError{fmt.Sprintf("%s is given twice: as %s=… and as %q", main, main, strings.Join(plain, " ")), tool}
		}
		if given[main], err = properties[main].value(tool, main, strings.Join(plain, " ")); err != nil {
			return nil, err
		}
	}
	return json.Marshal(given)
}

// mainArgument returns the first of names. A tool without arguments takes no words, and a word that looks like NAME=VALUE with a
// misspelt name is none of its.
func mainArgument(tool string, names, words []string) (string, error) {
	if len(names) == 0 {
		return "", &ArgumentError{fmt.Sprintf("%s takes no arguments, not %q", tool, strings.Join(words, " ")), tool}
	}
	for _, word := range words {
		name, _, pair := strings.Cut(word, "=")
		if near := wording.Nearest(name, names, 1); pair && len(near) > 0 {
			return "", &ArgumentError{fmt.Sprintf("%s has no argument %s: did you mean %s?", tool, name, near[0]), tool}
		}
	}
	return names[0], nil
}

// value writes a word as a value of the property's type.
func (p property) value(tool, name, word string) (json.RawMessage, error) {
	switch p.Type {
	case "string", "":
		return json.Marshal(word)
	case "array":
		if !strings.HasPrefix(word, "[") {
			var items []string
			for item := range strings.SplitSeq(word, ",") {
				items = append(items, strings.TrimSpace(item))
			}
			return json.Marshal(items)
		}
	}
	if !json.Valid([]byte(word)) {
		article := "a"
		if strings.ContainsAny(p.Type[:1], "aio") {
			article = "an"
		}
		return nil, &ArgumentError{fmt.Sprintf("%s of %s is %s %s, not %q", name, tool, article, p.Type, word), tool}
	}
	return json.RawMessage(word), nil
}
