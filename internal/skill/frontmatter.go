package skill

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"
)

// A Frontmatter is the keys and values at the beginning of a document. The zero value is empty.
type Frontmatter struct {
	table *yaml.Node // a mapping; nil: there is none
}

// Split returns the frontmatter of a text as it stands there, and the text behind it. Claude Code ends frontmatter at the first --- behind
// the first line, wherever that stands. ok is false if there is none.
func Split(text string) (front, body string, ok bool) {
	text = strings.TrimPrefix(text, "\ufeff")
	first, rest, _ := strings.Cut(text, "\n")
	if mark, is := strings.CutPrefix(first, "---"); !is || strings.TrimSpace(mark) != "" {
		return "", text, false
	}
	front, body, ok = strings.Cut(rest, "---")
	if !ok {
		return "", text, false
	}
	return front, strings.TrimLeft(body, " \t\r\n"), true
}

// parse reads frontmatter.
func parse(front string) (Frontmatter, error) {
	if len(front) > maxFront {
		return Frontmatter{}, fmt.Errorf("it has %d bytes, at most %d are read", len(front), maxFront)
	}
	var document yaml.Node
	if err := yaml.Unmarshal([]byte(front), &document); err != nil {
		return Frontmatter{}, err
	}
	if len(document.Content) == 0 {
		return Frontmatter{}, nil
	}
	table := document.Content[0]
	if table.Kind != yaml.MappingNode {
		return Frontmatter{}, fmt.Errorf("it is no table of keys and values")
	}
	seen := map[string]bool{}
	for i := 0; i+1 < len(table.Content); i += 2 {
		if key := table.Content[i].Value; seen[key] {
			return Frontmatter{}, fmt.Errorf("the key %q stands there twice", key)
		}
		seen[table.Content[i].Value] = true
	}
	return Frontmatter{table}, nil
}

// node returns the value of a key; nil: there is none.
func (f Frontmatter) node(key string) *yaml.Node {
	if f.table == nil {
		return nil
	}
	for i := 0; i+1 < len(f.table.Content); i += 2 {
		if f.table.Content[i].Value == key {
			return f.table.Content[i+1]
		}
	}
	return nil
}

// Keys returns the keys, in their order.
func (f Frontmatter) Keys() (keys []string) {
	if f.table == nil {
		return nil
	}
	for i := 0; i+1 < len(f.table.Content); i += 2 {
		keys = append(keys, f.table.Content[i].Value)
	}
	return keys
}

// Text returns a value that is a text, a number or a boolean, as text; "" if it is absent or of another kind.
func (f Frontmatter) Text(key string) string {
	if n := f.node(key); n != nil && n.Kind == yaml.ScalarNode && n.Tag != "!!null" {
		return strings.TrimSpace(n.Value)
	}
	return ""
}

// List returns a value that is a list of texts, or a text whose parts are separated by commas.
func (f Frontmatter) List(key string) (all []string) {
	n := f.node(key)
	if n == nil || n.Kind != yaml.SequenceNode {
		for part := range strings.SplitSeq(f.Text(key), ",") {
			all = append(all, strings.TrimSpace(part))
		}
		return slices.DeleteFunc(all, func(part string) bool { return part == "" })
	}
	for _, item := range n.Content {
		all = append(all, item.Value)
	}
	return all
}

// Set sets a value to a text, or takes the key away if the text is empty. Other keys keep their places and comments.
func (f *Frontmatter) Set(key, text string) {
	if text == "" {
		f.set(key, nil)
		return
	}
	n := &yaml.Node{}
	n.SetString(text)
	f.set(key, n)
}

// SetList is Set for a list of texts.
func (f *Frontmatter) SetList(key string, all []string) {
	if len(all) == 0 {
		f.set(key, nil)
		return
	}
	n := &yaml.Node{Kind: yaml.SequenceNode, Tag: "!!seq"}
	for _, text := range all {
		item := &yaml.Node{}
		item.SetString(text)
		n.Content = append(n.Content, item)
	}
	f.set(key, n)
}

func (f *Frontmatter) set(key string, value *yaml.Node) {
	if f.table == nil {
		f.table = &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map"}
	}
	for i := 0; i+1 < len(f.table.Content); i += 2 {
		if f.table.Content[i].Value != key {
			continue
		}
		if value == nil {
			f.table.Content = slices.Delete(f.table.Content, i, i+2)
		} else {
			f.table.Content[i+1] = value
		}
		return
	}
	if value == nil {
		return
	}
	name := &yaml.Node{}
	name.SetString(key)
	f.table.Content = append(f.table.Content, name, value)
}

// Compose returns the text of a document, and refuses what Claude Code would read otherwise.
func (f Frontmatter) Compose(body string) (string, error) {
	var front bytes.Buffer
	if f.table != nil && len(f.table.Content) > 0 {
		encoder := yaml.NewEncoder(&front)
		encoder.SetIndent(2)
		if err := encoder.Encode(f.table); err != nil {
			return "", err
		}
		if err := encoder.Close(); err != nil {
			return "", err
		}
	}
	if bytes.Contains(front.Bytes(), []byte("---")) {
		return "", &Error{"the frontmatter would contain ---, where Claude Code ends it", "write a dash or two in the description and the other fields"}
	}
	return "---\n" + front.String() + "---\n\n" + strings.TrimSpace(body) + "\n", nil
}
