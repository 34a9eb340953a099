package redact

import (
	"bytes"
	"slices"
	"sync"

	"tidepool/internal/hook"
	"tidepool/internal/scrub"
	"tidepool/protocol"
)

// refuse denies a tool call that would write or run a token, in a session that has read one.
func (c *Contributor) refuse(e *hook.Event) hook.Answer {
	if !bytes.Contains(e.ToolInput, []byte("[SECRET_")) || !writes(e.ToolName) || !c.readers.has(e.SessionID) || !scrub.HasToken(string(e.ToolInput)) {
		return hook.Answer{}
	}
	c.counters.refused.Add(1)
	const reason = "the input holds a token such as [SECRET_1], which tidepool puts in the place of a secret. The value behind it is not kept, " +
		"so the token itself would be written or run. Name the variable or the file that holds the secret instead, and edit around its place in a file"
	return hook.Answer{
		Output:  &protocol.PreToolUseOutput{Decision: protocol.Deny, Reason: reason},
		Verdict: hook.Verdict{Decision: "deny", Reason: "a token in the place of a secret"},
	}
}

// writes reports whether a tool writes what it is given to a file, or runs it.
func writes(tool string) bool {
	switch tool {
	case "Bash", "Write", "Edit", "MultiEdit", "NotebookEdit":
		return true
	}
	return false
}

// readers are the sessions that have read a token, at most maxReaders.
type readers struct {
	mu  sync.Mutex
	all []string // the latest last
}

const maxReaders = 256

func (r *readers) add(session string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if slices.Contains(r.all, session) {
		return
	}
	if len(r.all) == maxReaders {
		r.all = slices.Delete(r.all, 0, 1)
	}
	r.all = append(r.all, session)
}

func (r *readers) has(session string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Contains(r.all, session)
}
