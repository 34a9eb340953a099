package main

import (
	"os"
	"path/filepath"
	"testing"

	"tidepool/internal/daemontest"
)

// A running is a daemon that a test has started.
type running struct {
	*daemontest.Daemon
	said string // by a detached one at its start
}

// startDaemon serves dir and returns when the daemon says that it does.
func startDaemon(t *testing.T, dir string, vars []string, args ...string) running {
	t.Helper()
	return running{Daemon: daemontest.Start(t, program(t, dir, vars, append([]string{"serve"}, args...)...), dir)}
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
