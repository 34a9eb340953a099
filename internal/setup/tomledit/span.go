package tomledit

import (
	"bytes"
	"slices"

	"github.com/pelletier/go-toml/v2/unstable"
)

// A span is a table with a header: from is where the empty line before the header begins, to where the line of its last
// value ends.
type span struct {
	from, header, to int
	exact            bool // the header has the name itself, not one below it
}

// spansOf returns the tables whose header is name or below it, in the order of the text. Comments after a table's last
// value belong to what follows.
func spansOf(text []byte, name []string) ([]span, error) {
	var p unstable.Parser
	p.Reset(text)
	var all []span
	open := false // the last span may have more values
	for p.NextExpression() {
		e := p.Expression()
		if e.Kind == unstable.KeyValue {
			if open {
				all[len(all)-1].to = endOfLine(text, int(e.Raw.Offset+e.Raw.Length))
			}
			continue
		}
		keys := e.Key()
		keys.Next()
		header := bytes.LastIndexByte(text[:keys.Node().Raw.Offset], '\n') + 1
		parts := keysOf(e)
		if open = len(parts) >= len(name) && slices.Equal(parts[:len(name)], name); open {
			all = append(all, span{blankBefore(text, header), header, endOfLine(text, header), len(parts) == len(name)})
		}
	}
	return all, p.Error()
}

// blankBefore returns the start of the line before a line if that is blank, else the start of the line itself.
func blankBefore(text []byte, line int) int {
	if line == 0 {
		return 0
	}
	before := bytes.LastIndexByte(text[:line-1], '\n') + 1
	if len(bytes.TrimSpace(text[before:line])) == 0 {
		return before
	}
	return line
}

func endOfLine(text []byte, at int) int {
	if i := bytes.IndexByte(text[at:], '\n'); i >= 0 {
		return at + i + 1
	}
	return len(text)
}
