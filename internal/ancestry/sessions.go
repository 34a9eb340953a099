package ancestry

import (
	"maps"
	"slices"
	"sync"
)

// maxSessions bounds how many processes are remembered.
const maxSessions = 256

// Sessions remembers processes of Claude Code whose names do not give them away. The zero value is ready; nil knows none.
// Safe for concurrent use.
type Sessions struct {
	mu    sync.Mutex
	known map[Process]struct{}
}

// Hook takes the word of a hook's process for which process is Claude Code: CLAUDE_PID, if that is one of its parents.
// One that can be recognised needs no word, and no other process is believed then. The parents are looked at only for a word that is
// news, because that takes 0.2 ms at the start of each session.
func (s *Sessions) Hook(pid int) {
	named, err := look(readMark(environ(pid)).pid)
	if err != nil || named.isClaude() || s.has(named.Process) {
		return
	}
	all, err := lineage(pid, (*program).isClaude)
	if err != nil || recognised(all) {
		return
	}
	if slices.ContainsFunc(all[1:], func(p program) bool { return p.Process == named.Process }) {
		s.note(named.Process)
	}
}

// Client remembers the parent of an MCP server that serves Claude Code.
func (s *Sessions) Client(server int) {
	if all, err := lineage(server, (*program).isClaude); err == nil && len(all) > 1 && !recognised(all) && all[1].PID != 1 {
		s.note(all[1].Process)
	}
}

// recognised reports whether a lineage that ends at Claude Code has come so far.
func recognised(all []program) bool { return all[len(all)-1].isClaude() }

func (s *Sessions) note(p Process) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.known == nil {
		s.known = map[Process]struct{}{}
	}
	if len(s.known) >= maxSessions {
		maps.DeleteFunc(s.known, func(old Process, _ struct{}) bool { now, err := Find(old.PID); return err != nil || now != old })
	}
	if len(s.known) < maxSessions {
		s.known[p] = struct{}{}
	}
}

func (s *Sessions) has(p Process) bool {
	if s == nil {
		return false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	_, is := s.known[p]
	return is
}
