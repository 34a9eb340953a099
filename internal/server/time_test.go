package server

import (
	"context"
	"errors"
	"io"
	"net"
	"os"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"tidepool/protocol"
)

// A pipeListener accepts pipes, whose waits are part of a synctest bubble, as those of sockets are not. Before each
// it fails with the errors it has been given.
type pipeListener struct {
	errs   []error
	conns  chan net.Conn
	closed chan struct{}
}

func newPipeListener(errs ...error) *pipeListener {
	return &pipeListener{errs, make(chan net.Conn), make(chan struct{})}
}

func (l *pipeListener) Accept() (net.Conn, error) {
	if len(l.errs) > 0 {
		err := l.errs[0]
		l.errs = l.errs[1:]
		return nil, err
	}
	select {
	case conn := <-l.conns:
		return conn, nil
	case <-l.closed:
		return nil, net.ErrClosed
	}
}

func (l *pipeListener) Close() error {
	close(l.closed)
	return nil
}

func (l *pipeListener) Addr() net.Addr { return &net.UnixAddr{Name: "pipe", Net: "unix"} }

func (l *pipeListener) dial(t *testing.T) *client {
	ours, theirs := net.Pipe()
	l.conns <- theirs
	return newClient(t, ours)
}

// servePipes runs a server until the bubble ends.
func servePipes(t *testing.T, o Options) *pipeListener {
	l := newPipeListener()
	stop := serveWith(t, New(o), l)
	t.Cleanup(func() { stop(context.Background()) })
	return l
}

// after fails the test unless it has taken d since start.
func after(t *testing.T, start time.Time, d time.Duration) {
	t.Helper()
	if took := time.Since(start); took != d {
		t.Errorf("it took %v, want %v", took, d)
	}
}

// deaf is a tool that ignores its context.
func deaf(open chan struct{}) scripted {
	return scripted{"deaf": func(context.Context, *protocol.MCPToolCall, Caller) (Result, error) {
		<-open
		return Result{JSON: []byte("1")}, nil
	}}
}

func TestCallTimeout(t *testing.T) {
	tests := map[string]struct {
		line string
		want time.Duration
	}{
		"the server's":       {callLine("a", "deaf"), time.Minute},
		"the call's":         {`{"type":"MCPToolCall","id":"a","tool_name":"deaf","timeout_ms":1500}` + "\n", 1500 * time.Millisecond},
		"too long a call's":  {`{"type":"MCPToolCall","id":"a","tool_name":"deaf","timeout_ms":3600000}` + "\n", time.Minute},
		"an endless call's":  {`{"type":"MCPToolCall","id":"a","tool_name":"deaf","timeout_ms":9223372036854775807}` + "\n", time.Minute},
		"a senseless call's": {`{"type":"MCPToolCall","id":"a","tool_name":"deaf","timeout_ms":-1}` + "\n", time.Minute},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				open := make(chan struct{})
				l := servePipes(t, Options{CallTimeout: time.Minute, Tools: deaf(open)})
				c := l.dial(t)
				start := time.Now()
				c.send(test.line)
				c.expect(`…"id":"a","result":null,"error":{"code":-32603,"message":"deaf did not finish within ` + test.want.String())
				after(t, start, test.want)
				c.send(ping)
				c.expect(pong) // and not the late result
				close(open)
				synctest.Wait()
				c.send(ping)
				c.expect(pong)
				_ = c.conn.Close()
			})
		})
	}
}

func TestWaitingForAWorkerCountsToo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		open := make(chan struct{})
		l := servePipes(t, Options{Workers: 1, CallTimeout: time.Minute, Tools: deaf(open)})
		c := l.dial(t)
		start := time.Now()
		c.send(callLine("a", "deaf"))
		synctest.Wait()
		c.send(callLine("b", "deaf"))
		c.expect("…did not finish within 1m0s")
		c.expect("…did not finish within 1m0s")
		after(t, start, time.Minute)
		close(open)
		_ = c.conn.Close()
	})
}

func TestHookTimeout(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		open := make(chan struct{})
		hooks := hookFunc(func(context.Context, *protocol.HookEvent) *protocol.HookResponse {
			<-open
			return &protocol.HookResponse{}
		})
		l := servePipes(t, Options{HookTimeout: 3 * time.Second, Hooks: hooks})
		c := l.dial(t)
		start := time.Now()
		c.send(`{"type":"HookEvent","input":{}}` + "\n")
		c.send(ping)
		c.expect(pong)
		after(t, start, inlineLimit)
		c.expect(`{"type":"ErrorResponse","error":{"code":-32603,"message":"the hook did not finish within 3s: ask for less, or raise the timeout"}}`)
		after(t, start, 3*time.Second)
		close(open)
		_ = c.conn.Close()
	})
}

func TestStatusWaitsNoLongerThanACall(t *testing.T) {
	status := statusFunc(func(ctx context.Context, r *protocol.StatusRequest) *protocol.StatusResponse {
		if r.WaitReady {
			<-ctx.Done()
		}
		return &protocol.StatusResponse{Ready: ctx.Err() == nil}
	})
	synctest.Test(t, func(t *testing.T) {
		l := servePipes(t, Options{CallTimeout: time.Minute, Status: status})
		c := l.dial(t)
		start := time.Now()
		c.send(`{"type":"StatusRequest","wait_ready":true}` + "\n" + `{"type":"StatusRequest"}` + "\n")
		c.expect(`…"ready":true`)
		after(t, start, 0)
		c.expect(`…"ready":false`)
		after(t, start, time.Minute)
		_ = c.conn.Close()
	})
}

