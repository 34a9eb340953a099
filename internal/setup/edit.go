package setup

import (
	"bytes"
	"slices"

	"github.com/tailscale/hujson"
)

// add appends a member, formatted like the last one; an array has no use for the name. It is the inverse of remove
// as long as there are other members.
func (c container) add(name string, value any) {
	n := c.len()
	switch {
	case n > 0 && !startsLine(*c.before(n - 1)):
		c.insert(name, *c.before(n - 1), c.doc.renderFlat(value))
	case n == 0 && c.doc.flat:
		c.insert(name, nil, c.doc.renderFlat(value))
	default:
		indent := c.indentOfMembers()
		c.insert(name, hujson.Extra(c.doc.eol+indent), c.doc.render(value, indent))
		if n == 0 {
			*c.end() = hujson.Extra(c.doc.eol + c.indent)
		}
	}
}

func (c container) insert(name string, space hujson.Extra, text []byte) {
	value, err := hujson.Parse(text)
	if err != nil {
		panic("setup: rendered what is not JSON: " + err.Error())
	}
	if c.array != nil {
		value.BeforeExtra = space
		c.array.Elements = append(c.array.Elements, value)
		return
	}
	if !c.doc.flat {
		value.BeforeExtra = hujson.Extra(" ")
	}
	c.object.Members = append(c.object.Members,
		hujson.ObjectMember{Name: hujson.Value{BeforeExtra: space, Value: hujson.String(name)}, Value: value})
}

// remove deletes the i-th member. What follows the first one takes its place; an emptied container closes up.
func (c container) remove(i int) {
	space := *c.before(i)
	if c.array != nil {
		c.array.Elements = slices.Delete(c.array.Elements, i, i+1)
	} else {
		c.object.Members = slices.Delete(c.object.Members, i, i+1)
	}
	n := c.len()
	if n == 0 {
		*c.end() = nil
		return
	}
	if i == 0 {
		*c.before(0) = space
	}
	*c.after(n - 1) = nil // white space there would bring a comma after it
}

// indentOfMembers returns that of the lines on which members begin.
func (c container) indentOfMembers() string {
	n := c.len()
	if n == 0 {
		return c.indent + c.doc.unit
	}
	space := *c.before(n - 1)
	if !startsLine(space) {
		return c.indent
	}
	return string(space[bytes.LastIndexByte(space, '\n')+1:])
}

func (c container) len() int {
	if c.array != nil {
		return len(c.array.Elements)
	}
	return len(c.object.Members)
}

// before returns the white space before the i-th member.
func (c container) before(i int) *hujson.Extra {
	if c.array != nil {
		return &c.array.Elements[i].BeforeExtra
	}
	return &c.object.Members[i].Name.BeforeExtra
}

// after returns the white space between the i-th member and the comma.
func (c container) after(i int) *hujson.Extra {
	if c.array != nil {
		return &c.array.Elements[i].AfterExtra
	}
	return &c.object.Members[i].Value.AfterExtra
}

// end returns the white space before the closing bracket.
func (c container) end() *hujson.Extra {
	if c.array != nil {
		return &c.array.AfterExtra
	}
	return &c.object.AfterExtra
}

// startsLine reports whether what follows space begins a line.
func startsLine(space hujson.Extra) bool { return bytes.IndexByte(space, '\n') >= 0 }
