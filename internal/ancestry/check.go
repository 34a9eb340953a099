package ancestry

import "fmt"

// Check returns nil if a process may be a person's. Otherwise the error is a *[ModelError], or an *[UnseenError] if the
// process is not there. known are Claude Code processes that are known besides; nil: none.
func Check(pid int, known *Sessions) error {
	all, err := lineage(pid, nil)
	if err != nil {
		return &UnseenError{PID: pid, Err: err}
	}
	for _, p := range all {
		if p.isClaude() || known.has(p.Process) {
			return &ModelError{PID: pid, Name: all[0].name, Claude: p.PID, why: descends}
		}
	}
	m := markOf(all)
	switch {
	case !m.inside:
		return nil
	case m.pid > 0 && isSession(m.pid, known):
		return &ModelError{PID: pid, Name: all[0].name, Claude: m.pid, why: belongs}
	case !all[0].terminal:
		return &ModelError{PID: pid, Name: all[0].name, Claude: m.pid, why: inherits}
	}
	return nil
}

// markOf returns the mark of the nearest process that has one.
func markOf(all []program) mark {
	for _, p := range all {
		if m := readMark(environ(p.PID)); m.inside {
			return m
		}
	}
	return mark{}
}

// isSession reports whether an id is that of a Claude Code that runs.
func isSession(pid int, known *Sessions) bool {
	p, err := look(pid)
	return err == nil && (p.isClaude() || known.has(p.Process))
}

// How a process is known to be of Claude Code.
type reason uint8

const (
	descends reason = iota // one of its parents is Claude Code
	belongs                // its environment names one that runs
	inherits               // its environment is one of Claude Code's, and it has no terminal
)

// A ModelError means that Claude Code started the process that wants what only a person may do.
type ModelError struct {
	PID    int
	Name   string // of the process
	Claude int    // the process of Claude Code; 0: it is not known
	why    reason
}

func (e *ModelError) Error() string {
	const only = "only a person may do this, and process %d (%s) "
	switch e.why {
	case belongs:
		return fmt.Sprintf(only+"has the environment of Claude Code (process %d), which runs", e.PID, e.Name, e.Claude)
	case inherits:
		return fmt.Sprintf(only+"has CLAUDECODE in its environment and no terminal: Claude Code started it", e.PID, e.Name)
	}
	return fmt.Sprintf(only+"was started by Claude Code (process %d)", e.PID, e.Name, e.Claude)
}

// Hint says where a person does it.
func (e *ModelError) Hint() string {
	return "use a terminal that Claude Code did not open (its ! prompt counts as Claude Code)"
}

// An UnseenError means that nobody can tell whose process it is.
type UnseenError struct {
	PID int // 0: the system does not tell
	Err error
}

func (e *UnseenError) Error() string {
	return fmt.Sprintf("only a person may do this, and it cannot be told who wants it: process %d is not there", e.PID)
}

// Unwrap is what the system says.
func (e *UnseenError) Unwrap() error { return e.Err }

// Hint says what to do.
func (e *UnseenError) Hint() string {
	return "the process that connects must wait for the answer, on the system of the daemon"
}
