package jsonedit

import (
	"bytes"

	"github.com/tailscale/hujson"
)

// A container is an object or an array of a document.
type container struct {
	doc    *document
	from   int // the offset of the opening bracket
	to     int // the offset of the closing bracket
	object *hujson.Object
	array  *hujson.Array
}

// container returns a value as a container, nil if it is none.
func (d *document) container(v *hujson.Value) *container {
	c := &container{doc: d, from: v.StartOffset, to: v.EndOffset - 1}
	switch value := v.Value.(type) {
	case *hujson.Object:
		c.object = value
	case *hujson.Array:
		c.array = value
	default:
		return nil
	}
	return c
}

func (c *container) len() int {
	if c.array != nil {
		return len(c.array.Elements)
	}
	return len(c.object.Members)
}

func (c *container) value(i int) *hujson.Value {
	if c.array != nil {
		return &c.array.Elements[i]
	}
	return &c.object.Members[i].Value
}

// start returns the offset of the i-th member: of its name, or of an array's value.
func (c *container) start(i int) int {
	if c.array != nil {
		return c.array.Elements[i].StartOffset
	}
	return c.object.Members[i].Name.StartOffset
}

func (c *container) end(i int) int { return c.value(i).EndOffset }

// comma returns the offset of the comma after the i-th member, -1 if there is none.
func (c *container) comma(i int) int {
	at := c.end(i) + len(c.value(i).AfterExtra)
	if at < c.to && c.doc.text[at] == ',' {
		return at
	}
	return -1
}

// before returns the offset from which on the i-th member may be preceded by white space and comments.
func (c *container) before(i int) int {
	if i == 0 {
		return c.from + 1
	}
	return c.comma(i-1) + 1
}

// startsLine reports whether the i-th member is not on the line on which the one before it ends.
func (c *container) startsLine(i int) bool {
	return bytes.IndexByte(c.doc.text[c.before(i):c.start(i)], '\n') >= 0
}

// inner returns the indentation of members that stand on lines of their own.
func (c *container) inner() string {
	if n := c.len(); n > 0 && c.startsLine(n-1) {
		return c.doc.indentAt(c.start(n - 1))
	}
	return c.outer() + c.doc.unit
}

// outer returns the indentation of the line on which the container begins.
func (c *container) outer() string { return c.doc.indentAt(c.from) }
