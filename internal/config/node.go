package config

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"tidepool/internal/wording"
)

type kind int

const (
	null kind = iota
	boolean
	number
	str
	array
	object
)

// A node is one JSON value that knows the line it begins on.
type node struct {
	kind    kind
	line    int    // 0 outside the file
	text    string // of a string, decoded; of a number or boolean, as written
	members []member
	items   []*node
	raw     json.RawMessage // of arrays and objects
}

// A member is one name of an object with its value.
type member struct {
	name  string
	line  int
	value *node
}

// parse reads one JSON value. Members keep their order and may repeat.
func parse(data []byte) (*node, *fault) {
	if len(bytes.TrimSpace(data)) == 0 {
		return nil, &fault{line: 1, problem: "expected a JSON object, got nothing", advice: "write {} or remove the file"}
	}
	var whole json.RawMessage
	if err := json.Unmarshal(data, &whole); err != nil {
		return nil, syntaxFault(data, err)
	}
	p := parser{data: data, dec: json.NewDecoder(bytes.NewReader(data)), line: 1}
	p.dec.UseNumber()
	return p.value(), nil
}

func syntaxFault(data []byte, err error) *fault {
	f := &fault{line: 1, problem: "not valid JSON: " + err.Error()}
	if syntax, ok := errors.AsType[*json.SyntaxError](err); ok {
		f.line += bytes.Count(data[:syntax.Offset], []byte("\n"))
	}
	return f
}

// A parser turns valid JSON into nodes.
type parser struct {
	data []byte
	dec  *json.Decoder
	line int // of the end of data[:seen]
	seen int
}

func (p *parser) value() *node {
	token := p.next()
	n := &node{line: p.line}
	start := p.seen - 1
	switch t := token.(type) {
	case bool:
		n.kind, n.text = boolean, fmt.Sprint(t)
	case json.Number:
		n.kind, n.text = number, t.String()
	case string:
		n.kind, n.text = str, t
	case json.Delim:
		p.contents(n, t)
		n.raw = p.data[start:p.seen]
	}
	return n
}

func (p *parser) contents(n *node, open json.Delim) {
	n.kind = array
	if open == '{' {
		n.kind = object
	}
	for p.dec.More() {
		if n.kind == array {
			n.items = append(n.items, p.value())
			continue
		}
		name, _ := p.next().(string)
		m := member{name: name, line: p.line}
		m.value = p.value()
		n.members = append(n.members, m)
	}
	p.next()
}

// next returns the next token. The data has been validated: there is one.
func (p *parser) next() json.Token {
	token, _ := p.dec.Token()
	end := int(p.dec.InputOffset())
	p.line += bytes.Count(p.data[p.seen:end], []byte("\n"))
	p.seen = end
	return token
}

// expected says that n is something else than what was wanted.
func (n *node) expected(want string) *fault {
	return &fault{line: n.line, problem: "expected " + want + ", got " + n.describe()}
}

func (n *node) describe() string {
	const shown = 61 // characters of a foreign text
	text := wording.Clip(n.text, shown)
	switch n.kind {
	case boolean:
		return text
	case number:
		return "the number " + text
	case str:
		return fmt.Sprintf("%q", text)
	case array:
		return "a list"
	case object:
		return "an object"
	}
	return "null"
}

// fields hands each member of an object to its function; an unknown or repeated name is a fault.
func (n *node) fields(decode map[string]func(*node) *fault, names ...string) *fault {
	if n.kind != object {
		return n.expected("an object with " + strings.Join(names, ", "))
	}
	seen := make(map[string]bool)
	for _, m := range n.members {
		set := decode[m.name]
		switch {
		case set == nil:
			f := &fault{line: m.line, problem: "unknown key", advice: suggest(m.name, names, "known here: "+strings.Join(names, ", "))}
			return f.within("." + m.name)
		case seen[m.name]:
			f := &fault{line: m.line, problem: "given twice"}
			return f.within("." + m.name)
		}
		seen[m.name] = true
		if f := set(m.value); f != nil {
			return f.within("." + m.name)
		}
	}
	return nil
}
