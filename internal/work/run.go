package work

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"
)

// Bounds of a program's output.
const (
	maxOutput = 16 << 20 // bytes of standard output
	maxLast   = 600      // bytes of standard error that a failure quotes
)

// lingering is how long a program that was killed may hold its output open.
const lingering = time.Second

// A runner starts programs in one directory.
type runner struct {
	dir string
	env []string
}

// run runs a program to its end and returns its standard output. When ctx ends first the program and all that it has
// started are killed. The error is a *[ProgramError].
func (r runner) run(ctx context.Context, program string, args ...string) ([]byte, error) {
	path, err := r.find(program)
	if err != nil {
		return nil, &ProgramError{Program: program, Args: args, Err: err}
	}
	cmd := exec.CommandContext(ctx, path, args...)
	cmd.Dir, cmd.Env, cmd.WaitDelay = r.dir, r.env, lingering
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	stdout, stderr := &limited{limit: maxOutput}, &limited{limit: maxOutput}
	cmd.Stdout, cmd.Stderr = stdout, stderr
	err = cmd.Run()
	if errors.Is(err, exec.ErrWaitDelay) && ctx.Err() == nil {
		err = nil // it has ended well; what it left running, as older bd does, holds its output open
	}
	if err == nil && !stdout.cut {
		return stdout.Bytes(), nil
	}
	failure := &ProgramError{Program: program, Args: args, Stdout: stdout.Bytes(), Stderr: last(stderr.String()), Err: err}
	switch {
	case ctx.Err() != nil:
		failure.Err = context.Cause(ctx)
	case err == nil:
		failure.Err = fmt.Errorf("it printed more than %d MB", maxOutput>>20)
	}
	return nil, failure
}

// find looks a program up on the PATH of its environment, in absolute directories only: a checkout is no place to run
// programs from.
func (r runner) find(program string) (string, error) {
	for _, entry := range slices.Backward(r.env) { // of two settings the last one counts
		path, is := strings.CutPrefix(entry, "PATH=")
		if !is {
			continue
		}
		for _, dir := range filepath.SplitList(path) {
			name := filepath.Join(dir, program)
			if info, err := os.Stat(name); filepath.IsAbs(dir) && err == nil && info.Mode().IsRegular() && info.Mode().Perm()&0o111 != 0 {
				return name, nil
			}
		}
		break
	}
	return "", &exec.Error{Name: program, Err: exec.ErrNotFound}
}

// limited keeps the first bytes that are written to it.
type limited struct {
	bytes.Buffer
	limit int
	cut   bool
}

func (l *limited) Write(p []byte) (int, error) {
	if room := l.limit - l.Len(); len(p) > room {
		l.cut = true
		l.Buffer.Write(p[:room])
		return len(p), nil
	}
	return l.Buffer.Write(p)
}

// last returns the end of what a program said, from a line's beginning.
func last(text string) string {
	text = strings.TrimSpace(strings.ToValidUTF8(text, "\uFFFD"))
	if len(text) <= maxLast {
		return text
	}
	text = text[len(text)-maxLast:]
	if _, rest, found := strings.Cut(text, "\n"); found {
		return rest
	}
	return strings.ToValidUTF8(text, "")
}

// A ProgramError means that a program failed.
type ProgramError struct {
	Program string
	Args    []string
	Stdout  []byte
	Stderr  string // its last lines; "": it said nothing
	Err     error  // *exec.ExitError, the end of the context, …
}

func (e *ProgramError) Error() string {
	what := e.Program
	if len(e.Args) > 0 {
		what += " " + e.Args[0]
	}
	var exit *exec.ExitError
	switch {
	case errors.Is(e.Err, context.DeadlineExceeded):
		what += " did not answer in time"
	case errors.As(e.Err, &exit):
		what += ": " + exit.String()
	default:
		what += ": " + e.Err.Error()
	}
	if e.Stderr != "" {
		what += ": " + e.Stderr
	}
	return what
}

// Unwrap is why it failed.
func (e *ProgramError) Unwrap() error { return e.Err }

// Hint says how to get a program that is not there.
func (e *ProgramError) Hint() string {
	if !e.missing() {
		return ""
	}
	return map[string]string{
		"git": "install git and put it on PATH",
		"bd":  "install beads (https://github.com/steveyegge/beads) and run bd init, if this project is to have issues",
		"gh":  "install the GitHub CLI (https://cli.github.com) and run gh auth login",
	}[e.Program]
}

// missing reports whether the program is not installed.
func (e *ProgramError) missing() bool {
	return errors.Is(e.Err, exec.ErrNotFound) || errors.Is(e.Err, fs.ErrNotExist)
}
