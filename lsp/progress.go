package lsp

import (
	"cmp"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"tidepool/lsp/internal/text"
)

// progress is what a server has said about its own work, and thereby how much its answers are worth.
//
// Measured with gopls v0.23: "Setting up workspace" ends when the packages are listed, before any is type
// checked, so its end alone does not tell whether the project compiles. With verboseWorkDoneProgress each
// load and each notification of a change begins a task "diagnosing …" before the next message is handled,
// and ends it after its diagnostics, in the same stream. So the errors are complete exactly when there has
// been a task for the load and one for every notification, and none is running. Pull diagnostics would need
// one request per file, and publishDiagnostics alone has no last one. Each workspace folder has a task
// "Setting up workspace" of its own, begun in the order of the folders; didChangeWorkspaceFolders begins one task
// "diagnosing initial workspace load", even if folders only go. The other folders' answers stay what they are.
//
// A server with a Probe is asked instead: it knows the project when the last probe began after the last change
// that made one necessary, and ended well.
type progress struct {
	language *Language
	lacks    string // why answers are partial however much the server knows; "": for no such reason. Set before the server runs

	mu         sync.Mutex
	running    map[string]task   // by token
	awaited    []string          // folders whose loading task has not begun, in the order in which the server was told
	loads      int               // loading tasks ended
	failures   map[string]string // what those that did not end well ended with, by folder
	failure    string            // with a Probe: what the last of them ended with, if not well
	checks     int               // checking tasks begun
	notified   int               // notifications sent, each of which begins a check
	unsure     bool              // something changed since the errors were last complete
	strange    []string          // folders that came since then
	trouble    string            // what kept the server from loading part of the project since
	strayed    bool              // the server looks at other texts than those of the disk
	errors     blackboard        // as the server has reported them so far
	settled    blackboard        // while unsure: what they were when they were last complete; nil: never yet
	asked      int               // probes made necessary: one by the start, one by each structural change
	answered   int               // asked when the last probe that has ended began
	ended      map[string]int    // with a Probe: how many tasks have ended, by title
	since      time.Time         // of the last change between indexing and not
	changed    chan struct{}     // closed and replaced at every change
	onCaughtUp func()            // called when the server has looked at everything; must not block
}

// A task is one piece of work that the server has begun and not ended.
type task struct {
	title   string
	folder  string // of a loading task
	message string
	percent float64
}

func newProgress(language *Language) *progress {
	return &progress{
		language:   language,
		running:    map[string]task{},
		errors:     blackboard{},
		failures:   map[string]string{},
		unsure:     true,
		asked:      1,
		ended:      map[string]int{},
		since:      time.Now(),
		changed:    make(chan struct{}),
		onCaughtUp: func() {},
	}
}

func (p *progress) begin(token string, t task) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.loading(t) && len(p.awaited) > 0 {
		t.folder, p.awaited = p.awaited[0], p.awaited[1:]
	}
	p.running[token] = t
	if p.checking(t) {
		p.checks++
	}
	p.update()
}

func (p *progress) report(token, message string, percent float64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	t, ok := p.running[token]
	if !ok {
		return
	}
	t.message, t.percent = message, percent
	p.running[token] = t
}

func (p *progress) end(token, message string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	t, ok := p.running[token]
	if !ok {
		return
	}
	delete(p.running, token)
	if p.language.Probe != nil && len(p.ended) < titlesKept {
		p.ended[t.title]++
	}
	if p.loading(t) {
		p.loads++
		delete(p.failures, t.folder)
		if p.language.LoadEnd != "" && message != p.language.LoadEnd {
			p.failures[t.folder] = text.OneLine(message)
		}
	}
	p.update()
}

// expect says that the server has been told of folders, each of which it loads.
func (p *progress) expect(folders []string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.expectLocked(folders)
}

func (p *progress) expectLocked(folders []string) {
	if p.language.LoadTitle != "" {
		p.awaited = append(p.awaited, folders...)
		p.strange = append(p.strange, folders...)
	}
	p.update()
}

// move counts the notification of folders that come or go; it must be called before the notification is sent.
func (p *progress) move(come, gone []string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.notified++
	for _, folder := range gone {
		delete(p.failures, folder)
	}
	p.expectLocked(come)
}

// notify counts a notification that begins a check; it must be called before the notification is sent.
// change says whether the project is another one afterwards; opening an unchanged file is no change.
func (p *progress) notify(change bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.notified++
	if change && p.language.Probe == nil {
		p.doubt()
	}
	p.update()
}

// doubt keeps the errors as they are known before a change. Callers hold mu.
func (p *progress) doubt() {
	if !p.unsure {
		p.unsure, p.settled, p.since = true, maps.Clone(p.errors), time.Now()
	}
}

