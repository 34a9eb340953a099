package server

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"net"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"tidepool/protocol"
)

// connections is how many clients a benchmark has; each waits for its reply before it asks again.
const connections = 8

// BenchmarkHookEvent gives the price of a hook of about 1 KB in kept connections, as CPU of both sides, beside that
// of echoing the same line on the same kind of socket. The ratio is what decides: it holds at 3.
//
//	go test -run '^$' -bench HookEvent -benchtime 200000x ./internal/server
func BenchmarkHookEvent(b *testing.B) {
	line := protocol.AppendRequest(nil, hookEvent(1024))
	var echo, hook time.Duration
	b.Run("echo", func(b *testing.B) { echo = measure(b, serveEcho(b), echoClient(line)) })
	b.Run("hook", func(b *testing.B) {
		hook = measure(b, serveOn(b, Options{Hooks: decodingHooks{}}), hookClient(hookEvent(1024)))
		if echo > 0 {
			b.ReportMetric(float64(hook)/float64(echo), "x-echo")
		}
	})
}

// decodingHooks does what every handler of hooks does first.
type decodingHooks struct{}

func (decodingHooks) Hook(_ context.Context, event *protocol.HookEvent) *protocol.HookResponse {
	in, err := protocol.DecodeHookInput(event.Input)
	if err != nil || in.Event != "PreToolUse" {
		return &protocol.HookResponse{ExitCode: 1}
	}
	return &protocol.HookResponse{Output: json.RawMessage(`{"continue":true}`)}
}

// hookEvent is an event whose input has about size bytes.
func hookEvent(size int) *protocol.HookEvent {
	const input = `{"session_id":"be1dc951-5502-42d5-94a1-f81914f0346f","transcript_path":"/home/dev/.claude/projects/-home-dev-demo/be1dc951-5502-42d5-94a1-f81914f0346f.jsonl",` +
		`"cwd":"/home/dev/demo","prompt_id":"117e37f0-79c5-4e50-a1a3-7af1a79d149b","permission_mode":"default","effort":{"level":"medium"},` +
		`"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"echo %s","description":"echo"},"tool_use_id":"toolu_00001"}`
	word := strings.Repeat("x", max(0, size-len(input)))
	return &protocol.HookEvent{Input: json.RawMessage(fmt.Sprintf(input, word)), Runtime: "claude"}
}

// measure spreads b.N exchanges over the connections and returns the CPU time of the process for each.
func measure(b *testing.B, socket string, client func(conn net.Conn, n int) error) time.Duration {
	conns := make([]net.Conn, connections)
	for i := range conns {
		conn, err := net.Dial("unix", socket)
		if err != nil {
			b.Fatal(err)
		}
		defer conn.Close()
		conns[i] = conn
	}
	b.ResetTimer()
	before := cpuTime(b)
	var group sync.WaitGroup
	for _, conn := range conns {
		group.Go(func() {
			if err := client(conn, b.N/connections+1); err != nil {
				b.Error(err)
			}
		})
	}
	group.Wait()
	each := (cpuTime(b) - before) / time.Duration(connections*(b.N/connections+1))
	b.ReportMetric(float64(each.Nanoseconds()), "cpu-ns/op")
	return each
}

func cpuTime(b *testing.B) time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		b.Fatal(err)
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

func echoClient(line []byte) func(net.Conn, int) error {
	return func(conn net.Conn, n int) error {
		r := bufio.NewReader(conn)
		for range n {
			if _, err := conn.Write(line); err != nil {
				return err
			}
			if _, err := r.ReadSlice('\n'); err != nil {
				return err
			}
		}
		return nil
	}
}

func hookClient(event *protocol.HookEvent) func(net.Conn, int) error {
	return func(conn net.Conn, n int) error {
		r := protocol.NewReader(conn)
		var out []byte
		for range n {
			out = protocol.AppendRequest(out[:0], event)
			if _, err := conn.Write(out); err != nil {
				return err
			}
			line, err := r.ReadLine()
			if err != nil {
				return err
			}
			response, err := protocol.DecodeResponse(line)
			if err != nil {
				return err
			}
			if hook, ok := response.(*protocol.HookResponse); !ok || hook.ExitCode != 0 {
				return fmt.Errorf("got %s", line)
			}
		}
		return nil
	}
}

// serveEcho sends each line back and returns the socket's path.
func serveEcho(b *testing.B) string {
	path := filepath.Join(b.TempDir(), "echo.sock")
	l, err := net.Listen("unix", path)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = l.Close() })
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			go echoLines(conn)
		}
	}()
	return path
}

func echoLines(conn net.Conn) {
	defer conn.Close()
	r := bufio.NewReader(conn)
	for {
		line, err := r.ReadSlice('\n')
		if err != nil {
			return
		}
		if _, err := conn.Write(line); err != nil {
			return
		}
	}
}
