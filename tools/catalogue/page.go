package catalogue

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"tidepool/tools"
)

// Tool returns one tool as Markdown: what it does, its arguments, and all its examples. The error is a *tools.UnknownToolError.
func (c *Catalogue) Tool(name string) (string, error) {
	d, err := c.find(name)
	if err != nil {
		return "", err
	}
	return page(d), nil
}

func page(d tools.Definition) string {
	var b strings.Builder
	fmt.Fprintf(&b, "## %s\n\n%s\n\n", d.Name, prose(d))
	fmt.Fprintf(&b, "Arguments%s:\n\n", hints(d.Annotations))
	for _, line := range arguments(d) {
		b.WriteString("* " + line + "\n")
	}
	for _, e := range d.Examples {
		fmt.Fprintf(&b, "\n%s:\n\n    %s\n\n", e.Title, e.Input)
		for _, line := range e.Answer {
			b.WriteString("> " + line + "\n")
		}
	}
	return b.String()
}

// prose returns the description without the example that a model reads at its end.
func prose(d tools.Definition) string {
	if len(d.Examples) == 0 {
		return d.Description
	}
	text, _, _ := strings.Cut(d.Description, "\n\nExample ("+d.Examples[0].Title+"): ")
	return text
}

// hints returns what a caller should know before a call, in parentheses.
func hints(a tools.Annotations) string {
	var all []string
	if a.ReadOnlyHint {
		all = append(all, "read-only")
	}
	if a.DestructiveHint {
		all = append(all, "destructive")
	}
	if a.OpenWorldHint {
		all = append(all, "reaches beyond the project")
	}
	if len(all) == 0 {
		return ""
	}
	return " (" + strings.Join(all, ", ") + ")"
}

// arguments returns a line for each argument, in the order of the schema.
func arguments(d tools.Definition) []string {
	names, properties := ordered(d.InputSchema)
	if len(names) == 0 {
		return []string{"none"}
	}
	needed := required(d)
	var lines []string
	for _, name := range names {
		p := properties[name]
		notes := p.kind()
		for _, n := range needed {
			if n == name {
				notes += ", required"
			}
		}
		if p.Default != nil {
			notes += fmt.Sprintf(", default %s", p.Default)
		}
		lines = append(lines, fmt.Sprintf("`%s` (%s): %s", name, notes, p.Description))
	}
	return lines
}

// A property is what a page says of an argument.
type property struct {
	Type        string
	Description string
	Default     json.RawMessage
	Enum        []json.RawMessage
}

func (p property) kind() string {
	if len(p.Enum) == 0 {
		if p.Type == "" {
			return "string or array"
		}
		return p.Type
	}
	var values []string
	for _, v := range p.Enum {
		values = append(values, string(v))
	}
	return strings.Join(values, ", ")
}

// ordered returns the properties of a schema and their names in the order of the text, which encoding/json loses.
func ordered(schema json.RawMessage) (names []string, properties map[string]property) {
	var parsed struct {
		Properties json.RawMessage
	}
	if err := json.Unmarshal(schema, &parsed); err != nil || parsed.Properties == nil {
		return nil, nil
	}
	if err := json.Unmarshal(parsed.Properties, &properties); err != nil {
		return nil, nil
	}
	decoder := json.NewDecoder(bytes.NewReader(parsed.Properties))
	_, _ = decoder.Token() // the brace, of what has been decoded above
	for decoder.More() {
		name, _ := decoder.Token()
		var value json.RawMessage
		_ = decoder.Decode(&value)
		names = append(names, fmt.Sprint(name))
	}
	return names, properties
}