func TestLineTimeout(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := servePipes(t, Options{LineTimeout: 30 * time.Second})
		silent, slow, cut := l.dial(t), l.dial(t), l.dial(t)
		start := time.Now()
		cut.send(`{"type":`)
		slow.send(ping + `{"ty`)
		slow.expect(pong)
		time.Sleep(29 * time.Second)
		slow.send(`pe":"Ping"}` + "\n" + `{`)
		slow.expect(pong)
		cut.expect("…the line was not finished within 30s")
		cut.expect("")
		after(t, start, 30*time.Second)
		time.Sleep(28 * time.Second)
		slow.send(`"type":"Ping"}` + "\n")
		slow.expect(pong)
		time.Sleep(24 * time.Hour)
		for _, c := range []*client{silent, slow} {
			c.send(ping)
			c.expect(pong)
			_ = c.conn.Close()
		}
	})
}

func TestDribblingDoesNotHelp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := servePipes(t, Options{LineTimeout: 30 * time.Second})
		c := l.dial(t)
		c.send("{")
		start := time.Now()
		done := make(chan struct{})
		go func() {
			defer close(done)
			for {
				time.Sleep(time.Second)
				if _, err := io.WriteString(c.conn, " "); err != nil {
					return
				}
			}
		}()
		c.expect("…the line was not finished within 30s")
		after(t, start, 30*time.Second)
		_ = c.conn.Close()
		<-done
	})
}

// A client that does not take its replies keeps no worker from others.
func TestSlowReaderHoldsNoWorker(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := servePipes(t, Options{Workers: 1, Tools: scripted{
			"quick": func(context.Context, *protocol.MCPToolCall, Caller) (Result, error) {
				return Result{JSON: []byte("1")}, nil
			},
		}})
		slow, other := l.dial(t), l.dial(t)
		slow.send(callLine("a", "quick"))
		synctest.Wait() // the reply is being written
		start := time.Now()
		other.send(callLine("b", "quick"))
		other.expect(`…"id":"b"`)
		after(t, start, 0)
		slow.expect(`…"id":"a"`)
		_, _ = slow.conn.Close(), other.conn.Close()
	})
}

// A client that does not take its replies is closed, alone.
func TestWriteTimeout(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newGate()
		l := servePipes(t, Options{Tools: scripted{"wait": g.call}})
		stuck, other := l.dial(t), l.dial(t)
		stuck.send(callLine("a", "wait") + ping) // a pipe has no buffer: the Pong waits for its reader
		for range 9 {
			time.Sleep(time.Second)
			other.send(ping)
			other.expect(pong)
		}
		start := time.Now()
		if err := <-g.ended; !errors.Is(err, errHangUp) {
			t.Errorf("the call of the stuck client ended with %v", err)
		}
		after(t, start, writeTimeout-9*time.Second)
		if _, err := stuck.lines.ReadLine(); err == nil {
			t.Error("the stuck connection is not closed")
		}
		_ = other.conn.Close()
	})
}

func TestShutdownLetsCallsFinish(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newPipeListener()
		g := newGate()
		stop := serveWith(t, New(Options{Tools: scripted{"wait": g.call}}), l)
		idle, busy := l.dial(t), l.dial(t)
		busy.send(callLine("a", "wait"))
		<-g.begun
		start := time.Now()
		go func() {
			idle.expect("")
			after(t, start, 0)
			time.Sleep(7 * time.Second)
			close(g.open)
			busy.expect(`…"result":"through"`)
			busy.expect("")
		}()
		stop(context.Background())
		after(t, start, 7*time.Second)
		synctest.Wait()
	})
}

func TestShutdownCancelsWhatDoesNotFinish(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newPipeListener()
		g := newGate()
		stop := serveWith(t, New(Options{Tools: scripted{"wait": g.call}, DrainTimeout: time.Minute}), l)
		c := l.dial(t)
		c.send(callLine("a", "wait"))
		start := time.Now()
		go func() {
			c.expect("…the daemon is stopping")
			after(t, start, time.Minute)
			_ = c.conn.Close()
		}()
		<-g.begun
		stop(context.Background())
		after(t, start, time.Minute)
		if err := <-g.ended; !errors.Is(err, errShutdown) {
			t.Errorf("the call ended with %v", err)
		}
	})
}

func TestShutdownLeavesTheDeafBehind(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newPipeListener()
		open := make(chan struct{})
		s := New(Options{Tools: deaf(open)})
		stop := serveWith(t, s, l)
		c := l.dial(t)
		c.send(callLine("a", "deaf"))
		synctest.Wait()
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if err := s.Shutdown(ctx); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("shutdown: %v", err)
		}
		c.expect("…the daemon is stopping")
		close(open)
		stop(context.Background())
	})
}

func TestAcceptBacksOff(t *testing.T) {
	full := &net.OpError{Op: "accept", Net: "unix", Err: os.NewSyscallError("accept4", syscall.EMFILE)}
	synctest.Test(t, func(t *testing.T) {
		l := newPipeListener(full, full, full)
		start := time.Now()
		stop := serveWith(t, New(Options{}), l)
		c := l.dial(t)
		after(t, start, minBackoff*(1+2+4))
		c.send(ping)
		c.expect(pong)
		_ = c.conn.Close()
		stop(context.Background())
	})
	synctest.Test(t, func(t *testing.T) {
		l := newPipeListener(full, full, full, full, full, full, full, full, full, full)
		stop := serveWith(t, New(Options{}), l)
		synctest.Wait()
		start := time.Now()
		stop(context.Background()) // does not wait for the backoff
		after(t, start, 0)
	})
}

func TestServeEndsWithItsListener(t *testing.T) {
	broken := errors.New("broken")
	if err := New(Options{}).Serve(newPipeListener(broken)); !errors.Is(err, broken) {
		t.Errorf("serve: %v", err)
	}
}
