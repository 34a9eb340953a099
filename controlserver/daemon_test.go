package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"tidepool/internal/daemontest"
	"tidepool/internal/unixsock"
	"tidepool/protocol"
)

// patience is how long a test waits for what should happen at once: far above what a busy machine takes.
const patience = 5 * time.Minute

// A running is a daemon that a test has started.
type running struct {
	cmd    *exec.Cmd
	dir    string
	errs   bytes.Buffer
	ended  chan struct{} // closed when the process is gone
	socket string
}

// startDaemon serves dir and returns when the daemon says that it does.
func startDaemon(t *testing.T, dir string, vars []string, args ...string) *running {
	t.Helper()
	r := &running{dir: dir, ended: make(chan struct{}), socket: filepath.Join(dir, ".tidepool", "control.sock")}
	r.cmd = program(t, dir, vars, append([]string{"serve"}, args...)...)
	r.cmd.Stderr = &r.errs
	out, err := r.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := r.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	line, readErr := bufio.NewReader(out).ReadString('\n')
	go func() {
		defer close(r.ended)
		_ = r.cmd.Wait()
	}()
	t.Cleanup(func() {
		_ = r.cmd.Process.Kill()
		<-r.ended
	})
	if readErr != nil || !strings.HasPrefix(line, "serving "+dir+" (pid ") {
		_ = r.cmd.Process.Kill()
		<-r.ended
		t.Fatalf("the daemon says %q (%v) and\n%s", line, readErr, r.errs.String())
	}
	return r
}

// wait returns the exit code.
func (r *running) wait(t *testing.T) int {
	t.Helper()
	select {
	case <-r.ended:
	case <-time.After(patience):
		t.Fatal("the daemon does not end")
	}
	return r.cmd.ProcessState.ExitCode()
}

func (r *running) signal(t *testing.T, s os.Signal) {
	t.Helper()
	if err := r.cmd.Process.Signal(s); err != nil {
		t.Fatal(err)
	}
}

// log returns the records of the daemon's log.
func (r *running) log(t *testing.T) []map[string]any {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(r.dir, ".tidepool", "logs", "controlserver.log"))
	if err != nil {
		t.Fatal(err)
	}
	var records []map[string]any
	for line := range bytes.Lines(data) {
		var record map[string]any
		if err := json.Unmarshal(line, &record); err != nil {
			t.Fatalf("%v in %s", err, line)
		}
		records = append(records, record)
	}
	return records
}

// ask sends one request on a connection of its own and returns the answer.
func (r *running) ask(t *testing.T, request protocol.Request) protocol.Response {
	t.Helper()
	return r.send(t, request)()
}

// send sends one request; calling what it returns waits for the answer.
func (r *running) send(t *testing.T, request protocol.Request) func() protocol.Response {
	t.Helper()
	conn, err := unixsock.Dial(r.socket, time.Now().Add(patience))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() }) // not before: a connection that nobody holds is collected, and that hangs up
	if _, err := conn.Write(protocol.AppendRequest(nil, request)); err != nil {
		t.Fatal(err)
	}
	return func() protocol.Response {
		t.Helper()
		defer conn.Close()
		line, err := protocol.NewReader(conn).ReadLine()
		if err != nil {
			t.Fatal(err)
		}
		response, err := protocol.DecodeResponse(line)
		if err != nil {
			t.Fatal(err)
		}
		return response
	}
}

// call runs a tool.
func (r *running) call(t *testing.T, tool, arguments string) *protocol.MCPToolResponse {
	t.Helper()
	return answerTo[*protocol.MCPToolResponse](t, r.ask(t, &protocol.MCPToolCall{ID: "1", ToolName: tool, Arguments: json.RawMessage(arguments)}))
}

func (r *running) status(t *testing.T) *protocol.StatusResponse {
	t.Helper()
	return answerTo[*protocol.StatusResponse](t, r.ask(t, &protocol.StatusRequest{}))
}

// answerTo is the answer as the message it should be.
func answerTo[M protocol.Response](t *testing.T, response protocol.Response) M {
	t.Helper()
	m, ok := response.(M)
	if !ok {
		t.Fatalf("the answer is a %T: %s", response, protocol.AppendResponse(nil, response))
	}
	return m
}

// eventually looks again and again until what it looks for is there.
func eventually(t *testing.T, what string, there func() bool) {
	t.Helper()
	deadline := time.After(patience)
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for !there() {
		select {
		case <-tick.C:
		case <-deadline:
			t.Fatalf("still waiting: %s", what)
		}
	}
}

// bareModule makes a Go module in dir.
func bareModule(t *testing.T, dir string) {
	t.Helper()
	for name, text := range map[string]string{"go.mod": "module m\n\ngo 1.26\n", "m.go": "package m\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// deafServer is a language server that never says a word, in the configuration of a Go module made in dir.
func deafServer(t *testing.T, dir string) {
	t.Helper()
	bareModule(t, dir)
	daemontest.WriteConfig(t, dir, `{"languages": {"go": {"command": ["sh", "-c", "cat >/dev/null"]}}, "ready_budget": "10m", "server": {"drain_timeout": "10m"}}`)
}
