package server

import (
	"context"
	"testing"

	"tidepool/protocol"
)

// told reports one message, and when it is no longer listened to.
type told struct{ ended chan struct{} }

func (m told) Follow(ctx context.Context, tell func(*protocol.LogMessage)) {
	tell(&protocol.LogMessage{Level: "warning", Logger: "settings", Text: "refused"})
	<-ctx.Done()
	close(m.ended)
}

func TestMessages(t *testing.T) {
	m := told{make(chan struct{})}
	path := serveOn(t, Options{Messages: m, Version: "1"})
	silent := dial(t, path)
	silent.send(`{"type":"Attach"}` + "\n" + ping)
	silent.expect(`…Attached`)
	silent.expect(pong)

	c := dial(t, path)
	c.send(`{"type":"Attach","messages":true}` + "\n")
	c.expect(`…Attached`)
	c.expect(`{"type":"LogMessage","level":"warning","logger":"settings","text":"refused"}`)
	c.send(`{"type":"Attach","messages":true}` + "\n" + ping) // not twice
	c.expect(`…Attached`)
	c.expect(pong)
	c.conn.Close()
	<-m.ended
}

// A server that has no messages attaches clients that want some.
func TestNoMessages(t *testing.T) {
	c := dial(t, serveOn(t, Options{}))
	c.send(`{"type":"Attach","messages":true}` + "\n" + ping)
	c.expect(`…Attached`)
	c.expect(pong)
}
