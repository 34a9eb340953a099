package session

import (
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"tidepool/internal/wording"
)

// Progress is what a server has said about its own work, and thereby how much its answers are worth.
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
type Progress struct {
	language *Language
	lacks    string // why answers are partial however much the server knows; "": for no such reason. Set before the server runs

	mu          sync.Mutex
	running     map[string]Task   // by token
	awaited     []string          // folders whose loading task has not begun, in the order in which the server was told
	loads       int               // loading tasks ended
	failures    map[string]string // what those that did not end well ended with, by folder
	failure     string            // with a Probe: what the last of them ended with, if not well
	checks      int               // checking tasks begun
	notified    int               // notifications sent, each of which begins a check
	unsure      bool              // something changed since the errors were last complete
	doubted     []string          // while unsure: paths of what changed, each in a part that may have other errors now; nil: any part may
	strange     []string          // folders that came since then
	trouble     string            // what kept the server from loading part of the project since
	overlaid    bool              // the server looks at other texts than those of the disk
	diagnostics Diagnostics       // as the server has reported them so far
	settled     Diagnostics       // while unsure: what they were when they were last complete; nil: never yet
	asked       int               // probes made necessary: one by the start, one by each structural change
	answered    int               // asked when the last probe that has ended began
	ended       map[string]int    // with a Probe: how many tasks have ended, by title
	since       time.Time         // of the last change between indexing and not
	first       firstReport
	changed     chan struct{} // closed and replaced at every change
	onCaughtUp  func()        // called when the server has looked at everything; must not block
}

// A Task is one piece of work that the server has begun and not ended.
type Task struct {
	Title   string
	folder  string // of a loading task
	message string
	percent float64
}

// A firstReport is what tasks of a title have reported first since somebody began to look for it.
type firstReport struct{ title, message string }

// LookForReport forgets what was reported first.
func (p *Progress) LookForReport(title string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.first = firstReport{title: title}
}

// FirstReport returns the first message that a task has reported since LookForReport was called with its title; "" if none has.
func (p *Progress) FirstReport() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.first.message
}

func newProgress(language *Language) *Progress {
	return &Progress{
		language:    language,
		running:     map[string]Task{},
		diagnostics: Diagnostics{},
		failures:    map[string]string{},
		unsure:      true,
		asked:       1,
		ended:       map[string]int{},
		since:       time.Now(),
		changed:     make(chan struct{}),
		onCaughtUp:  func() {},
	}
}

func (p *Progress) begin(token string, t Task) {
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

func (p *Progress) report(token, message string, percent float64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	t, ok := p.running[token]
	if !ok {
		return
	}
	t.message, t.percent = message, percent
	p.running[token] = t
	if p.first.title == t.Title && p.first.message == "" {
		p.first.message = message
	}
}

func (p *Progress) end(token, message string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	t, ok := p.running[token]
	if !ok {
		return
	}
	delete(p.running, token)
	if _, known := p.ended[t.Title]; p.language.Probe != nil && (known || len(p.ended) < titlesKept) {
		p.ended[t.Title]++
	}
	if p.loading(t) {
		p.loads++
		delete(p.failures, t.folder)
		if p.language.LoadEnd != "" && message != p.language.LoadEnd {
			p.failures[t.folder] = wording.OneLine(message)
		}
	}
	p.update()
}

// expect says that the server has been told of folders, each of which it loads.
func (p *Progress) expect(folders []string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.expectLocked(folders)
}

func (p *Progress) expectLocked(folders []string) {
	if p.language.LoadTitle != "" {
		p.awaited = append(p.awaited, folders...)
		p.strange = append(p.strange, folders...)
	}
	p.update()
}

// MoveFolders counts the notification of folders that come or go; it must be called before the notification is sent.
func (p *Progress) MoveFolders(come, gone []string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.notified++
	for _, folder := range gone {
		delete(p.failures, folder)
	}
	p.expectLocked(come)
}

// CountNotification counts a notification that begins a check; it must be called before the notification is sent. The
// paths are those of what is another one afterwards; opening an unchanged file changes nothing.
func (p *Progress) CountNotification(changed ...string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.notified++
	switch {
	case len(changed) == 0 || p.language.Probe != nil:
	case slices.ContainsFunc(changed, func(path string) bool { return !p.language.Reads(path) }):
		p.doubt(nil) // a manifest, such as a go.work, may count in checkouts below it
	default:
		p.doubt(changed)
	}
	p.update()
}

// pathsKept bounds the paths of what changed. Beyond it every part is in doubt.
const pathsKept = 100

// doubt keeps the errors as they are known before a change of these paths, of anything if there are none. Callers hold mu.
func (p *Progress) doubt(changed []string) {
	switch {
	case !p.unsure:
		p.unsure, p.settled, p.since = true, maps.Clone(p.diagnostics), time.Now()
		p.doubted = slices.Clone(changed)
	case p.doubted != nil:
		p.doubted = append(p.doubted, changed...)
	}
	if len(changed) == 0 || len(p.doubted) > pathsKept {
		p.doubted = nil
	}
}

// doubts reports whether the errors of a part may be other ones than those known. Callers hold mu.
func (p *Progress) doubts(of Part) bool {
	return p.unsure && (p.doubted == nil || slices.ContainsFunc(p.doubted, of.has)) || slices.ContainsFunc(p.strange, of.has)
}

// found records the errors of one file, of which there may be none.
func (p *Progress) found(path string, errors FileErrors) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.diagnostics.put(path, errors)
}

