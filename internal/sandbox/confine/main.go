//go:build linux && (amd64 || arm64)

package confine

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"runtime"

	"golang.org/x/sys/unix"
)

// A step is a part of the work, with the name that a report calls it by.
type step struct {
	name string
	do   func(*Plan) error
}

// Main is the whole process. It returns the exit status: 0 if the report was written.
func Main() (status int) {
	aside(func() { status = work() })
	return status
}

// aside does something on a thread that is locked to it and is not the first one. Landlock compares domains of first threads when a
// process sends a signal to another: the command must not find this process in its own domain, or it could stop or kill it.
func aside(do func()) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		runtime.LockOSThread() // for good: a thread of a domain is used for nothing else
		if unix.Gettid() == unix.Getpid() {
			aside(do) // this goroutine keeps the first thread meanwhile
			return
		}
		do()
	}()
	<-done
}

func work() int {
	plan, report := os.NewFile(PlanFD, "plan"), os.NewFile(ReportFD, "report")
	if err := json.NewEncoder(report).Encode(serve(plan)); err != nil {
		return 1
	}
	return 0
}

// serve reads the plan, does it, and returns what to report.
func serve(plan *os.File) Report {
	var p Plan
	if err := json.NewDecoder(io.LimitReader(plan, maxPlan)).Decode(&p); err != nil {
		return Report{Step: "plan", Error: err.Error()}
	}
	if p.Version != Version {
		return Report{Step: "plan", Error: fmt.Sprintf("it has version %d, this program knows %d", p.Version, Version)}
	}
	if err := unix.CloseRange(PlanFD, math.MaxUint32, unix.CLOSE_RANGE_CLOEXEC); err != nil {
		return Report{Step: "descriptors", Error: err.Error()} // those of the daemon's own parents among them, which it never opened
	}
	for _, s := range steps(p.Full) {
		if err := s.do(&p); err != nil {
			return Report{Step: s.name, Error: err.Error()}
		}
	}
	return run(&p, plan)
}

// steps returns what is done before the command starts, in order: each forbids what those before it need.
func steps(full bool) []step {
	shut := []step{
		{"keyring", newKeyring},
		{"privileges", dropPrivileges},
		{"landlock", restrictPaths},
		{"seccomp", restrictCalls},
	}
	if !full {
		return append([]step{{"orphans", adoptOrphans}, {"limits", limit}}, shut...)
	}
	return append([]step{
		{"mounts", mountView},
		{"proc", mountProc},
		{"loopback", raiseLoopback},
		{"limits", limit},
	}, shut...)
}

// newKeyring gives the thread a session keyring without keys.
func newKeyring(*Plan) error {
	_, err := unix.KeyctlInt(unix.KEYCTL_JOIN_SESSION_KEYRING, 0, 0, 0, 0) // a name, even an empty one, would join another one
	if errors.Is(err, unix.ENOSYS) || errors.Is(err, unix.EPERM) {         // no keyrings in this kernel, or a container's filter refuses them
		return nil
	}
	return err
}

// adoptOrphans makes the process the parent of what the command leaves behind, as the first of a pid namespace is anyway.
func adoptOrphans(*Plan) error { return unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) }
