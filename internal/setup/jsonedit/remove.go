package jsonedit

import (
	"bytes"
	"strconv"

	"github.com/tailscale/hujson"
)

// Remove takes the value at a pointer out, and each container around it that is then empty and has no comment. Without
// such a value the text stays as it is.
func Remove(text []byte, pointer string) ([]byte, error) {
	d, err := parse(text)
	if err != nil {
		return nil, err
	}
	tokens := split(pointer)
	way, found, err := d.find(tokens)
	if err != nil || found == nil {
		return text, err
	}
	for len(way) > 1 && way[len(way)-1].isAlone() {
		way, tokens = way[:len(way)-1], tokens[:len(tokens)-1]
	}
	c := way[len(way)-1]
	return d.apply(c.without(c.index(tokens[len(tokens)-1]))...), nil
}

// isAlone reports whether a container has one member, and nothing else but white space and a comma.
func (c *container) isAlone() bool {
	if c.len() != 1 {
		return false
	}
	before, after := c.doc.text[c.from+1:c.start(0)], c.doc.text[c.end(0):c.to]
	return len(bytes.TrimSpace(before)) == 0 && len(bytes.Trim(after, " \t\r\n,")) == 0
}

// index returns the place of a member that exists.
func (c *container) index(token string) int {
	if c.array != nil {
		i, _ := strconv.Atoi(token)
		return i
	}
	for i, m := range c.object.Members {
		if name, is := m.Name.Value.(hujson.Literal); is && name.String() == token {
			return i
		}
	}
	return -1
}

// without returns the cuts that take the i-th member out, with the white space before it and one comma. What follows the
// first member takes its place.
func (c *container) without(i int) []cut {
	text := c.doc.text
	if c.isAlone() {
		return []cut{{from: c.from + 1, to: c.to}}
	}
	member := cut{from: c.start(i), to: c.end(i)}
	comma := c.comma(i)
	if comma < 0 {
		member.from = c.gap(i, member.to)
		if i == 0 {
			return []cut{member}
		}
		last := c.comma(i - 1)
		return join(cut{from: last, to: last + 1}, member)
	}
	behind := cut{from: comma, to: comma + 1}
	if i == 0 && c.len() > 1 && !c.startsLine(0) {
		rest := text[comma+1 : c.start(1)]
		behind.to += len(rest) - len(bytes.TrimLeft(rest, " \t"))
	} else {
		member.from = c.gap(i, behind.to)
	}
	return join(member, behind)
}

// gap returns from where on the white space before the i-th member goes with it. A line break that ends a comment stays
// unless there is another one where the removed text ends.
func (c *container) gap(i, end int) int {
	text := c.doc.text[c.before(i):c.start(i)]
	blank := bytes.TrimRight(text, " \t\r\n")
	rest := bytes.TrimLeft(c.doc.text[end:], " \t\r")
	if endsInLine(blank) && !bytes.HasPrefix(rest, []byte("\n")) {
		return c.start(i)
	}
	return c.before(i) + len(blank)
}

// endsInLine reports whether the last one of comments, with white space between them, is one that a line break ends.
func endsInLine(comments []byte) (is bool) {
	for {
		comments = bytes.TrimLeft(comments, " \t\r\n")
		end := "*/"
		switch {
		case len(comments) == 0:
			return is
		case bytes.HasPrefix(comments, []byte("//")):
			end, is = "\n", true
		default:
			is = false
		}
		_, comments, _ = bytes.Cut(comments[2:], []byte(end))
	}
}

// join returns two cuts, or one if they touch.
func join(a, b cut) []cut {
	if a.to == b.from {
		return []cut{{from: a.from, to: b.to}}
	}
	return []cut{a, b}
}