// WasComplete reports whether the server has ever looked at all of a part for errors.
func (p *Progress) WasComplete(of Part) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.language.CheckTitle != "" && (!p.unsure || p.settled != nil) && !slices.ContainsFunc(p.strange, of.has)
}

// LastErrors returns those of a part that there were when the server had last looked at everything.
func (p *Progress) LastErrors(of Part) Errors {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.unsure {
		return p.settled.within(of).list(p.language.ID)
	}
	return p.diagnostics.within(of).list(p.language.ID)
}

func (p *Progress) checking(t Task) bool {
	return p.language.CheckTitle != "" && strings.HasPrefix(t.Title, p.language.CheckTitle)
}

func (p *Progress) loading(t Task) bool {
	return p.language.LoadTitle != "" && t.Title == p.language.LoadTitle
}

// update follows a change of the tasks. Callers hold mu.
func (p *Progress) update() {
	if !p.overlaid && p.quiet() && p.language.Probe == nil {
		p.strange = nil
		if p.unsure {
			p.unsure, p.doubted, p.settled, p.since = false, nil, nil, time.Now()
			p.onCaughtUp()
		}
	}
	close(p.changed)
	p.changed = make(chan struct{})
}

// quiet reports whether the server has loaded everything and looked at all that it was told. Callers hold mu.
func (p *Progress) quiet() bool {
	return p.loads > 0 && len(p.awaited) == 0 && p.checks > p.notified && !p.busy()
}

// IsCaughtUp reports whether the server has looked at everything that it was told.
func (p *Progress) IsCaughtUp() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.quiet()
}

func (p *Progress) busy() bool {
	for _, t := range p.running {
		if p.checking(t) || p.loading(t) {
			return true
		}
	}
	return false
}

// Indexing reports whether waiting helps to know a part, and returns a channel that is closed when that may have changed.
func (p *Progress) Indexing(of Part) (bool, <-chan struct{}) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.stateLocked(of) == Indexing, p.changed
}

// SetTrouble takes note of trouble that lasts until somebody recovers from it.
func (p *Progress) SetTrouble(trouble string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.trouble = trouble
	p.update()
}

// ClearTrouble forgets the trouble and says whether there was any.
func (p *Progress) ClearTrouble() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	had := p.trouble != ""
	p.trouble = ""
	return had
}

// Overlaid reports whether the server looks at other texts than those of the disk.
func (p *Progress) Overlaid() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.overlaid
}

// setOverlaid says whether the server looks at other texts than those of the disk. While it does, what it finds does not
// count: the errors known are those of before.
func (p *Progress) setOverlaid(yes bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.overlaid != yes {
		p.overlaid = yes
		p.update()
	}
}
