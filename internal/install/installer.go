package install

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"time"

	"tidepool/internal/wording"
)

const (
	sudoLimit = 5 * time.Second
	runLimit  = 10 * time.Minute // of one command; npm has been seen to hang for ever
	lastWords = 2000             // bytes of a failed command's output that are told
)

// An Installer runs commands for a person in a project.
type Installer struct {
	Project string   // directory that nothing is taken from
	Env     []string // the person's environment, as KEY=value
}

// An Error says why a line was not run or has failed.
type Error struct{ what, hint string }

func (e *Error) Error() string { return e.what }

// Hint says what to do.
func (e *Error) Hint() string { return e.hint }

// Check returns nil if Run can run a line, else an *Error.
func (i Installer) Check(ctx context.Context, line Line) error {
	for _, words := range line.commands(i.getenv("HOME")) {
		program, bySudo := runs(words)
		switch {
		case program == "":
			return &Error{"init runs go, npm and apt-get alone", "run it yourself"}
		case bySudo && !i.maySudo(ctx):
			return &Error{"it needs root, and sudo asks for a password or is not there", "run it yourself"}
		case !bySudo && i.Find(program) == "":
			return &Error{program + " is not on PATH (directories of the project do not count)", howToGet(program)}
		}
	}
	return nil
}

func howToGet(program string) string {
	switch program {
	case "npm":
		return "install Node 20 or newer"
	case "go":
		return "install Go"
	}
	return "install it yourself"
}

// maySudo reports whether sudo runs commands without asking.
func (i Installer) maySudo(ctx context.Context) bool {
	ctx, cancel := context.WithTimeout(ctx, sudoLimit)
	defer cancel()
	_, err := i.run(ctx, []string{"sudo", "true"})
	return err == nil
}

// Run runs the commands of a line, one after the other, until one fails. The error is an *Error with the last of its output.
func (i Installer) Run(ctx context.Context, line Line) error {
	if err := i.Check(ctx, line); err != nil {
		return err
	}
	for _, words := range line.commands(i.getenv("HOME")) {
		within, cancel := context.WithTimeout(ctx, runLimit)
		out, err := i.run(within, words)
		timedOut := within.Err() != nil && ctx.Err() == nil
		cancel()
		command := strings.Join(words, " ")
		switch {
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case timedOut:
			return &Error{fmt.Sprintf("%s has not ended within %v", command, runLimit), "run it yourself, to see where it hangs"}
		case err != nil:
			return &Error{fmt.Sprintf("%s: %v: %s", command, err, wording.Line(out[max(0, len(out)-lastWords):], lastWords)), "run it yourself, and see what it needs"}
		}
	}
	return nil
}

// run runs one command in an empty directory, without input, and returns its output. At the end of ctx it and all that it has started get
// SIGTERM, and it is killed 5 s later. A command of sudo's gets no signal, since it belongs to root: run returns when it has ended.
func (i Installer) run(ctx context.Context, words []string) (out string, err error) {
	path := i.Find(words[0])
	if path == "" {
		return "", errors.New(words[0] + " is not on PATH")
	}
	dir, err := os.MkdirTemp("", "tidepool-install-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(dir)
	args := words[1:]
	if words[0] == "sudo" {
		args = append([]string{"-n"}, args...)
	}
	cmd := exec.CommandContext(ctx, path, args...)
	cmd.Dir, cmd.Env = dir, append(i.environ(), "PWD="+dir)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGTERM) }
	cmd.WaitDelay = 5 * time.Second
	said, err := cmd.CombinedOutput()
	return string(said), err
}
