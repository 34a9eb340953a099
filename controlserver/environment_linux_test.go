package main

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
)

// Nobody who may look at the daemon's process sees the secrets of the shell that started it.
func TestServeShedsSecrets(t *testing.T) {
	d := startDaemon(t, project(t), []string{"ANTHROPIC_API_KEY=k", "CLAUDE_CODE_MESSAGING_TOKEN=t", "HARMLESS=yes"}, "--log-level", "debug")
	pid := d.cmd.Process.Pid
	if got := d.status(t).PID; got != pid {
		t.Errorf("pid %d was started and %d serves", pid, got)
	}
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/environ", pid))
	if err != nil {
		t.Fatal(err)
	}
	env := strings.Split(string(data), "\x00")
	if !slices.Contains(env, "HARMLESS=yes") || strings.Contains(string(data), "ANTHROPIC") || strings.Contains(string(data), "MESSAGING") {
		t.Errorf("the daemon's environment is %q", env)
	}
	arguments, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
	if err != nil || !strings.HasSuffix(string(arguments), "\x00serve\x00--log-level\x00debug\x00") {
		t.Errorf("the daemon's arguments are %q (%v)", arguments, err)
	}
}
