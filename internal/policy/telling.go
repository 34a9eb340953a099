package policy

import (
	"strings"
	"sync"

	"tidepool/internal/hook"
	"tidepool/internal/session"
	"tidepool/internal/wording"
)

// Bounds of what the model is told with one tool call, in characters, and of the conversations that are remembered.
const (
	maxTold          = 4000
	maxConversations = 4096
)

// A telling knows what each conversation was told, so that it is told a policy once. Its zero value is usable. Safe for concurrent use.
type telling struct {
	mu   sync.Mutex
	told map[session.ID]map[countKey]bool
}

// once returns those of the policies that a conversation was not told yet, and notes that it is told them now.
func (t *telling) once(of session.ID, policies []Considered) []Considered {
	t.mu.Lock()
	defer t.mu.Unlock()
	var young []Considered
	for _, p := range policies {
		key := countKey{p.Level, p.ID}
		if t.told[of][key] {
			continue
		}
		if t.told == nil || len(t.told) >= maxConversations && t.told[of] == nil {
			t.told = make(map[session.ID]map[countKey]bool)
		}
		if t.told[of] == nil {
			t.told[of] = make(map[countKey]bool)
		}
		t.told[of][key] = true
		young = append(young, p)
	}
	return young
}

// forget forgets what a session was told, all of its agents: its context begins anew, or ends.
func (t *telling) forget(sessionID string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for of := range t.told {
		if of.Session == sessionID {
			delete(t.told, of)
		}
	}
}

// tell returns what the model is told about a call: each policy of severity info that matches, once in a conversation.
func (e *Engine) tell(event *hook.Event, j *Judgement) string {
	policies := j.Told()
	if len(policies) == 0 {
		return ""
	}
	young := e.telling.once(event.From.ID, policies)
	for _, p := range young {
		e.counter.told(p.Definition)
	}
	return Telling(young)
}

// Telling returns the text by which a model is told policies.
func Telling(policies []Considered) string {
	lines := make([]string, len(policies))
	for i, p := range policies {
		lines[i] = p.Reason
	}
	return wording.Clip(strings.Join(lines, "\n"), maxTold)
}
