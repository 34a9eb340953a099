// Package daemontest starts, queries and stops a project's daemon, for tests, benches and the demo.
//
// Run and Start have a process of controlserver serve; Serve answers in this process, with the tools of a test. Ask makes one
// exchange with either. What takes a testing.TB ends a test where the rest returns an error.
package daemontest

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"tidepool/internal/daemon"
	"tidepool/protocol"
)

// A Daemon is a process of controlserver serve. Goroutines: one waits for the process, and closes Ended.
type Daemon struct {
	Project string
	Cmd     *exec.Cmd     // its ProcessState counts when Ended is closed
	Ended   chan struct{} // closed when the process is gone

	stderr bytes.Buffer // complete when Ended is closed
	err    error        // of the end
}

// Run starts a command, controlserver serve for a project, and returns when it says that it serves.
func Run(cmd *exec.Cmd, project string) (*Daemon, error) {
	said, out, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	cmd.Stdout = out
	d, err := launch(cmd, project)
	out.Close()
	if err != nil {
		said.Close()
		return nil, err
	}
	line, err := bufio.NewReader(said).ReadString('\n')
	go func() {
		<-d.Ended
		said.Close() // not before: who writes to nobody ends
	}()
	if err != nil || !strings.HasPrefix(line, "serving ") {
		d.Kill()
		return nil, fmt.Errorf("the daemon says %q, and on stderr %q", line, d.Stderr())
	}
	return d, nil
}

// launch starts the process, whose stderr is kept unless it goes elsewhere.
func launch(cmd *exec.Cmd, project string) (*Daemon, error) {
	d := &Daemon{Project: project, Cmd: cmd, Ended: make(chan struct{})}
	if cmd.Stderr == nil {
		cmd.Stderr = &d.stderr
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	go func() {
		defer close(d.Ended)
		d.err = cmd.Wait()
	}()
	return d, nil
}

// Stop interrupts the daemon, as Ctrl-C does, and waits until it has ended.
func (d *Daemon) Stop() error {
	_ = d.Cmd.Process.Signal(os.Interrupt) // it may have ended
	<-d.Ended
	if d.err != nil {
		return fmt.Errorf("the daemon ended with %w\n%s", d.err, d.Stderr())
	}
	return nil
}

// Kill ends the process at once.
func (d *Daemon) Kill() {
	_ = d.Cmd.Process.Kill() // it may have ended
	<-d.Ended
}

// PID returns the daemon's process.
func (d *Daemon) PID() int { return d.Cmd.Process.Pid }

// Stderr returns what the daemon has written there, once it has ended.
func (d *Daemon) Stderr() string { return d.stderr.String() }

// Socket returns where the daemon answers.
func (d *Daemon) Socket() string { return Socket(d.Project) }

// Socket returns where a daemon of a project answers, unless the path is too long for a socket.
func Socket(project string) string {
	return filepath.Join(project, protocol.StateDir, protocol.SocketName)
}

// Owner returns the process that has the lock of a project's daemon; 0: nobody has.
func Owner(project string) (pid int, err error) {
	owner, running, err := daemon.Find(daemon.LockPath(Socket(project)))
	if err != nil || !running {
		return 0, err
	}
	return owner.PID, nil
}

// Build builds both programs into a directory, as they are on a machine without a C compiler; flags are those of go build.
func Build(dir string, flags ...string) error {
	args := append(append([]string{"build", "-trimpath", "-ldflags=-s -w", "-o", dir + string(filepath.Separator)}, flags...), "tidepool/agent", "tidepool/controlserver")
	build := exec.Command("go", args...)
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		return fmt.Errorf("building the programs: %w\n%s", err, out)
	}
	return nil
}
