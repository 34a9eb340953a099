package jsonedit

import (
	"bytes"
	"encoding/json"
	"slices"
)

// A cut replaces the bytes of a text from one offset to another one.
type cut struct {
	from, to int
	by       string
}

// apply makes cuts that do not overlap and are in order.
func (d *document) apply(cuts ...cut) []byte {
	var b bytes.Buffer
	at := 0
	for _, c := range cuts {
		b.Write(d.text[at:c.from])
		b.WriteString(c.by)
		at = c.to
	}
	b.Write(d.text[at:])
	return b.Bytes()
}

// Insert puts a value, which encoding/json can encode, at a pointer, and makes the objects on the way that are missing.
// What is there already is replaced.
func Insert(text []byte, pointer string, value any) ([]byte, error) {
	d, err := parse(text)
	if err != nil {
		return nil, err
	}
	tokens := split(pointer)
	way, found, err := d.find(tokens)
	if err != nil {
		return nil, err
	}
	c := way[len(way)-1]
	if found != nil {
		by, err := d.render(value, c.inner(), c.oneLine())
		return d.apply(cut{found.StartOffset, found.EndOffset, by}), err
	}
	rest := tokens[len(way)-1:]
	for _, token := range slices.Backward(rest[1:]) {
		if token == "-" {
			value = []any{value}
		} else {
			value = map[string]any{token: value}
		}
	}
	return c.add(rest[0], value)
}

// oneLine reports whether a new member belongs on the line of its neighbours.
func (c *container) oneLine() bool {
	n := c.len()
	if n == 0 {
		return c.doc.flat
	}
	rest := c.doc.text[c.end(n-1):c.to]
	return !c.startsLine(n-1) && bytes.IndexByte(rest, '\n') < 0
}

// add appends a member. After the last one come its comma and the comments behind it, then the new member, then the white
// space before the closing bracket.
func (c *container) add(name string, value any) ([]byte, error) {
	d, n, flat := c.doc, c.len(), c.oneLine()
	member, err := c.render(name, value, flat)
	if err != nil {
		return nil, err
	}
	from := c.from + 1
	var cuts []cut
	if n > 0 {
		if from = c.comma(n-1) + 1; from > 0 {
			member += ","
		} else {
			from = c.end(n - 1)
			cuts = append(cuts, cut{from, from, ","})
		}
	}
	at := from + len(bytes.TrimRight(d.text[from:c.to], " \t\r\n"))
	end := at
	if n == 0 && at == from {
		end = c.to // nothing but white space
	}
	switch {
	case !flat:
		member = d.eol + c.inner() + member
		if n == 0 && (end == c.to || bytes.IndexByte(d.text[at:c.to], '\n') < 0) {
			member, end = member+d.eol+c.outer(), c.to
		}
	case n > 0:
		member = " " + member
	}
	return d.apply(append(cuts, cut{at, end, member})...), nil
}

// render writes a member: a value, in an object after its name.
func (c *container) render(name string, value any, flat bool) (string, error) {
	text, err := c.doc.render(value, c.inner(), flat)
	if err != nil || c.array != nil {
		return text, err
	}
	key, err := c.doc.render(name, "", true)
	return key + ": " + text, err
}

// render writes a value as JSON whose further lines are indented by indent.
func (d *document) render(value any, indent string, flat bool) (string, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if !flat {
		enc.SetIndent(indent, d.unit)
	}
	err := enc.Encode(value)
	return string(bytes.ReplaceAll(bytes.TrimSpace(b.Bytes()), []byte("\n"), []byte(d.eol))), err
}
