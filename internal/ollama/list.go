package ollama

import "strings"

// List returns the strings of an array, trimmed; empty ones are left out. Names in one string with commas between them
// are a list as well. Ollama hands an empty array over as null. Anything else than strings is an error.
func (a Arguments) List(name string) ([]string, error) {
	value, ok := a.values[name]
	if !ok {
		return nil, badArgument("%s is missing", name)
	}
	var items []any
	switch v := value.(type) {
	case nil:
	case []any:
		items = v
	case string:
		for part := range strings.SplitSeq(strings.Trim(v, "[]"), ",") {
			items = append(items, part)
		}
	default:
		return nil, badArgument("%s is %s, not a list", name, show(value))
	}
	var list []string
	for _, item := range items {
		text, ok := item.(string)
		if !ok {
			return nil, badArgument("%s holds %s, not only strings", name, show(item))
		}
		if text = bare(strings.ReplaceAll(text, "<escape>", "")); text != "" {
			list = append(list, text)
		}
	}
	return list, nil
}
