package e2e

import (
	"fmt"
	"net"
	"os"
	"strconv"
	"strings"
	"sync"
	"testing"

	"tidepool/internal/daemontest"
	"tidepool/protocol"
)

// Sixty lines of 16 MiB at once, which are almost a gigabyte and were decoded to more than two, take a bounded part of
// that from the daemon; each is answered, if only by why not, and hooks as they usually are get their answers meanwhile.
func TestMemoryOfLongLines(t *testing.T) {
	const clients = 60
	project := t.TempDir()
	daemontest.WriteConfig(t, project, `{
		"server": {"hook_timeout": "10m", "line_timeout": "10m"},
		"policy": [{"decision": "deny", "tool": "Bash", "pattern": "rm -rf"}]}`)
	pid := startedDaemon(t, project)
	const begin, end = `{"type":"HookEvent","input":{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"`, `"}}}` + "\n"
	line := begin + strings.Repeat("x", protocol.MaxLine-len(begin)-len(end)) + end
	ask := func(line string) string {
		conn, err := net.Dial("unix", daemontest.Socket(project))
		if err != nil {
			return err.Error()
		}
		defer conn.Close()
		if _, err := conn.Write([]byte(line)); err != nil {
			return err.Error()
		}
		reply, err := protocol.NewReader(conn).ReadLine()
		if err != nil {
			return err.Error()
		}
		return string(reply)
	}
	var long sync.WaitGroup
	replies := make(chan string, clients)
	for range clients {
		long.Go(func() { replies <- ask(line) })
	}
	done := make(chan struct{})
	go func() { long.Wait(); close(done) }()
	short := 0
	for waiting := true; waiting; short++ {
		if reply := ask(begin + "rm -rf /" + end); !strings.Contains(reply, `"permissionDecision":"deny"`) {
			t.Fatalf("a short line beside long ones: %s", reply)
		}
		select {
		case <-done:
			waiting = false
		default:
		}
	}
	close(replies)
	decided, refused := 0, 0
	for reply := range replies {
		switch {
		case strings.Contains(reply, "cannot be checked"):
			decided++
		case strings.Contains(reply, "too many long lines"):
			refused++
		default:
			t.Errorf("a long line: %.200s", reply)
		}
	}
	if decided == 0 {
		t.Error("no long line was answered")
	}
	peak := peakMemory(t, pid)
	t.Logf("%d of %d long lines decided, %d short ones meanwhile, %d MB at the peak", decided, decided+refused, short, peak>>20)
	if peak > 600<<20 {
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
