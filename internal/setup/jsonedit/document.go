package jsonedit

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"

	"github.com/tailscale/hujson"
)

// An Error says what is wrong with a text, and where.
type Error struct {
	Line    int // from 1
	Problem string
}

func (e *Error) Error() string { return fmt.Sprintf("line %d: %s", e.Line, e.Problem) }

// A document is a text with the tree that was parsed of it.
type document struct {
	text []byte
	root hujson.Value
	unit string // one step of indentation
	eol  string // "\n" or "\r\n"
	flat bool   // there are members, and all of them stand on one line
}

// maxBrackets bounds the nesting that the parser, which is recursive, can meet.
const maxBrackets = 50_000

// parse reads a text whose outermost value is an object. A blank text counts as an empty object.
func parse(text []byte) (*document, error) {
	d := &document{text: text, unit: "  ", eol: "\n"}
	if len(bytes.TrimSpace(text)) == 0 {
		d.text = []byte("{}\n")
	}
	if n := bytes.Count(text, []byte("{")) + bytes.Count(text, []byte("[")); n > maxBrackets {
		return nil, &Error{1, fmt.Sprintf("%d brackets are too many for settings", n)}
	}
	var err error
	if d.root, err = hujson.Parse(bytes.Clone(d.text)); err != nil {
		return nil, syntaxError(err)
	}
	top, is := d.root.Value.(*hujson.Object)
	if !is {
		return nil, d.errorAt(d.root.StartOffset, "the outermost value is not an object")
	}
	if before, _, found := bytes.Cut(d.text, []byte("\n")); found && bytes.HasSuffix(before, []byte("\r")) {
		d.eol = "\r\n"
	}
	d.flat = len(top.Members) > 0 && !bytes.Contains(bytes.TrimSpace(d.text), []byte("\n"))
	c := d.container(&d.root)
	if c.len() > 0 && c.startsLine(0) {
		if indent := d.indentAt(c.start(0)); indent != "" {
			d.unit = indent
		}
	}
	return d, nil
}

// syntaxError takes the line out of hujson's message, "hujson: line 3, column 4: …".
func syntaxError(err error) *Error {
	message := strings.TrimPrefix(err.Error(), "hujson: ")
	if place, problem, found := strings.Cut(message, ": "); found {
		var line, column int
		if n, _ := fmt.Sscanf(place, "line %d, column %d", &line, &column); n == 2 {
			return &Error{line, problem}
		}
	}
	return &Error{1, message}
}

func (d *document) errorAt(offset int, problem string) *Error {
	return &Error{1 + bytes.Count(d.text[:offset], []byte("\n")), problem}
}

// indentAt returns the white space with which the line of an offset begins.
func (d *document) indentAt(offset int) string {
	line := d.text[bytes.LastIndexByte(d.text[:offset], '\n')+1:]
	return string(line[:len(line)-len(bytes.TrimLeft(line, " \t"))])
}

// split returns the tokens of a JSON Pointer.
func split(pointer string) []string {
	tokens := strings.Split(strings.TrimPrefix(pointer, "/"), "/")
	for i, t := range tokens {
		tokens[i] = strings.ReplaceAll(strings.ReplaceAll(t, "~1", "/"), "~0", "~")
	}
	return tokens
}

// find follows tokens as far as there are values. It returns the containers on the way, and the value if all of it exists.
func (d *document) find(tokens []string) (way []*container, found *hujson.Value, err error) {
	at := &d.root
	for i, token := range tokens {
		c := d.container(at)
		if c == nil {
			return nil, nil, d.errorAt(at.StartOffset, fmt.Sprintf("%q is neither an object nor a list", strings.Join(tokens[:i], "/")))
		}
		way = append(way, c)
		if at, err = c.find(token); at == nil || err != nil {
			return way, nil, err
		}
	}
	return way, at, nil
}

// Find returns the value at a pointer as JSON without comments, nil if there is none.
func Find(text []byte, pointer string) ([]byte, error) {
	d, err := parse(text)
	if err != nil {
		return nil, err
	}
	_, found, err := d.find(split(pointer))
	if found == nil || err != nil {
		return nil, err
	}
	value := found.Clone()
	value.Standardize()
	value.Minimize()
	return value.Pack(), nil
}

// find returns the value of a token, nil if there is none. A name that stands there twice is an error: readers differ in
// which of them counts.
func (c *container) find(token string) (*hujson.Value, error) {
	if c.array != nil {
		i, err := strconv.Atoi(token)
		switch {
		case token == "-" || err == nil && i >= c.len():
			return nil, nil
		case err != nil || i < 0:
			return nil, c.doc.errorAt(c.from, fmt.Sprintf("a list stands where %q is looked for", token))
		}
		return c.value(i), nil
	}
	if token == "-" {
		return nil, c.doc.errorAt(c.from, "an object stands where a list is expected")
	}
	var found *hujson.Value
	for i := range c.object.Members {
		m := &c.object.Members[i]
		if name, is := m.Name.Value.(hujson.Literal); !is || name.String() != token {
			continue
		}
		if found != nil {
			return nil, c.doc.errorAt(m.Name.StartOffset, fmt.Sprintf("%q stands there twice", token))
		}
		found = &m.Value
	}
	return found, nil
}

// Line returns the line on which the value at a pointer begins, from 1; 1 if there is none.
func Line(text []byte, pointer string) int {
	d, err := parse(text)
	if err != nil {
		return 1
	}
	_, found, err := d.find(split(pointer))
	if found == nil || err != nil {
		return 1
	}
	return d.errorAt(found.StartOffset, "").Line
}
