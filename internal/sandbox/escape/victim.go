//go:build linux

package escape

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// mark is the variable by which processes that a line has started are found, wherever they are.
const mark = "TIDEPOOL_ESCAPE_WORLD"

// secretVariable is a secret in the environment of who starts sandboxes. table sets it.
const secretVariable = "TIDEPOOL_ESCAPE_SECRET"

// A victim is a process outside, with a secret in its memory, one in its environment and one in an open file. end ends it and waits.
type victim struct {
	cmd     *exec.Cmd
	in      io.WriteCloser
	out     *bufio.Reader
	memory  string // what must be in its memory at the end
	address string // of that, decimal
	fd      string // of the open file
}

func startVictim(w *world) (*victim, error) {
	v := &victim{cmd: exec.Command(w.program, "victim", filepath.Join(w.home(), ".ssh/id_ed25519")), memory: secret()}
	w.secrets["memory"], w.secrets["victim's environment"] = []string{v.memory}, []string{secret()}
	v.cmd.Env = []string{"VICTIM_SECRET=" + w.secrets["victim's environment"][0]}
	v.cmd.Dir, v.cmd.Stderr = w.dir, os.Stderr
	var err error
	if v.in, err = v.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := v.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := v.cmd.Start(); err != nil {
		return nil, err
	}
	v.out = bufio.NewReader(out)
	if _, err = io.WriteString(v.in, v.memory); err == nil {
		_, err = fmt.Fscan(v.out, &v.address, &v.fd)
	}
	if err != nil {
		v.end()
		return nil, fmt.Errorf("starting the process outside: %w", err)
	}
	return v, nil
}

// harmed reports whether the process has ended, stands still, or has other memory than before. It ends it.
func (v *victim) harmed() bool {
	said := make(chan string, 1)
	if err := v.in.Close(); err != nil {
		return true
	}
	go func() { // ends when the process does, at the latest by end
		rest, _ := io.ReadAll(v.out) // an error is a shorter text
		said <- string(rest)
	}()
	select {
	case text := <-said:
		return !strings.HasPrefix(strings.TrimSpace(text), v.memory)
	case <-time.After(heardWithin):
		v.end()
		<-said
		return true
	}
}

func (v *victim) end() {
	_ = v.cmd.Process.Kill() // it may have ended
	_ = v.cmd.Wait()         // by the signal
}

// marked returns the processes that a line of the world with this token has started: they have its variable, or sleep as long as
// only it tells.
func marked(token string) []int {
	var found []int
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return nil
	}
	for _, e := range entries {
		pid, err := strconv.Atoi(e.Name())
		if err != nil || pid == os.Getpid() {
			continue
		}
		environment, _ := os.ReadFile(filepath.Join("/proc", e.Name(), "environ")) // of other users: nothing
		arguments, _ := os.ReadFile(filepath.Join("/proc", e.Name(), "cmdline"))
		if bytes.Contains(environment, []byte(mark+"="+token)) || bytes.Contains(arguments, []byte("3600."+decimal(token))) {
			found = append(found, pid)
		}
	}
	return found
}

// endMarked ends the processes that a line has left, until there are none.
func endMarked(token string) error {
	for range 100 {
		pids := marked(token)
		if len(pids) == 0 {
			return nil
		}
		for _, pid := range pids {
			_ = unix.Kill(pid, unix.SIGKILL) // it may have ended
		}
		time.Sleep(10 * time.Millisecond) // the kernel reaps them, and tells nobody but their parent
	}
	return fmt.Errorf("processes of a row do not end: %v", marked(token))
}
