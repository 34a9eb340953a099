package process

import (
	"bufio"
	"io"
	"os"
	"os/exec"
	"testing"

	"golang.org/x/sys/unix"
)

// A process that leaves the group of the program that has started it still counts for that: gopls has such a one.
func TestResidentOfDescendants(t *testing.T) {
	p, err := Launch(Program{
		Path: "/bin/sh", Args: []string{"-c", "exec 3<&0; setsid sh -c 'echo up; exec cat' <&3 & cat"}, Dir: t.TempDir(), Env: os.Environ(),
	}, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	defer p.Kill()
	if line, err := bufio.NewReader(p.Out()).ReadString('\n'); line != "up\n" {
		t.Fatalf("it says %q, %v", line, err)
	}
	_, children := Resident(t.Context(), os.Getpid())
	if all := children[p.PID()]; len(children) != 1 || all.Name != "sh" || all.Bytes == 0 {
		t.Errorf("children %+v", children)
	}
}

// A program in a session of its own does not share the processors with ours: clangd would not come to index beside it.
func TestSessionOfItsOwn(t *testing.T) {
	p, err := Launch(Program{Path: "/bin/cat", Dir: t.TempDir(), Session: true}, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	defer p.Kill()
	if session, err := unix.Getsid(p.PID()); err != nil || session != p.PID() {
		t.Errorf("process %d is in session %d, %v", p.PID(), session, err)
	}
}

// A program that runs itself again is named with what it does.
func TestResidentNamesOurselves(t *testing.T) {
	for _, path := range []string{os.Args[0], itself} {
		again := exec.CommandContext(t.Context(), path, "-test.run=^TestSleepsForResident$", "-test.timeout=5m")
		again.Env = append(os.Environ(), "PROCESS_TEST_SLEEPS=1")
		in, err := again.StdinPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := again.Start(); err != nil {
			t.Fatal(err)
		}
		_, children := Resident(t.Context(), os.Getpid())
		if c := children[again.Process.Pid]; c.Name != "process.test "+("-test.run=^TestSleepsForResident$")[:argumentShown] {
			t.Errorf("%s is named %q", path, c.Name)
		}
		in.Close()
		again.Wait()
	}
}

// TestSleepsForResident is the program of the test before.
func TestSleepsForResident(t *testing.T) {
	if os.Getenv("PROCESS_TEST_SLEEPS") != "" {
		io.Copy(io.Discard, os.Stdin)
	}
}
