package server

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"tidepool/protocol"
)

// An idleTest is a server in a bubble that waits to have been idle for an hour.
type idleTest struct {
	*pipeListener
	t    *testing.T
	open chan struct{} // ends the tool deaf
	idle chan time.Time
}

// busy goes on for ten hours in which the server must not be idle, and returns the end of them.
func (it *idleTest) busy() time.Time {
	it.t.Helper()
	time.Sleep(10 * time.Hour) // of the bubble's time
	select {
	case <-it.idle:
		it.t.Fatal("idle while it was needed")
	default:
	}
	return time.Now()
}

func TestIdle(t *testing.T) {
	for name, use := range map[string]func(*idleTest) (until time.Time){
		"nobody comes": func(*idleTest) time.Time { return time.Now() },
		"an attached client": func(it *idleTest) time.Time {
			c := it.dial(it.t)
			c.send(`{"type":"Attach"}` + "\n")
			c.expect("…Attached")
			defer c.conn.Close()
			return it.busy()
		},
		"a call in flight": func(it *idleTest) time.Time {
			c := it.dial(it.t)
			c.send(`{"type":"MCPToolCall","id":"1","tool_name":"deaf","arguments":{}}` + "\n")
			until := it.busy()
			close(it.open)
			c.expect(`…"result":1`)
			return until
		},
		"pings": func(it *idleTest) time.Time {
			c := it.dial(it.t)
			for range 10 {
				time.Sleep(50 * time.Minute)
				c.send(ping)
				c.expect(pong)
			}
			return time.Now()
		},
		"connections": func(it *idleTest) time.Time {
			for range 10 {
				time.Sleep(50 * time.Minute)
				_ = it.dial(it.t).conn.Close()
			}
			return time.Now()
		},
		"a connection that says nothing": func(it *idleTest) time.Time {
			it.dial(it.t)
			return time.Now()
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				it := &idleTest{newPipeListener(), t, make(chan struct{}), make(chan time.Time, 1)}
				s := New(Options{Tools: deaf(it.open), CallTimeout: 100 * time.Hour})
				stop := serveWith(t, s, it.pipeListener)
				go func() {
					if s.AwaitIdle(t.Context(), time.Hour) == nil {
						it.idle <- time.Now()
					}
				}()
				until := use(it)
				if took := (<-it.idle).Sub(until); took < time.Hour-time.Hour/idleChecks || took > time.Hour+time.Hour/idleChecks {
					t.Errorf("idle %v after it was needed", took)
				}
				stop(context.Background())
			})
		})
	}
}

func TestIdleEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := New(Options{}).AwaitIdle(ctx, time.Hour); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

// A daemon that yields does not count the client that it leaves for; one of the same build, or of none, is welcome.
func TestYield(t *testing.T) {
	for _, test := range []struct {
		build, reply string
		clients      int
	}{
		{"new", `…"leaving":true}`, 0},
		{"same", `…"version":""}`, 1},
		{"", `…"version":""}`, 1},
	} {
		s := New(Options{Yield: func(build string) bool { return build != "same" }})
		l := newPipeListener()
		stop := serveWith(t, s, l)
		c := l.dial(t)
		c.send(string(protocol.AppendRequest(nil, &protocol.Attach{Build: test.build})))
		c.expect(test.reply)
		if got := s.Stats().Clients; got != test.clients {
			t.Errorf("%q: %d clients", test.build, got)
		}
		stop(t.Context())
	}
}

// Drain waits for a call longer than Shutdown would, and for ctx no longer.
func TestDrain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		open := make(chan struct{})
		s := New(Options{Tools: deaf(open), CallTimeout: 100 * time.Hour})
		l := newPipeListener()
		stop := serveWith(t, s, l)
		c := l.dial(t)
		c.send(`{"type":"MCPToolCall","id":"1","tool_name":"deaf","arguments":{}}` + "\n")
		synctest.Wait()

		start := time.Now()
		ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
		defer cancel()
		s.Drain(ctx)
		after(t, start, time.Hour)
		go func() {
			time.Sleep(time.Hour)
			close(open)
		}()
		go c.expect(`…"result":1`)
		s.Drain(t.Context())
		after(t, start, 2*time.Hour)
		stop(context.Background())
	})
}
