// Package transcripttest makes transcripts of Claude Code for tests and benchmarks: the same bytes for the same seed, with the
// turns that a reader must find in them. Its words follow Zipf's law over a vocabulary of English, identifiers and paths, so
// that sizes and frequencies are those of real dialogues; no text of anybody is in them.
package transcripttest

import (
	"bytes"
	"io"
	"time"

	"tidepool/internal/transcript"
)

// Options say what a transcript is like. The zero value is ten turns of plain dialogue.
type Options struct {
	Turns   int       // prompts; 0: 10
	Session string    // the file's stem; "": a UUID that the seed gives
	Cwd     string    // "": /home/dev/shop
	Branch  string    // "": main
	Parent  string    // the session whose subagent writes the file; "": it is a session's own
	Start   time.Time // of the first record; zero: 2 March 2026, 9:00 UTC
	// Shapes adds everything else that a transcript may hold: prompts as blocks, queued ones and slash commands, records that
	// are no prompts, growing and copied records, failures, compactions, rewound branches, subagents, titles, lines that
	// cannot be read. Without it a transcript has prompts, answers, calls and bookkeeping.
	Shapes bool
}

func (o Options) withDefaults(m *maker) Options {
	if o.Turns == 0 {
		o.Turns = 10
	}
	if o.Session == "" {
		o.Session = m.uuid()
		if o.Parent != "" {
			o.Session = "agent-" + o.Session[:8]
		}
	}
	if o.Cwd == "" {
		o.Cwd = "/home/dev/shop"
	}
	if o.Branch == "" {
		o.Branch = "main"
	}
	if o.Start.IsZero() {
		o.Start = time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)
	}
	o.Start = o.Start.UTC().Truncate(time.Millisecond)
	return o
}

// A File is a transcript and what must be read of it.
type File struct {
	Session string
	Lines   [][]byte // without newlines
	Want    []transcript.Turn
}

// Data returns the file's bytes: each line ends with a newline.
func (f File) Data() []byte {
	return append(bytes.Join(f.Lines, []byte("\n")), '\n')
}

// Generate makes a transcript of at least as many turns as the options ask for.
func Generate(seed uint64, o Options) File {
	var f File
	m := newMaker(seed, o, func(line []byte) { f.Lines = append(f.Lines, bytes.Clone(line)) })
	m.keep = true
	m.run()
	f.Session, f.Want = m.o.Session, m.wanted()
	return f
}

// Write writes what Generate makes, line by line, and returns its length. It keeps no text.
func Write(w io.Writer, seed uint64, o Options) (int64, error) {
	var failed error
	m := newMaker(seed, o, func(line []byte) {
		if failed == nil {
			_, failed = w.Write(append(line, '\n'))
		}
	})
	m.run()
	return m.at, failed
}
