package main

import (
	"fmt"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"tidepool/internal/unixsock"
	"tidepool/protocol"
)

// A crowd is clients of the same user that want no answer. Goroutines: one for
// each that sends edits, until leave.
type crowd struct {
	edits atomic.Int64

	silent []*unixsock.Conn
	quit   chan struct{}
	active sync.WaitGroup
}

// gather opens connections that stay silent, every other one after half a line,
// and starts threads that send the hook of an edit and hang up, over and over.
func (f *fixture) gather(silent, editors int) (*crowd, error) {
	c := &crowd{quit: make(chan struct{})}
	for i := range silent {
		conn, err := unixsock.Dial(f.socket(), time.Now().Add(patience))
		if err != nil {
			c.leave()
			return nil, fmt.Errorf("connection %d of %d: %w", i, silent, err)
		}
		c.silent = append(c.silent, conn)
		if i%2 == 0 {
			_, _ = conn.Write([]byte(`{"type":"HookEvent","inp`)) // one that was closed for another says so
		}
	}
	edit := protocol.AppendRequest(nil, &protocol.HookEvent{Runtime: "claude", Input: fmt.Appendf(nil,
		`{"session_id":"s","cwd":%q,"hook_event_name":"PostToolUse","tool_name":"Edit","tool_input":{"file_path":%q}}`,
		f.project, filepath.Join(f.project, "m.go"))})
	for range editors {
		c.active.Go(func() { c.send(f.socket(), edit) })
	}
	return c, nil
}

func (c *crowd) send(socket string, edit []byte) {
	for {
		select {
		case <-c.quit:
			return
		default:
		}
		conn, err := unixsock.Dial(socket, time.Now().Add(patience))
		if err != nil {
			continue
		}
		if _, err := conn.Write(edit); err == nil {
			c.edits.Add(1)
		}
		_ = conn.Close()
	}
}

func (c *crowd) leave() {
	close(c.quit)
	c.active.Wait()
	for _, conn := range c.silent {
		_ = conn.Close()
	}
}
