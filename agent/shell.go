package main

import (
	"encoding/json"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"

	"tidepool/agent/internal/hook"
	"tidepool/agent/internal/launch"
	"tidepool/agent/internal/secret"
	"tidepool/agent/internal/shell"
	"tidepool/protocol"
)

// shellName is the name of a link to this program that stands for `agent shell`. Claude Code takes the whole value of
// CLAUDE_CODE_SHELL_PREFIX for the name of a program, unless it holds an option.
const shellName = "agent-shell"

// isShell reports whether this program was started by the link.
func isShell(name string) bool { return filepath.Base(name) == shellName }

func runShell(p *process, args []string) int {
	if len(args) == 0 {
		return misused(p, "agent shell takes a shell line, or a program with its arguments")
	}
	signals := make(chan os.Signal, 8)
	place := protocol.Locate(p.getenv, p.dir)
	_, mode := hook.FailMode(p.getenv)
	self, err := launch.Self()
	if err != nil {
		self = os.Args[0]
	}
	s := &shell.Shell{
		Place: place, Session: p.getenv("CLAUDE_CODE_SESSION_ID"), Closed: mode == "closed", Getenv: p.getenv, Environ: p.environ(), Agent: self,
		Signals: signals, Stdin: p.stdin, Stdout: os.Stdout, Stderr: os.Stderr, Launcher: p.launcher(),
		Fingerprints: func() (json.RawMessage, error) {
			return secret.Source{Place: place, Dir: p.dir, Environ: p.environ(), Getenv: p.getenv}.Fingerprints()
		},
	}
	switch {
	case args[0] == shell.FollowArg && len(args) == 2:
		signal.Ignore(syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP) // it ends with those that write
		return s.Follow(inherited(args[1])).Status
	case len(args) > 1:
		return s.Exec(args).Status
	}
	signal.Notify(signals, syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT)
	return die(s.Run(args[0]))
}

// inherited returns the descriptors from 3 on: one or two pipes, each with where it goes.
func inherited(pipes string) (files []*os.File) {
	last := 4
	if pipes == "2" {
		last = 6
	}
	for fd := 3; fd <= last; fd++ {
		if fd%2 == 1 {
			_ = syscall.SetNonblock(fd, true) // the pipe, for deadlines; what it goes to is shared with others
		}
		files = append(files, os.NewFile(uintptr(fd), "inherited"))
	}
	return files
}

// die ends this process by the signal that has ended the shell, if one has: its caller sees the same end. It returns the status of
// any other end.
func die(e shell.Ending) int {
	switch e.Signal {
	case syscall.SIGKILL, syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP: // Go answers others by a stack trace, or not at all
		signal.Reset(e.Signal)
		if syscall.Kill(os.Getpid(), e.Signal) == nil {
			time.Sleep(time.Second) // until the signal has arrived
		}
	}
	return e.Status
}
