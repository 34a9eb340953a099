package server

import (
	"strings"
	"testing"
	"time"

	"tidepool/protocol"
)

// longLine is a hook of so many bytes.
func longLine(size int) string {
	const begin, end = `{"type":"HookEvent","input":{"hook_event_name":"PreToolUse","tool_name":"Bash","x":"`, `"}}` + "\n"
	return begin + strings.Repeat("x", size-len(begin)-len(end)) + end
}

// A long line that finds no room is refused alone, on a connection that lives on; short and middling ones do not wait
// for long ones, and room that is left again is given away.
func TestRoomForLongLines(t *testing.T) {
	path := serveOn(t, Options{HookTimeout: 3 * time.Second})
	long := longLine(3 << 20)
	var slow []*client
	for range 2 { // all places of that size
		c := dial(t, path)
		c.send(long[:len(long)-1])
		slow = append(slow, c)
	}
	late := dial(t, path)
	sent := make(chan struct{})
	go func() {
		defer close(sent)
		late.send(long)
	}()
	for _, size := range []int{500, protocol.ShortLine, 200 << 10, 1 << 20} {
		c := dial(t, path)
		c.send(longLine(size))
		c.expect("…HookResponse")
	}
	late.expect("…too many long lines are being answered: send it again in a moment")
	<-sent
	late.send(ping)
	late.expect(pong)
	slow[0].send("\n")
	slow[0].expect("…HookResponse")
	late.send(long)
	late.expect("…HookResponse")
	_ = slow[1].conn.Close()
	for range 6 {
		c := dial(t, path)
		c.send(long)
		c.expect("…HookResponse")
	}
}
