package server

import (
	"bytes"
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
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

// servingSocket makes the test binary a server on that socket whose hooks keep a copy of their input for a while.
const servingSocket = "TIDEPOOL_TEST_SERVING_SOCKET"

func serveCopies(path string) error {
	l, err := net.Listen("unix", path)
	if err != nil {
		return err
	}
	fmt.Println("listening")
	return New(Options{HookTimeout: 20 * time.Second, Hooks: hookFunc(func(_ context.Context, e *protocol.HookEvent) *protocol.HookResponse {
		in, err := protocol.DecodeHookInput(bytes.Clone(e.Input))
		if err != nil || in.ToolName != "Bash" {
			return &protocol.HookResponse{ExitCode: 1}
		}
		return &protocol.HookResponse{}
	})}).Serve(l)
}

// Sixty lines of 16 MiB at once, which are almost a gigabyte, take a bounded part of that.
func TestMemoryOfLongLines(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s")
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	server := exec.Command(exe)
	server.Env = append(os.Environ(), servingSocket+"="+path)
	stdout, err := server.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() {
		_ = server.Process.Kill()
		_ = server.Wait()
	}()
	if _, err := stdout.Read(make([]byte, 1)); err != nil {
		t.Fatal(err)
	}
	line := longLine(protocol.MaxLine)
	var clients sync.WaitGroup
	replies := make(chan string, 60)
	for range 60 {
		c := dial(t, path)
		clients.Go(func() {
			c.send(line)
			replies <- kind(c.receive())
		})
	}
	small := 0
	done := make(chan struct{})
	go func() { clients.Wait(); close(done) }()
	for waiting := true; waiting; small++ {
		c := dial(t, path)
		c.send(preToolUse)
		c.expect("…HookResponse")
		_ = c.conn.Close()
		select {
		case <-done:
			waiting = false
		default:
		}
	}
	close(replies)
	count := map[string]int{}
	for reply := range replies {
		count[reply]++
	}
	if count["HookResponse"] == 0 || count["HookResponse"]+count["ErrorResponse"] != 60 {
		t.Errorf("replies: %v", count)
	}
	peak := peakMemory(t, server.Process.Pid)
	t.Logf("%v, %d small hooks meanwhile, %d MB at the peak", count, small, peak>>20)
	if peak > 800<<20 {
		t.Errorf("%d MB were resident at the peak", peak>>20)
	}
}

// peakMemory is the largest resident size that a process has had, in bytes; 0 where the system does not tell.
func peakMemory(t *testing.T, pid int) int64 {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if os.IsNotExist(err) {
		return 0
	}
	_, rest, found := strings.Cut(string(text), "VmHWM:")
	kilobytes, _, _ := strings.Cut(rest, "kB")
	n, err := strconv.ParseInt(strings.TrimSpace(kilobytes), 10, 64)
	if !found || err != nil {
		t.Fatalf("no peak in %s", text)
	}
	return n << 10
}
