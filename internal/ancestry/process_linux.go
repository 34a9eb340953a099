package ancestry

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// maxEnviron bounds what is read of an environment or a command line, in bytes: what execve(2) takes by default.
const maxEnviron = 2 << 20

func file(pid int, name string) string { return filepath.Join("/proc", strconv.Itoa(pid), name) }

// look reads what the system knows of a process. Format: proc_pid_stat(5).
func look(pid int) (program, error) {
	data, err := read(file(pid, "stat"))
	if err != nil {
		return program{}, err
	}
	open, end := bytes.IndexByte(data, '('), bytes.LastIndexByte(data, ')')
	if open < 0 || end < open {
		return program{}, fmt.Errorf("%s: no name in parentheses", file(pid, "stat"))
	}
	fields := strings.Fields(string(data[end+1:])) // from the third on: the state
	if len(fields) < 20 {
		return program{}, fmt.Errorf("%s: %d fields", file(pid, "stat"), len(fields))
	}
	p := program{Process: Process{PID: pid}, name: string(data[open+1 : end])}
	var wrong [3]error
	var terminal int
	p.parent, wrong[0] = strconv.Atoi(fields[1])
	terminal, wrong[1] = strconv.Atoi(fields[4])
	p.Started, wrong[2] = strconv.ParseUint(fields[19], 10, 64)
	p.terminal = terminal != 0
	p.path, _ = os.Readlink(file(pid, "exe")) // another user's cannot be read
	p.args, _ = list(file(pid, "cmdline"))
	return p, errors.Join(wrong[:]...)
}

// environ returns the environment that a process was started with; nil if it cannot be read. A process that calls setenv(3)
// does not change it. In the middle of an execve(2) it is empty, for less than a millisecond.
func environ(pid int) []string {
	for range 20 {
		entries, err := list(file(pid, "environ"))
		if err != nil || len(entries) > 0 {
			return entries
		}
		time.Sleep(time.Millisecond)
	}
	return nil
}

// list reads texts that each end with a zero byte.
func list(path string) ([]string, error) {
	data, err := read(path)
	if err != nil || len(data) == 0 {
		return nil, err
	}
	return strings.Split(strings.TrimSuffix(string(data), "\x00"), "\x00"), nil
}

// read returns at most maxEnviron bytes of a file of procfs, whose size is not known before. An os.File makes nine system
// calls of the three that it takes, for each of three files of each ancestor at the start of every session.
func read(path string) (data []byte, err error) {
	fd, err := ignoringEINTR(func() (int, error) { return unix.Open(path, unix.O_RDONLY|unix.O_CLOEXEC, 0) })
	if err != nil {
		return nil, &os.PathError{Op: "open", Path: path, Err: err}
	}
	defer unix.Close(fd)
	data = make([]byte, 0, 1024)
	for len(data) < maxEnviron {
		data = slices.Grow(data, 1)
		n, err := ignoringEINTR(func() (int, error) { return unix.Read(fd, data[len(data):min(cap(data), maxEnviron)]) })
		if err != nil {
			return nil, &os.PathError{Op: "read", Path: path, Err: err}
		}
		if n == 0 {
			break
		}
		data = data[:len(data)+n]
	}
	return data, nil
}

func ignoringEINTR(call func() (int, error)) (int, error) {
	for {
		if n, err := call(); err != unix.EINTR {
			return n, err
		}
	}
}
