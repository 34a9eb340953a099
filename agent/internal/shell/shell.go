// Package shell is `agent shell`: it runs a shell line and takes the secrets out of its output, through the daemon, as the output comes.
//
// Claude Code starts it instead of a shell where CLAUDE_CODE_SHELL_PREFIX names it. Claude Code then hands over the whole line as one
// argument. The variable holds for other programs that Claude Code starts, too: several arguments are such a program, an MCP server
// for example, and it takes the place of this process.
//
// The line keeps its stdin, its working directory, its environment and its exit status. Its output is sent to the daemon in parts of
// whole lines, and nothing of a line is shown before its end. Where stdout and stderr are the same file, the line has one pipe for
// both, which keeps their order. What the line has started in the background may write on after its end: another process
// of this program then passes that on, as long as somebody can write it.
//
// Without an answer of the daemon in time TIDEPOOL_FAIL_MODE decides, as it does for hooks: open, and the output is shown as it is, with
// a line on stderr; or closed, and the line does not run, or what is left of its output is not shown.
package shell

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"syscall"

	"tidepool/agent/internal/launch"
	"tidepool/internal/wording"
	"tidepool/protocol"
)

// StatusRefused is the exit status of a line that was not run: a shell's status for a program that cannot be run.
const StatusRefused = 126

// A Shell is one run of `agent shell`.
type Shell struct {
	Place   protocol.Place
	Session string // of Claude Code; "" is not known
	Closed  bool   // the fail mode
	Getenv  func(string) string
	Environ []string
	Agent   string // path of this program
	Signals <-chan os.Signal

	Stdin, Stdout, Stderr *os.File

	// Fingerprints describe the session's secrets. The error says what they lack.
	Fingerprints func() (json.RawMessage, error)
	Launcher     *launch.Launcher // starts the daemon if there is none; nil: nobody does
}

// An Ending is how a line has ended.
type Ending struct {
	Status int            // its exit status
	Signal syscall.Signal // that has ended it; 0: none
}

// Run runs a line. Where nothing is to be scrubbed the shell takes the place of this process.
//
// Goroutines: one for each pipe, and one that passes signals on. Run waits for the former; the latter ends with the process.
func (s *Shell) Run(line string) Ending {
	argv := []string{userShell(s.Getenv), "-c", line}
	if !s.Place.Managed {
		return s.become(argv)
	}
	scrubber, err := s.open()
	switch {
	case errors.Is(err, errOff):
		return s.become(argv)
	case err != nil && s.Closed:
		s.say("this command was not run, because its output cannot be searched for secrets", err)
		return Ending{Status: StatusRefused}
	case err != nil:
		s.say("the output of this command is not searched for secrets", err)
		return s.become(argv)
	}
	defer scrubber.close()
	ending, err := s.run(argv, scrubber)
	if err != nil {
		s.say("cannot run the command", err)
		return Ending{Status: StatusRefused}
	}
	return ending
}

// Exec replaces this process by a program that is no shell line.
func (s *Shell) Exec(argv []string) Ending {
	path, err := find(argv[0], s.Getenv("PATH"))
	if err != nil {
		s.say("cannot run "+argv[0], err)
		return Ending{Status: 127}
	}
	return s.become(append([]string{path}, argv[1:]...))
}

// become replaces this process. It returns only on failure.
func (s *Shell) become(argv []string) Ending {
	err := syscall.Exec(argv[0], argv, s.Environ)
	s.say("cannot run "+argv[0], err)
	return Ending{Status: StatusRefused}
}

// say prints one line on stderr.
func (s *Shell) say(what string, err error) {
	text := err.Error()
	if hint := wording.HintOf(err); hint != "" {
		text += ": " + hint
	}
	fmt.Fprintf(s.Stderr, "tidepool: %s: %s\n", what, wording.OneLine(text))
}

// run runs the shell with pipes, and waits for it and for its output.
func (s *Shell) run(argv []string, first *scrubber) (Ending, error) {
	runtime.LockOSThread() // the shell dies with the thread that started it, see dieWithParent
	defer runtime.UnlockOSThread()
	pipes, err := s.pipes()
	if err != nil {
		return Ending{}, err
	}
	files := []*os.File{s.Stdin, pipes[0].write, pipes[len(pipes)-1].write}
	process, err := os.StartProcess(argv[0], argv, &os.ProcAttr{Env: s.Environ, Files: files, Sys: dieWithParent()})
	for _, p := range pipes {
		p.write.Close()
	}
	if err != nil {
		return Ending{}, err
	}
	go func() {
		for sig := range s.Signals {
			_ = process.Signal(sig) // it may have ended
		}
	}()
	for i, p := range pipes {
		p.scrubber = first
		if i > 0 {
			p.scrubber = first.another()
			defer p.scrubber.close()
		}
		go p.copy()
	}
	state, err := process.Wait()
	if err != nil {
		return Ending{}, err
	}
	s.finish(pipes)
	return endingOf(state), nil
}

// finish waits until what the shell has written is shown, and has another process pass on what comes later.
func (s *Shell) finish(pipes []*pipe) {
	for _, p := range pipes {
		p.stop()
	}
	var open []*pipe
	for _, p := range pipes {
		if <-p.done {
			p.read.Close()
			continue
		}
		open = append(open, p)
	}
	if len(open) > 0 {
		if err := s.leaveTo(open); err != nil {
			s.say("what the command has left running can show nothing more", err)
		}
	}
}

func endingOf(state *os.ProcessState) Ending {
	status, is := state.Sys().(syscall.WaitStatus)
	if is && status.Signaled() {
		return Ending{Status: 128 + int(status.Signal()), Signal: status.Signal()}
	}
	return Ending{Status: state.ExitCode()}
}

// pipes returns the pipe of stdout and that of stderr, or one for both if they are the same file.
func (s *Shell) pipes() ([]*pipe, error) {
	out, err := newPipe(s.Stdout)
	if err != nil {
		return nil, err
	}
	if same(s.Stdout, s.Stderr) {
		return []*pipe{out}, nil
	}
	errs, err := newPipe(s.Stderr)
	if err != nil {
		out.read.Close()
		out.write.Close()
		return nil, err
	}
	return []*pipe{out, errs}, nil
}

func same(a, b *os.File) bool {
	first, err := a.Stat()
	if err != nil {
		return false
	}
	second, err := b.Stat()
	return err == nil && os.SameFile(first, second)
}

// userShell returns the shell that Claude Code would start: CLAUDE_CODE_SHELL or SHELL if that is bash or zsh, else what there is.
func userShell(getenv func(string) string) string {
	for _, path := range []string{getenv("CLAUDE_CODE_SHELL"), getenv("SHELL")} {
		if name := filepath.Base(path); filepath.IsAbs(path) && (name == "bash" || name == "zsh") && isProgram(path) {
			return path
		}
	}
	for _, path := range []string{"/bin/bash", "/usr/bin/bash", "/usr/local/bin/bash", "/bin/zsh", "/usr/bin/zsh"} {
		if isProgram(path) {
			return path
		}
	}
	return "/bin/sh"
}

func isProgram(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular() && info.Mode().Perm()&0o111 != 0
}

// find returns the path of a program as a shell finds it.
func find(name, path string) (string, error) {
	if filepath.Base(name) != name {
		return name, nil
	}
	for _, dir := range filepath.SplitList(path) {
		if at := filepath.Join(dir, name); isProgram(at) {
			return at, nil
		}
	}
	return "", &os.PathError{Op: "find", Path: name, Err: os.ErrNotExist}
}
