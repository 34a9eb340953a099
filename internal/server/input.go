package server

import (
	"bytes"
	"time"
)

// An input reads what a client sends, and enforces the line timeout: between lines a client may be silent for ever, inside
// one it may not.
type input struct {
	conn  *conn
	begun time.Time // when the unfinished line began; zero between lines
	timed bool      // the connection has a read deadline
}

// Read reads from the connection. Inside a line it sets the line's deadline first; between lines it removes the deadline of the
// line before.
func (in *input) Read(p []byte) (int, error) {
	if !in.begun.IsZero() || in.timed {
		if err := in.setDeadline(); err != nil {
			return 0, err
		}
	}
	n, err := in.conn.net.Read(p)
	if n > 0 {
		in.note(p[:n])
	}
	return n, err
}

// note records whether the input now ends inside a line, and since when.
func (in *input) note(read []byte) {
	switch {
	case read[len(read)-1] == '\n':
		in.begun = time.Time{}
	case in.begun.IsZero() || bytes.IndexByte(read, '\n') >= 0:
		in.begun = time.Now()
	}
}

// setDeadline sets the read deadline of the line. It must not undo the deadline that wake sets at Shutdown. If Shutdown came
// first, the check at the end finds it; if it comes later, wake sets its deadline afterwards.
func (in *input) setDeadline() error {
	deadline := time.Time{}
	if in.timed = !in.begun.IsZero(); in.timed {
		deadline = in.begun.Add(in.conn.server.options.LineTimeout)
	}
	if err := in.conn.net.SetReadDeadline(deadline); err != nil {
		return err
	}
	if in.conn.server.isQuitting() {
		return errShutdown
	}
	return nil
}
