package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tidepool/internal/daemontest"
	"tidepool/protocol"
)

// A daemon that is stopped while it measures for two callers leaves nothing behind.
func TestStopWhileTestsAreMeasured(t *testing.T) {
	dir := testedModule(t, true)
	d := startDaemon(t, dir, []string{"GOWORK=off"})
	ask := &protocol.MCPToolCall{ID: "1", ToolName: "scout", Arguments: json.RawMessage(
		`{"query": "which tests?", "symbols": ["shop.round"], "change": "change_behavior", "wait_seconds": 300}`)}
	first, second := d.Send(t, ask), d.Send(t, ask)
	temp := filepath.Join(dir, ".tidepool", "tests")
	daemontest.Eventually(t, "the tests are being measured", func() bool {
		_, err := os.Stat(temp)
		return err == nil
	})
	d.Signal(t, os.Interrupt)
	d.Signal(t, os.Interrupt) // which gives calls no time
	first()
	second()
	if code := d.Wait(t); code != 0 {
		t.Errorf("exit code %d:\n%s", code, d.Stderr())
	}
	if _, err := os.Stat(temp); err == nil {
		t.Error("what was built is still there")
	}
	daemontest.Eventually(t, "no process is left", func() bool { return len(processesIn(t, dir)) == 0 })
}

// processesIn lists the command lines of processes that work in a directory or name it.
func processesIn(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := filepath.Glob("/proc/[0-9]*")
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	for _, entry := range entries {
		cwd, _ := os.Readlink(filepath.Join(entry, "cwd")) // not ours to look at: not ours
		line, _ := os.ReadFile(filepath.Join(entry, "cmdline"))
		if strings.HasPrefix(cwd, dir) || strings.Contains(string(line), dir) {
			found = append(found, strings.ReplaceAll(string(line), "\x00", " "))
		}
	}
	return found
}
