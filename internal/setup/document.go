package setup

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/tailscale/hujson"
)

// A FileError says what is wrong with a file, and where.
type FileError struct {
	Path    string
	Line    int    // from 1; 0 if it is about the file as a whole
	Problem string // "a comment, which JSON does not have"
	hint    string
}

func (e *FileError) Error() string {
	if e.Line == 0 {
		return e.Path + ": " + e.Problem
	}
	return fmt.Sprintf("%s:%d: %s", e.Path, e.Line, e.Problem)
}

// Hint says what to do.
func (e *FileError) Hint() string { return e.hint }

const byteOrderMark = "\ufeff"

// A document is a JSON file that can be changed in places and written back with all the rest as it was.
type document struct {
	path string
	text []byte // as parsed, without the byte order mark; offsets of the tree count in it
	mark string // byteOrderMark or ""
	root hujson.Value
	top  *hujson.Object // root's
	unit string         // one step of indentation
	eol  string         // "\n" or "\r\n"
	flat bool           // there is content, and all of it stands on one line
}

// parse reads strict JSON whose outermost value is an object; a file without content counts as an empty one. path is
// for errors, which are *FileError.
func parse(path string, data []byte) (*document, error) {
	text, marked := bytes.CutPrefix(data, []byte(byteOrderMark))
	d := &document{path: path, text: text, unit: "  ", eol: "\n"}
	if marked {
		d.mark = byteOrderMark
	}
	if len(bytes.TrimSpace(text)) == 0 {
		d.text = []byte("{}\n")
	}
	if err := d.check(); err != nil {
		return nil, err
	}
	var err error
	if d.root, err = hujson.Parse(d.text); err != nil {
		return nil, d.errorAt(0, err.Error())
	}
	object, ok := d.root.Value.(*hujson.Object)
	if !ok {
		return nil, d.errorAt(d.root.StartOffset, "the outermost value is not an object")
	}
	d.top = object
	d.learnStyle()
	return d, nil
}

// check refuses what is not strict JSON.
func (d *document) check() error {
	err := json.Unmarshal(d.text, new(any))
	var syntax *json.SyntaxError
	switch {
	case errors.As(err, &syntax):
		at := max(int(syntax.Offset)-1, 0)
		if tail := d.text[min(at, len(d.text)):]; bytes.HasPrefix(tail, []byte("/")) {
			return d.errorAt(at, "a comment, which JSON does not have")
		}
		return d.errorAt(at, syntax.Error())
	case err != nil:
		return d.errorAt(0, err.Error())
	}
	return nil
}

// learnStyle takes line ending and indentation from the first line break and the first member.
func (d *document) learnStyle() {
	if before, _, found := bytes.Cut(d.text, []byte("\n")); found && bytes.HasSuffix(before, []byte("\r")) {
		d.eol = "\r\n"
	}
	if len(d.top.Members) > 0 {
		if indent := d.outermost().indentOfMembers(); indent != "" {
			d.unit = indent
		}
	}
	d.flat = len(d.top.Members) > 0 && !bytes.Contains(bytes.TrimSpace(d.text), []byte("\n"))
}

func (d *document) bytes() []byte { return append([]byte(d.mark), d.root.Pack()...) }

func (d *document) errorAt(offset int, problem string) *FileError {
	line := 1 + bytes.Count(d.text[:min(offset, len(d.text))], []byte("\n"))
	return &FileError{Path: d.path, Line: line, Problem: problem,
		hint: "put the file right, then try again; nothing was changed"}
}

// render writes value as JSON whose further lines are indented by indent.
func (d *document) render(value any, indent string) []byte {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent(indent, d.unit)
	if err := enc.Encode(value); err != nil {
		panic("setup: " + err.Error()) // only types of this package are rendered
	}
	return bytes.ReplaceAll(bytes.TrimSpace(b.Bytes()), []byte("\n"), []byte(d.eol))
}

// renderFlat writes value as JSON on one line.
func (d *document) renderFlat(value any) []byte {
	var b bytes.Buffer
	if err := json.Compact(&b, d.render(value, "")); err != nil {
		panic("setup: " + err.Error())
	}
	return b.Bytes()
}
