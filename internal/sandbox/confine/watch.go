//go:build linux && (amd64 || arm64)

package confine

import (
	"bytes"
	"io"
	"os"
	"strconv"
	"syscall"
	"time"
)

// watched is how often memory and processes are counted.
const watched = 50 * time.Millisecond

// A watch ends the command's processes when they exceed a limit or the daemon hangs up.
type watch struct {
	plan     *Plan
	command  int         // process id
	exceeded chan string // the first limit that was exceeded
}

// untilHangup ends all when nobody waits for the report any more.
func (w *watch) untilHangup(plan io.Reader) {
	io.Copy(io.Discard, plan)
	for range rounds {
		if w.killAll() == 0 {
			break
		}
	}
	os.Exit(1)
}

// limits counts until the process ends.
func (w *watch) limits() {
	for {
		time.Sleep(watched)
		processes, memory := 0, int64(0)
		for _, pid := range w.processes() {
			processes++
			memory += resident(pid)
		}
		if w.plan.Full { // else there is none, and the list is that of the machine
			memory += unattached()
		}
		switch {
		case processes > w.plan.Processes:
			w.exceed(LimitProcesses)
		case memory > w.plan.MemoryBytes:
			w.exceed(LimitMemory)
		}
	}
}

// exceed notes the limit and kills. What forks faster than it is killed is killed again at the next count.
func (w *watch) exceed(limit string) {
	select {
	case w.exceeded <- limit:
	default:
	}
	w.killAll()
}

// killAll kills all processes but this one, and returns how many it saw. In a pid namespace the kernel sees them.
func (w *watch) killAll() int {
	if w.plan.Full {
		syscall.Kill(-1, syscall.SIGKILL) // all but the first
		return 0
	}
	seen := w.processes()
	for _, pid := range seen {
		syscall.Kill(pid, syscall.SIGKILL)
	}
	return len(seen)
}

// rounds bounds how often what is left is looked for: each time finds what was forked since the one before.
const rounds = 1000

// killRest kills and reaps what the command has left running. The process has adopted it, see adoptOrphans.
func (w *watch) killRest() {
	for range rounds {
		w.killAll()
		var status syscall.WaitStatus
		if _, err := syscall.Wait4(-1, &status, 0, nil); err == syscall.ECHILD {
			return
		}
	}
}

// processes returns the ids of the command's processes: in a pid namespace all but this one, else the descendants of this one.
func (w *watch) processes() []int {
	if !w.plan.Full {
		return descendants(os.Getpid())
	}
	proc, err := os.Open("/proc")
	if err != nil {
		return nil
	}
	defer proc.Close()
	names, _ := proc.Readdirnames(-1)
	var all []int
	for _, name := range names {
		if pid, err := strconv.Atoi(name); err == nil && pid != 1 {
			all = append(all, pid)
		}
	}
	return all
}

// descendants returns the children of a process, theirs, and so on, by the lists that the kernel keeps for each thread.
func descendants(of int) []int {
	var all []int
	tasks, err := os.ReadDir("/proc/" + strconv.Itoa(of) + "/task")
	if err != nil {
		return nil
	}
	for _, task := range tasks {
		children, err := os.ReadFile("/proc/" + strconv.Itoa(of) + "/task/" + task.Name() + "/children")
		if err != nil {
			continue
		}
		for field := range bytes.FieldsSeq(children) {
			if pid, err := strconv.Atoi(string(field)); err == nil {
				all = append(append(all, pid), descendants(pid)...)
			}
		}
	}
	return all
}

// resident returns the memory of a process that is no part of a file, in bytes; 0 if it has ended.
func resident(pid int) int64 {
	status, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/status")
	if err != nil {
		return 0
	}
	var sum int64
	for line := range bytes.Lines(status) {
		name, value, _ := bytes.Cut(line, []byte(":"))
		if string(name) != "RssAnon" && string(name) != "RssShmem" {
			continue
		}
		if fields := bytes.Fields(value); len(fields) > 0 {
			kilobytes, _ := strconv.ParseInt(string(fields[0]), 10, 64)
			sum += kilobytes << 10
		}
	}
	return sum
}

// unattached returns the memory of System V's segments in this namespace that no process has attached, in bytes: it counts for none of
// them. Only user 0 could set a bound for it, kernel.shmall.
func unattached() int64 {
	list, err := os.ReadFile("/proc/sysvipc/shm")
	if err != nil {
		return 0
	}
	const attaches, resident, columns = 6, 14, 16 // of a line; the first line has their names
	var sum int64
	for line := range bytes.Lines(list) {
		if fields := bytes.Fields(line); len(fields) == columns && string(fields[attaches]) == "0" {
			bytes, _ := strconv.ParseInt(string(fields[resident]), 10, 64)
			sum += bytes
		}
	}
	return sum
}
