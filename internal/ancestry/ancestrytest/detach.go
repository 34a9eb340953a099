// Package ancestrytest runs tests as a person's processes, whoever started them.
package ancestrytest

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"time"

	"tidepool/internal/ancestry"
)

// stage is the variable by which the processes of Detach know what they are: "leave", then "run".
const stage = "TIDEPOOL_TEST_DETACH"

// leaving is how long a process may take to end after it has started another one.
const leaving = 10 * time.Second

// Detach is for a TestMain. In a process that a person may have started it is run. Below Claude Code it starts the
// program anew outside of that tree: in a new session, with another parent, without the variables that say CLAUDE; so
// tests that act as a person pass there, too. The program ends if the caller does. The result is the exit status.
func Detach(run func() int) int {
	switch os.Getenv(stage) {
	case "leave":
		return leave()
	case "run":
		return runDetached(run)
	}
	marked := os.Getenv("CLAUDECODE") != "" // and a test may start what has no terminal
	if !marked && ancestry.Check(os.Getpid(), nil) == nil {
		return run()
	}
	code, err := restart()
	if err != nil {
		fmt.Fprintln(os.Stderr, "running the tests outside of Claude Code:", err)
		return 1
	}
	return code
}

// Environ returns an environment without what Claude Code adds to it.
func Environ(environ []string) []string {
	var kept []string
	for _, entry := range environ {
		if name, _, _ := strings.Cut(entry, "="); !strings.Contains(name, "CLAUDE") && name != stage {
			kept = append(kept, entry)
		}
	}
	return kept
}

// restart runs the program detached and waits for it by a pipe: it is nobody's child.
func restart() (code int, err error) {
	done, status, err := os.Pipe()
	if err != nil {
		return 0, err
	}
	lifeline, alive, err := os.Pipe()
	if err != nil {
		return 0, err
	}
	defer alive.Close()
	if err := start("leave", status, lifeline).Run(); err != nil {
		return 0, err
	}
	status.Close()
	text, err := io.ReadAll(done)
	if err != nil {
		return 0, err
	}
	if _, err := fmt.Sscan(string(text), &code); err != nil {
		return 1, nil // it was killed; what it wrote says more
	}
	return code, nil
}

// start returns this program once more, with the two pipes as its descriptors 3 and 4.
func start(as string, status, lifeline *os.File) *exec.Cmd {
	cmd := exec.Command("/proc/self/exe", os.Args[1:]...)
	if path, err := os.Executable(); err == nil {
		cmd.Path = path
	}
	cmd.Args[0] = os.Args[0]
	cmd.Env = append(Environ(os.Environ()), stage+"="+as)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	cmd.ExtraFiles = []*os.File{status, lifeline}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	return cmd
}

// leave starts the program and ends, which gives it another parent.
func leave() int {
	if err := start("run", os.NewFile(3, "status"), os.NewFile(4, "lifeline")).Start(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

func runDetached(run func() int) int {
	os.Unsetenv(stage)
	status, lifeline := os.NewFile(3, "status"), os.NewFile(4, "lifeline")
	syscall.CloseOnExec(3)
	syscall.CloseOnExec(4)
	go func() {
		_, _ = lifeline.Read(make([]byte, 1)) // nothing comes; it ends with the process that waits
		os.Exit(1)
	}()
	for late := time.Now().Add(leaving); ancestry.Check(os.Getpid(), nil) != nil && time.Now().Before(late); {
		time.Sleep(time.Millisecond) // the parent is about to end
	}
	code := run()
	fmt.Fprint(status, code)
	return code
}
