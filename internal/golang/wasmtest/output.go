package wasmtest

import (
	"bytes"

	"tidepool/internal/wording"
)

const (
	outputKept = 1 << 20 // bytes of output that are kept of a guest that lists its tests
	lastKept   = 1 << 10 // bytes of a line, or of last words, that are looked at
)

// marker stands in front of what package testing itself says, where -test.v=test2json.
const marker = '\x16'

// An output keeps the beginning of what is written to it, up to a limit, its last line that is not blank, and the first
// that tells of a panic, and listens to what package testing says.
type output struct {
	limit   int
	test    string // which test is meant by passed
	head    []byte
	last    []byte // the line before
	panic   []byte // the line that says why the program has ended
	line    []byte // the one being written, cut
	said    bool   // the line is package testing's
	passed  bool   // the test has
	skipped bool   // something was
	bare    bool   // no statement of the program is counted
}

func (o *output) Write(p []byte) (int, error) {
	n := len(p)
	o.head = append(o.head, p[:min(len(p), o.limit-len(o.head))]...)
	for len(p) > 0 {
		i := bytes.IndexAny(p, "\n\x16")
		if i < 0 {
			o.keep(p)
			break
		}
		o.keep(p[:i])
		o.end()
		o.said = p[i] == marker
		p = p[i+1:]
	}
	return n, nil
}

func (o *output) keep(part []byte) {
	o.line = append(o.line, part[:min(len(part), lastKept-len(o.line))]...)
}

// end looks at a line that has ended.
func (o *output) end() {
	if o.said {
		o.skipped = o.skipped || bytes.HasPrefix(o.line, []byte("--- SKIP: "))
		o.passed = o.passed || bytes.HasPrefix(o.line, []byte("--- PASS: "+o.test+" ("))
	}
	o.bare = o.bare || bytes.Equal(o.line, []byte("coverage: [no statements]"))
	line := bytes.TrimSpace(o.line)
	if len(line) > 0 {
		o.last = append(o.last[:0], line...)
	}
	if o.panic == nil && (bytes.HasPrefix(line, []byte("panic: ")) || bytes.HasPrefix(line, []byte("fatal error: "))) {
		o.panic = bytes.Clone(line)
	}
	o.line = o.line[:0]
}

// words returns what says best why the program has ended, on one line.
func (o *output) words() string {
	if o.panic != nil {
		return wording.OneLine(string(o.panic))
	}
	if line := bytes.TrimSpace(o.line); len(line) > 0 {
		return wording.OneLine(string(line))
	}
	return wording.OneLine(string(o.last))
}
