package tools

import (
	"cmp"
	"fmt"
	"io/fs"
	"strconv"
	"strings"
	"unicode/utf8"
)

// maxDescription bounds a description in characters: Claude Code cuts what is longer.
const maxDescription = 2048

// Annotations are MCP's hints about what a tool does. Each is always sent, since an absent hint does not mean false.
type Annotations struct {
	Title           string `json:"title"`
	ReadOnlyHint    bool   `json:"readOnlyHint"`    // changes nothing; clients may run such calls in parallel
	DestructiveHint bool   `json:"destructiveHint"` // may overwrite or delete
	IdempotentHint  bool   `json:"idempotentHint"`  // a second call with the same arguments changes nothing more
	OpenWorldHint   bool   `json:"openWorldHint"`   // reaches beyond the project, such as the network
}

// Meta is what Claude Code reads of a tool beyond MCP; its zero value says nothing.
type Meta struct {
	AlwaysLoad         bool   `json:"anthropic/alwaysLoad,omitempty"`         // the model has the schema without a search for the tool
	SearchHint         string `json:"anthropic/searchHint,omitempty"`         // words by which a search finds the tool
	MaxResultSizeChars int    `json:"anthropic/maxResultSizeChars,omitempty"` // a longer text goes to a file; 0: 50,000, at most 500,000
}

// A description is a desc/<name>.md file: a header, a blank line, and the text for the model. The last three lines of
// the header may be absent.
//
//	title: Find callers
//	hints: read-only idempotent
//	search: who calls usages
//	max-result: 100000
//	line: who calls a function or method, through interfaces too
//
// Examples follow the text. A model reads the first one with the description.
type description struct {
	annotations Annotations
	meta        Meta
	line        string // what the tool does, for a list of tools; the title if there is none
	text        string
	examples    []Example
}

func readDescription(dir fs.FS, name string) (description, error) {
	file := "desc/" + name + ".md"
	raw, err := fs.ReadFile(dir, file)
	if err != nil {
		return description{}, fmt.Errorf("reading the description: %w", err)
	}
	header, body, _ := strings.Cut(string(raw), "\n\n")
	var d description
	if err := d.parseHeader(header); err != nil {
		return description{}, fmt.Errorf("%s: %w", file, err)
	}
	if d.text, d.examples, err = cutExamples(body); err != nil {
		return description{}, fmt.Errorf("%s: %w", file, err)
	}
	if n := utf8.RuneCountInString(d.forModel()); d.text == "" || n > maxDescription {
		return description{}, fmt.Errorf("%s: the text and its first example have %d characters; they need 1 to %d", file, n, maxDescription)
	}
	return d, nil
}

// forModel returns the text with the first example.
func (d *description) forModel() string {
	if len(d.examples) == 0 {
		return d.text
	}
	return d.text + "\n\nExample (" + d.examples[0].Title + "): " + d.examples[0].Input
}

func (d *description) parseHeader(header string) (err error) {
	hinted := false
	for line := range strings.Lines(header) {
		key, value, _ := strings.Cut(strings.TrimSpace(line), ":")
		value = strings.TrimSpace(value)
		switch key {
		case "title":
			d.annotations.Title = value
		case "hints":
			hinted = true
			err = d.annotations.hint(strings.Fields(value))
		case "search":
			d.meta.SearchHint = value
		case "line":
			d.line, err = oneLiner(value)
		case "max-result":
			d.meta.MaxResultSizeChars, err = resultSize(value)
		default:
			err = fmt.Errorf("unknown header %q: it knows title, hints, search, line and max-result", key)
		}
		if err != nil {
			return err
		}
	}
	if d.annotations.Title == "" || !hinted {
		return fmt.Errorf("the header needs both title and hints (hints may be empty)")
	}
	d.line = cmp.Or(d.line, d.annotations.Title)
	return nil
}

// oneLiner returns the line of a tool in a list, which is short because the list has all tools.
func oneLiner(value string) (string, error) {
	const most = 80 // characters
	if n := utf8.RuneCountInString(value); n == 0 || n > most {
		return "", fmt.Errorf("line has %d characters; it needs 1 to %d", n, most)
	}
	return value, nil
}

func resultSize(value string) (int, error) {
	const most = 500_000 // of Claude Code
	n, err := strconv.Atoi(value)
	if err != nil || n < 1 || n > most {
		return 0, fmt.Errorf("max-result is a number of characters up to %d, not %q", most, value)
	}
	return n, nil
}

func (a *Annotations) hint(words []string) error {
	for _, word := range words {
		switch word {
		case "read-only":
			a.ReadOnlyHint = true
		case "destructive":
			a.DestructiveHint = true
		case "idempotent":
			a.IdempotentHint = true
		case "open-world":
			a.OpenWorldHint = true
		default:
			return fmt.Errorf("unknown hint %q: read-only, destructive, idempotent or open-world", word)
		}
	}
	if a.ReadOnlyHint && a.DestructiveHint {
		return fmt.Errorf("read-only and destructive exclude each other")
	}
	return nil
}
