package main

import (
	"os"
	"os/signal"
	"slices"
	"syscall"
	"testing"
	"time"

	"github.com/creack/pty"

	"tidepool/internal/daemontest"
)

// openTerminal makes a terminal: what a person holds of it, and what a program gets.
func openTerminal(t *testing.T) (person, program *os.File) {
	t.Helper()
	person, program, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = person.Close() })
	return person, program
}

// Who starts the daemon at a terminal and closes it wants it gone; kill -HUP wants its settings read.
func TestTerminalGoesAway(t *testing.T) {
	if signal.Ignored(syscall.SIGHUP) { // these tests run under nohup or so, and the daemon would obey that
		return
	}
	dir := daemontest.Project(t)
	person, terminal := openTerminal(t)
	serve := program(t, dir, nil, "serve")
	serve.Stdin, serve.Stdout, serve.Stderr = terminal, terminal, terminal
	serve.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	started := time.Now()
	r := daemontest.Launch(t, serve, dir)
	_ = terminal.Close()
	daemontest.Eventually(t, "the daemon serves", func() bool {
		return runProgram(t, dir, nil, "status").code == 0
	})
	if took := time.Since(started); took > 3*time.Second {
		t.Errorf("the daemon waited %v for a terminal that answers no questions", took)
	}

	r.Signal(t, syscall.SIGHUP)
	daemontest.Eventually(t, "the settings are read", func() bool {
		return slices.ContainsFunc(r.Log(t), func(record map[string]any) bool { return record["msg"] == "settings taken" })
	})

	_ = person.Close()
	if code := r.Wait(t); code != 0 {
		t.Errorf("the daemon ends with %d", code)
	}
}