// found records the errors of one file, of which there may be none.
func (p *progress) found(path string, errors faults) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.errors.put(path, errors)
}

// everSure says whether the server has ever looked at all of a part for errors.
func (p *progress) everSure(of part) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.language.CheckTitle != "" && (!p.unsure || p.settled != nil) && !slices.ContainsFunc(p.strange, of.has)
}

// lastErrors are those of a part that there were when the server had last looked at everything.
func (p *progress) lastErrors(of part) Errors {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.unsure {
		return p.settled.within(of).list(p.language.ID)
	}
	return p.errors.within(of).list(p.language.ID)
}

func (p *progress) checking(t task) bool {
	return p.language.CheckTitle != "" && strings.HasPrefix(t.title, p.language.CheckTitle)
}

func (p *progress) loading(t task) bool {
	return p.language.LoadTitle != "" && t.title == p.language.LoadTitle
}

// update follows a change of the tasks. Callers hold mu.
func (p *progress) update() {
	if !p.strayed && p.quiet() && p.language.Probe == nil {
		p.strange = nil
		if p.unsure {
			p.unsure, p.settled, p.since = false, nil, time.Now()
			p.onCaughtUp()
		}
	}
	close(p.changed)
	p.changed = make(chan struct{})
}

// quiet says whether the server has loaded everything and looked at all that it was told. Callers hold mu.
func (p *progress) quiet() bool {
	return p.loads > 0 && len(p.awaited) == 0 && p.checks > p.notified && !p.busy()
}

// isCaughtUp says whether the server has looked at everything that it was told.
func (p *progress) isCaughtUp() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.quiet()
}

func (p *progress) busy() bool {
	for _, t := range p.running {
		if p.checking(t) || p.loading(t) {
			return true
		}
	}
	return false
}

// astray says whether the server looks at other texts than those of the disk.
func (p *progress) astray() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.strayed
}

// indexing says whether waiting helps to know a part, and returns a channel that is closed when that may have changed.
func (p *progress) indexing(of part) (bool, <-chan struct{}) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.stateLocked(of) == Indexing, p.changed
}

func (p *progress) stateLocked(of part) State {
	switch {
	case p.language.Probe != nil:
		return p.probedState()
	case p.language.LoadTitle == "":
		return Unknown
	case p.loads == 0 || slices.ContainsFunc(p.unloaded(), of.has):
		return Indexing
	case p.failureIn(of) != "":
		return Partial
	case p.language.CheckTitle == "":
		return Unknown
	case p.unsure || slices.ContainsFunc(p.strange, of.has):
		return Indexing
	case p.trouble != "" || len(p.errors.within(of)) > 0:
		return Partial
	}
	return Complete
}

// unloaded are the folders whose loading tasks have not ended.
func (p *progress) unloaded() []string {
	folders := slices.Clone(p.awaited)
	for _, t := range p.running {
		if p.loading(t) {
			folders = append(folders, t.folder)
		}
	}
	return folders
}

// failureIn is why a folder of a part was not loaded, "" if all were.
func (p *progress) failureIn(of part) string {
	for _, folder := range slices.Sorted(maps.Keys(p.failures)) {
		if of.has(folder) {
			return p.failures[folder]
		}
	}
	return p.failure
}

// completeness sums up what answers about a part are worth.
func (p *progress) completeness(of part) ServerCompleteness {
	p.mu.Lock()
	defer p.mu.Unlock()
	c := ServerCompleteness{Language: p.language.ID, State: p.stateLocked(of), Since: p.since}
	program := filepath.Base(p.language.Command[0])
	switch c.State {
	case Indexing:
		c.reason = program + " is still loading the project"
		if p.loads > 0 && !slices.ContainsFunc(p.unloaded(), of.has) || p.answered > 0 {
			c.reason = program + " is still checking what changed"
		}
		c.Done, c.Total = p.percent()
	case Unknown:
		c.reason = program + " does not tell whether it knows the whole project"
	case Partial:
		c.reason = program + " could not load the project: " + cmp.Or(p.failureIn(of), p.trouble)
		if p.failureIn(of) == "" && p.trouble == "" {
			c.reason = p.errors.within(of).describe(of.relative)
		}
	}
	return c.lacking(p.lacks)
}

// percent is the progress of the least advanced task that counts itself; 0 of 0 if none does.
func (p *progress) percent() (done, total int) {
	for _, t := range p.running {
		if t.percent > 0 && (total == 0 || int(t.percent) < done) {
			done, total = int(t.percent), 100
		}
	}
	return done, total
}
