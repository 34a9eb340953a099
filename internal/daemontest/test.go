package daemontest

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"tidepool/internal/unixsock"
	"tidepool/protocol"
)

// Start is Run for a test, which ends the daemon.
func Start(t testing.TB, cmd *exec.Cmd, project string) *Daemon {
	t.Helper()
	d, err := Run(cmd, project)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(d.Kill)
	return d
}

// Launch starts the process for a test, which finds out by itself when the daemon serves, and ends it.
func Launch(t testing.TB, cmd *exec.Cmd, project string) *Daemon {
	t.Helper()
	d, err := launch(cmd, project)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(d.Kill)
	return d
}

// Wait waits for the end and returns the exit code.
func (d *Daemon) Wait(t testing.TB) int {
	t.Helper()
	select {
	case <-d.Ended:
	case <-time.After(Patience):
		t.Fatal("the daemon does not end")
	}
	return d.Cmd.ProcessState.ExitCode()
}

// Signal sends a signal.
func (d *Daemon) Signal(t testing.TB, s os.Signal) {
	t.Helper()
	if err := d.Cmd.Process.Signal(s); err != nil {
		t.Fatal(err)
	}
}

// Log returns the records of the daemon's log.
func (d *Daemon) Log(t testing.TB) []map[string]any {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(d.Project, protocol.StateDir, "logs", "controlserver.log"))
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

// Ask sends one request on a connection of its own and returns the answer.
func (d *Daemon) Ask(t testing.TB, request protocol.Request) protocol.Response {
	t.Helper()
	return d.Send(t, request)()
}

// Send sends one request on a connection of its own; calling what it returns waits for the answer.
func (d *Daemon) Send(t testing.TB, request protocol.Request) func() protocol.Response {
	t.Helper()
	conn, err := unixsock.Dial(d.Socket(), time.Now().Add(Patience))
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
		response, err := read(conn)
		if err != nil {
			t.Fatal(err)
		}
		return response
	}
}

// Call runs a tool.
func (d *Daemon) Call(t testing.TB, tool, arguments string) *protocol.MCPToolResponse {
	t.Helper()
	return As[*protocol.MCPToolResponse](t, d.Ask(t, &protocol.MCPToolCall{ID: "1", ToolName: tool, Arguments: json.RawMessage(arguments)}))
}

// Status returns how the daemon is.
func (d *Daemon) Status(t testing.TB) *protocol.StatusResponse {
	t.Helper()
	return As[*protocol.StatusResponse](t, d.Ask(t, &protocol.StatusRequest{}))
}

// As returns an answer as the message that it should be.
func As[M protocol.Response](t testing.TB, response protocol.Response) M {
	t.Helper()
	m, ok := response.(M)
	if !ok {
		t.Fatalf("the answer is a %T: %s", response, protocol.AppendResponse(nil, response))
	}
	return m
}

// Eventually looks again and again until what it looks for is there.
func Eventually(t testing.TB, what string, there func() bool) {
	t.Helper()
	deadline := time.After(Patience)
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
