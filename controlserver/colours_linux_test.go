package main

import (
	"io"
	"strings"
	"testing"

	"tidepool/internal/daemontest"
)

// shown is what a person at a terminal sees of a command.
func shown(t *testing.T, dir string, vars []string, args ...string) string {
	t.Helper()
	person, terminal := openTerminal(t)
	cmd := program(t, dir, vars, args...)
	cmd.Stdout, cmd.Stderr = terminal, terminal
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	_ = terminal.Close()
	text, _ := io.ReadAll(person) // ends with an error when the last program has let go of the terminal
	_ = cmd.Wait()
	return string(text)
}

func TestColours(t *testing.T) {
	dir := daemontest.Project(t)
	daemontest.WriteConfig(t, dir, `{"policy": [{"decision": "deny", "reason": "\u001b[5m"}]}`)
	if got := shown(t, dir, nil, "policy", "list"); !strings.HasPrefix(got, "\x1b[31m1 deny\x1b[0m ") || strings.Contains(got, "\x1b[5m") {
		t.Errorf("at a terminal: %q", got)
	}
	for _, plain := range []string{"NO_COLOR=1", "TERM=dumb"} {
		if got := shown(t, dir, []string{plain}, "policy", "list"); !strings.HasPrefix(got, "1 deny ") || strings.Contains(got, "\x1b") {
			t.Errorf("with %s: %q", plain, got)
		}
	}
}
