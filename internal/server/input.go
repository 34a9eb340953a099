package server

import (
	"bytes"
	"time"
)

// An input is what a client sends. It holds the client to the line timeout: between lines it may be silent for ever,
// inside one it may not.
type input struct {
	conn  *conn
	begun time.Time // when the line that is not finished began; zero between lines
	timed bool      // the connection has a read deadline
}

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

// note sees whether the input now ends inside a line, and since when.
func (in *input) note(read []byte) {
	switch {
	case read[len(read)-1] == '\n':
		in.begun = time.Time{}
	case in.begun.IsZero() || bytes.IndexByte(read, '\n') >= 0:
		in.begun = time.Now()
	}
}

// setDeadline must not undo what wake has set at the order to quit: that order came before it, or comes after it and
// sets its own.
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
