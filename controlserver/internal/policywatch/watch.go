package policywatch

import (
	"context"
	"encoding/json"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"tidepool/internal/hook"
	"tidepool/internal/policy"
	"tidepool/internal/policyfile"
	"tidepool/internal/wording"
	"tidepool/protocol"
)

// lookEvery is the shortest interval in which it is checked whether a file has changed.
const lookEvery = time.Second

// Options say what a Watch is made of.
type Options struct {
	Engine *policy.Engine
	Dirs   func(named []string) []policyfile.Dir // of policies; named are those of policy.dirs
	Own    func(level policy.Level, path string) error
	Log    *slog.Logger
}

// A Watch gives an engine the policies of files. Before a tool call is decided it checks whether a file has changed, at most once a
// second. It starts no goroutines. Safe for concurrent use.
type Watch struct {
	options Options
	reader  *policyfile.Reader
	began   time.Time
	next    atomic.Int64 // nanoseconds after began: no look before

	mu    sync.Mutex
	dirs  []policyfile.Dir
	stamp string
	last  policyfile.Result
	wrong error // why the engine does not take the policies; nil: it has them
}

// New returns a watch that has read the files.
func New(o Options, named []string) *Watch {
	w := &Watch{options: o, reader: &policyfile.Reader{Own: o.Own}, began: time.Now()}
	w.Follow(named)
	return w
}

// Follow reads the files again, whose directories may have changed. named are those of policy.dirs.
func (w *Watch) Follow(named []string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.dirs = w.options.Dirs(named)
	w.read(policyfile.Stamp(w.dirs))
}

// look reads the files again if one of them has changed.
func (w *Watch) look() {
	now, next := int64(time.Since(w.began)), w.next.Load()
	if now < next || !w.next.CompareAndSwap(next, now+int64(lookEvery)) {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if stamp := policyfile.Stamp(w.dirs); stamp != w.stamp || w.last.Changing {
		w.read(stamp)
	}
}

// read gives the engine what the files have. Callers hold mu.
func (w *Watch) read(stamp string) {
	before := len(w.last.Definitions) + len(w.last.Problems)
	w.stamp, w.last = stamp, w.reader.Read(w.dirs)
	w.wrong = w.options.Engine.Define(w.last.Definitions)
	for _, err := range w.problems() {
		w.options.Log.Warn("policy files", "err", err, "hint", wording.HintOf(err))
	}
	if before+len(w.last.Definitions) > 0 {
		w.options.Log.Info("policies of files taken", "policies", len(w.last.Definitions), "files", w.last.Files)
	}
}

// problems returns what is wrong. Callers hold mu.
func (w *Watch) problems() []error {
	if w.wrong != nil {
		return append([]error{w.wrong}, w.last.Problems...)
	}
	return w.last.Problems
}

// Decide decides about a tool call that no hook was asked about.
func (w *Watch) Decide(tool string, input json.RawMessage) (policy.Verdict, bool) {
	w.look()
	return w.options.Engine.Decide(tool, input)
}

// Weigh returns what is said about a tool call that nobody makes, and why.
func (w *Watch) Weigh(tool string, input json.RawMessage) policy.Judgement {
	w.look()
	return w.options.Engine.Weigh(tool, input)
}

// Definitions returns the policies of files with their states.
func (w *Watch) Definitions() []policy.Considered {
	w.look()
	return w.options.Engine.Definitions()
}

// Events returns PreToolUse.
func (*Watch) Events() []protocol.Event { return []protocol.Event{protocol.PreToolUse} }

// Hook reads changed files before the engine, which is asked after it, decides. It contributes nothing itself.
func (w *Watch) Hook(context.Context, *hook.Event) hook.Answer {
	w.look()
	return hook.Answer{}
}

// Problems returns what is wrong with the files, and what follows from that; each has a hint. files counts those that are in use.
func (w *Watch) Problems() (files int, problems []error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.last.Files, w.problems()
}
