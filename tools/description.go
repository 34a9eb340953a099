package tools

import (
	"fmt"
	"io/fs"
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

// A description is a desc/<name>.md file: a header, a blank line, and the text for the model.
//
//	title: Find callers
//	hints: read-only idempotent
type description struct {
	annotations Annotations
	text        string
}

func readDescription(dir fs.FS, name string) (description, error) {
	file := name + ".md"
	raw, err := fs.ReadFile(dir, file)
	if err != nil {
		return description{}, fmt.Errorf("reading the description: %w", err)
	}
	header, text, _ := strings.Cut(string(raw), "\n\n")
	d := description{text: strings.TrimSpace(text)}
	if d.annotations, err = parseAnnotations(header); err != nil {
		return description{}, fmt.Errorf("%s: %w", file, err)
	}
	if n := utf8.RuneCountInString(d.text); n == 0 || n > maxDescription {
		return description{}, fmt.Errorf("%s: the text has %d characters; it needs 1 to %d", file, n, maxDescription)
	}
	return d, nil
}

func parseAnnotations(header string) (Annotations, error) {
	var a Annotations
	hinted := false
	for line := range strings.Lines(header) {
		key, value, _ := strings.Cut(strings.TrimSpace(line), ":")
		value = strings.TrimSpace(value)
		switch key {
		case "title":
			a.Title = value
		case "hints":
			hinted = true
			if err := a.hint(strings.Fields(value)); err != nil {
				return a, err
			}
		default:
			return a, fmt.Errorf("unknown header %q: it knows title and hints", key)
		}
	}
	if a.Title == "" || !hinted {
		return a, fmt.Errorf("the header needs both title and hints (hints may be empty)")
	}
	return a, nil
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
