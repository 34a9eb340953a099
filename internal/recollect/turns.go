package recollect

import (
	"slices"
	"sync"

	"tidepool/internal/hook"
	"tidepool/internal/recall/extractor"
	"tidepool/protocol"
)

// maxAsked is how many sessions' latest prompts are kept for the extractor.
const maxAsked = 64

// turns are the latest prompts of sessions, until they are answered. Safe for concurrent use.
type turns struct {
	mu     sync.Mutex
	latest []extractor.Turn // the last asked is the last
}

// ask notes a prompt.
func (t *turns) ask(turn extractor.Turn) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.latest = slices.DeleteFunc(t.latest, func(old extractor.Turn) bool { return old.Session == turn.Session })
	t.latest = append(t.latest, turn)
	t.latest = t.latest[max(0, len(t.latest)-maxAsked):]
}

// answered returns the turn that a session's answer ends; false: its prompt is not known.
func (t *turns) answered(session, answer string) (turn extractor.Turn, known bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	i := slices.IndexFunc(t.latest, func(old extractor.Turn) bool { return old.Session == session })
	if i < 0 {
		return turn, false
	}
	turn = t.latest[i]
	t.latest = slices.Delete(t.latest, i, i+1)
	turn.Answer = answer
	return turn, true
}

// offer gives the extractor the turn that an event has ended.
func (c *Contributor) offer(e *hook.Event) {
	opened, _ := c.options.Opener.Peek()
	if opened == nil || opened.Extractor == nil || e.Event != protocol.Stop || e.LastAssistantMessage == "" {
		return
	}
	if turn, known := c.turns.answered(e.SessionID, e.LastAssistantMessage); known {
		opened.Extractor.Offer(turn)
	}
}
