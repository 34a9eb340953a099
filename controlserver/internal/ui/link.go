package ui

import (
	"context"
	"fmt"
	"io"
	"time"

	tea "charm.land/bubbletea/v2"

	"tidepool/protocol"
)

// The pause before the next attempt to connect: short, since the daemon may be restarting, then longer.
const (
	firstRetry = 100 * time.Millisecond
	lastRetry  = 2 * time.Second
)

// A link receives what happens in the daemon, and reconnects.
type link struct {
	dial func() (io.ReadWriteCloser, error)
	tell func(tea.Msg)
}

// run sends what it receives to the program until ctx ends.
func (l *link) run(ctx context.Context) {
	wait := firstRetry
	for {
		heard, err := l.listen(ctx)
		if ctx.Err() != nil {
			return
		}
		if heard {
			wait = firstRetry
		}
		l.tell(linked{err})
		select {
		case <-time.After(wait):
		case <-ctx.Done():
			return
		}
		wait = min(2*wait, lastRetry)
	}
}

// listen follows one connection to its end. It reports whether it received anything.
func (l *link) listen(ctx context.Context) (heard bool, err error) {
	conn, err := l.dial()
	if err != nil {
		return false, err
	}
	defer conn.Close()
	defer context.AfterFunc(ctx, func() { conn.Close() })()
	if _, err := conn.Write(protocol.AppendRequest(nil, &protocol.Watch{Client: "ui"})); err != nil {
		return false, err
	}
	lines := protocol.NewReader(conn)
	for {
		line, err := lines.ReadLine()
		if err != nil {
			return heard, fmt.Errorf("the daemon has gone: %w", err)
		}
		response, err := protocol.DecodeResponse(line)
		if err != nil {
			return heard, err
		}
		switch r := response.(type) {
		case *protocol.Happening:
			heard = true
			l.tell(happened{r})
		case *protocol.ErrorResponse:
			return heard, r.Error
		}
	}
}
