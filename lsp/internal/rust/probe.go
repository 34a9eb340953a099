package rust

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"strings"
	"sync"

	"tidepool/lsp/internal/session"
)

// A status is what rust-analyzer has said of itself by experimental/serverStatus.
//
// It sends the notification only when something in it has changed, from "ok, quiescent" on. It is quiescent, too,
// before it begins to load the first workspace, so that alone says nothing: it must have been at work before. That
// files have changed it hears from another thread of its own, some time after we have told it; so after changes that
// are structural it is made to load everything anew.
type status struct {
	mu       sync.Mutex
	health   string // "ok", "warning", "error"
	quiet    bool   // it has no work
	message  string
	loads    int           // how often it has begun to work
	probing  bool          // probe waits for it
	outdated bool          // there were structural changes
	changed  chan struct{} // closed and replaced at every notification
}

func environ(s *session.Session) ([]string, error) {
	s.Own = &status{health: "ok", changed: make(chan struct{})}
	return nil, nil
}

// hear takes in the status. Work that begins by itself makes another probe necessary.
func hear(s *session.Session, method string, params []byte) {
	if method != "experimental/serverStatus" {
		return
	}
	var message struct {
		Health    string `json:"health"`
		Quiescent bool   `json:"quiescent"`
		Message   string `json:"message"`
	}
	status, ok := s.Own.(*status)
	if !ok || json.Unmarshal(params, &message) != nil {
		return
	}
	if status.hear(message.Health, message.Quiescent, message.Message) {
		s.Progress.ProbeAgain()
	}
}

// hear reports whether the status is other than the one that the last probe has ended with.
func (r *status) hear(health string, quiet bool, message string) (surprise bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !quiet && (r.quiet || r.loads == 0) {
		r.loads++
	}
	surprise = !r.probing && (!quiet || health != r.health || message != r.message)
	r.health, r.quiet, r.message = health, quiet, message
	close(r.changed)
	r.changed = make(chan struct{})
	return surprise
}

// changed tells of changes on the disk.
func changed(s *session.Session, what session.Update) error {
	if status, ok := s.Own.(*status); ok && structural(what.Changes) {
		status.mu.Lock()
		status.outdated = true
		status.mu.Unlock()
	}
	return s.OpenChanged(what)
}

// probe waits until rust-analyzer has loaded all workspaces. A health other than ok is its word for answers that may
// be wrong or lack something.
func probe(ctx context.Context, s *session.Session) (session.Coverage, error) {
	status, ok := s.Own.(*status)
	if !ok {
		return session.Coverage{}, errors.New("nothing is known of rust-analyzer's state")
	}
	defer status.end()
	loads, reload := status.begin()
	if reload {
		if _, err := session.Ask[any](ctx, s, "rust-analyzer/reloadWorkspace", nil); err != nil {
			return session.Coverage{}, err
		}
		loads = status.next(loads)
	}
	return session.Coverage{Outside: outside}, status.wait(ctx, max(loads, 1))
}

// outside: rust-analyzer looks at one configuration, that of tests on this system with the default features.
func outside(path string) string {
	text, err := os.ReadFile(path)
	if err != nil || !configured(string(text)) {
		return ""
	}
	return "has code under #[cfg(…)], of which rust-analyzer looks at one configuration"
}

// configured reports whether some of a text depends on more than whether it is a test.
func configured(text string) bool {
	for rest, found := text, true; ; {
		if _, rest, found = strings.Cut(rest, "cfg("); !found {
			return false
		}
		if condition, _, _ := strings.Cut(rest, ")"); strings.TrimSpace(condition) != "test" {
			return true
		}
	}
}

// begin returns how many loads there have been, and whether to cause one: not before the first, which sees all there is.
func (r *status) begin() (loads int, reload bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.probing = true
	reload, r.outdated = r.outdated && r.loads > 0, false
	return r.loads, reload
}

// next returns how many loads there have been when the one that was asked for is over: at work, the server goes on to
// it without a rest. before is how many there were before it was asked for.
func (r *status) next(before int) int {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.quiet && r.loads == before {
		return r.loads + 1
	}
	return r.loads
}

func (r *status) end() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.probing = false
}

// wait returns when the server has nothing to do after so many loads, or says that it cannot load anything.
func (r *status) wait(ctx context.Context, loads int) error {
	for {
		r.mu.Lock()
		health, quiet, message, changed := r.health, r.quiet, r.message, r.changed
		enough := r.loads >= loads || r.loads == 0 && health != "ok"
		r.mu.Unlock()
		switch {
		case quiet && enough && health == "ok":
			return nil
		case quiet && enough && message == "":
			return errors.New("rust-analyzer reports health " + health)
		case quiet && enough:
			return errors.New("rust-analyzer: " + message)
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}
