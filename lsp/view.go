package lsp

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"go.lsp.dev/protocol"

	"tidepool/internal/wording"
	"tidepool/lsp/internal/session"
	"tidepool/lsp/internal/text"
	"tidepool/lsp/internal/workspace"
)

// A View is what one tool call asks through: a tree as it was on the disk when the View was made. Of a Location given
// to a query only Path and Range.Start matter; Path may be relative to the tree. What queries find in other checkouts
// is left out. Every query starts a server that has ended. Safe for concurrent use.
type View struct {
	project  *Project
	tree     *workspace.Tree
	revision int64 // of the tree when the View was made
	wanted   []*workspace.Server
	foreign  func(path string) bool
	deadline time.Time     // end of the budget for waiting
	patient  bool          // there is one
	overtime time.Duration // how much longer, in all, servers have for what they were asked by then
	answer   time.Duration // how long a server that knows the tree may take for one answer
	strict   bool          // the deadline, with the overtime, ends all answers, also those of servers that know the tree
	timedOut timedOut      // what is not asked again
	report   func(Completeness)
	requests atomic.Int64

	mu       sync.Mutex
	late     []*session.Session  // those that were waited for until the deadline: what they find out afterwards is not waited for
	asked    []*workspace.Server // also those that are still waited for
	observed []*workspace.Server // those whose state counts: they were asked something, or could not be
	worst    Completeness
	last     Completeness // what report was told last
	lacked   []string     // what the answers lack for other reasons, each once

	mentions [][]workspace.Mention // of the names that were asked about, each with at least one
	read     map[string]bool       // paths of files that the caller has read itself
}

// newView returns a View with a budget for waiting, which is not negative.
func newView(p *Project, t *workspace.Tree, wanted []*workspace.Server, budget time.Duration, report func(Completeness)) *View {
	return &View{
		project: p, tree: t, revision: t.Newest(), wanted: wanted, foreign: t.Foreign(), report: report,
		deadline: time.Now().Add(budget), patient: budget > 0, overtime: overtimeOf(budget, p.grace), answer: max(p.answer, budget),
		worst: Completeness{State: Complete},
	}
}

// part returns what the View sees of a server.
func (v *View) part() session.Part {
	return session.Part{Foreign: v.foreign, Relative: v.tree.Relative}
}

// Root returns the directory of the tree: the project's, or that of a worktree.
func (v *View) Root() string { return v.tree.Root }

// Completeness returns the worst that was seen of the servers that were asked, from the first question to each of them on
// until now. If none was asked yet it is that of all that may be.
func (v *View) Completeness() Completeness {
	v.update()
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.worst.lacking(slices.Concat(v.unread(), v.lacked))
}

// now returns the completeness of some servers at this moment, of all that may be asked if there are none.
func (v *View) now(of []*workspace.Server) Completeness {
	if len(of) == 0 {
		of = v.tree.Begun()
	}
	return completenessOf(v.tree, of)
}

// update lowers the completeness to that of the observed servers now.
func (v *View) update() {
	v.mu.Lock()
	of := slices.Clone(v.observed)
	v.mu.Unlock()
	now := v.now(of)
	v.mu.Lock()
	defer v.mu.Unlock()
	v.worst = worse(v.worst, now)
}

// observe starts counting a server's state toward the completeness of the answers. Until then a query is still waiting for
// the server.
func (v *View) observe(s *workspace.Server) {
	v.mu.Lock()
	if !slices.Contains(v.observed, s) {
		v.observed = append(v.observed, s)
	}
	v.mu.Unlock()
	v.update()
}

// misses makes the answers those of a server at work: it did not answer, and may have ended its work since. why is in the reason then.
func (v *View) misses(s *workspace.Server, why error) {
	v.observe(s)
	v.mu.Lock()
	of := slices.Clone(v.observed)
	v.mu.Unlock()
	now := v.now(of)
	if its := &now.Servers[slices.Index(of, s)]; its.State != Indexing {
		its.State, its.Reason = Indexing, wording.OneLine(why.Error())
		now = sum(now.Servers, now.UnsyncedFiles)
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	v.worst = worse(v.worst, now)
}

// reportProgress reports how far the servers are, if that has changed.
func (v *View) reportProgress() {
	if v.report == nil {
		return
	}
	v.mu.Lock()
	of := slices.Clone(v.asked)
	v.mu.Unlock()
	now := v.now(of)
	v.mu.Lock()
	defer v.mu.Unlock()
	if now.State == Indexing && !now.looksLike(v.last) {
		v.last = now
		v.report(now)
	}
}

// lacks records that an answer was cut.
func (v *View) lacks(reason string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if !slices.Contains(v.lacked, reason) && !strings.Contains(v.worst.Reason, reason) {
		v.lacked = append(v.lacked, reason)
	}
}

// ask takes note that an answer depends on a server, which lives on until done is called.
func (v *View) ask(s *workspace.Server) (done func()) {
	v.mu.Lock()
	if !slices.Contains(v.asked, s) {
		v.asked = append(v.asked, s)
	}
	v.mu.Unlock()
	release := s.Hold()
	return func() {
		v.observe(s)
		release()
	}
}

// Deadline is when the budget for waiting ends.
func (v *View) Deadline() time.Time { return v.deadline }

// session returns the session of a server, told of all changes and aware of the whole tree, or, when the View's budget
// is spent, as far as it is. What the server is about to be asked is worth what it knows now.
func (v *View) session(ctx context.Context, s *workspace.Server) (*session.Session, error) {
	if live := s.UpToDate(v.part()); live != nil {
		v.observe(s)
		return live, nil
	}
	budget, cancel := context.WithDeadlineCause(ctx, v.deadline, errBudget)
	read := v.readWords(budget, s)
	defer func() { cancel(); <-read }()
	_, ready := s.Ready(budget, v.part(), v.reportProgress)
	if ready != nil && !errors.Is(ready, errBudget) {
		return nil, ready
	}
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	defer v.observe(s)
	live, err := v.atOnce(ctx, s)
	if ready != nil && err == nil {
		v.leave(live)
	}
	return live, err
}

// atOnce returns the session as it is now.
func (v *View) atOnce(ctx context.Context, s *workspace.Server) (*session.Session, error) {
	over, cancel := context.WithDeadlineCause(ctx, v.deadline.Add(v.overtime), errBudget)
	defer cancel()
	if live, err := s.Current(over); !errors.Is(err, errBudget) {
		return live, err
	}
	return s.Now()
}

// Await waits for the server of a file as a query about the file does, for an answer that rests on what an earlier one
// was told.
func (v *View) Await(ctx context.Context, path string) error {
	s, err := v.serverOf(v.tree.Absolute(path))
	if err != nil {
		return err
	}
	v.mu.Lock()
	observed := slices.Contains(v.observed, s)
	v.mu.Unlock()
	if observed { // and waited for by that query
		return nil
	}
	defer v.ask(s)()
	_, err = v.session(ctx, s)
	return err
}

// serverOf returns the server that reads a file.
func (v *View) serverOf(path string) (*workspace.Server, error) {
	at := slices.IndexFunc(v.wanted, func(s *workspace.Server) bool { return s.Language.Reads(path) })
	if at < 0 && !v.tree.Inside(path) {
		at = slices.IndexFunc(v.wanted, func(s *workspace.Server) bool { return s.Language.System != nil && s.Language.System(path) })
	}
	if at < 0 || v.foreign(path) {
		return nil, &NoServerError{Path: path, Elsewhere: v.foreign(path)}
	}
	return v.wanted[at], nil
}

// target is where a query goes. done must be called when it has its answer.
type target struct {
	server  *workspace.Server
	session *session.Session
	view    *View
	path    string
	place   protocol.TextDocumentPositionParams
	seen    text.Files // the texts that this query has read
	name    string     // the identifier at the place
	done    func()
	origin  Location // where what is named is declared, if the place is a use of it in another root; else zero
}

// query asks the session of a target, within bounds. About a file that the server knows only as a part of others it answers
// nothing.
func query[R any](ctx context.Context, to target, method string, params any) (R, error) {
	if apart := to.server.Language.Apart; apart != nil && apart(to.session, to.path) {
		var nothing R
		return nothing, nil
	}
	ctx, done := to.view.bound(ctx, to.session, method)
	result, err := session.Ask[R](ctx, to.session, method, params)
	err = to.view.excuse(to.session, err)
	done(err)
	return result, err
}

// document finds the server of a file and has it open the file.
func (v *View) document(ctx context.Context, path string) (target, error) {
	s, err := v.serverOf(path)
	if err != nil {
		return target{}, err
	}
	done := v.ask(s)
	live, err := v.session(ctx, s)
	if err == nil {
		err = live.Because(ctx, live.PrepareFor(path, func() bool { return s.Checks(v.tree, path, workspace.Nowhere) }))
	}
	if err != nil {
		done()
		return target{}, err
	}
	return target{server: s, session: live, view: v, path: path, seen: text.NewFiles(&v.project.workspace.NonASCII), done: done}, nil
}

// aim opens the file of a location and converts the position for the wire, unless ctx is over.
func (v *View) aim(ctx context.Context, at Location) (target, error) {
	if ctx.Err() != nil {
		return target{}, context.Cause(ctx)
	}
	path := v.tree.Absolute(at.Path)
	to, err := v.document(ctx, path)
	if err != nil {
		return target{}, err
	}
	content := to.text()
	to.name = text.WordAt(content.Line(at.Range.Start.Line-1), at.Range.Start.Column-1)
	to.place = protocol.TextDocumentPositionParams{
		TextDocument: protocol.TextDocumentIdentifier{URI: text.URI(path)},
		Position:     content.Wire(at.Range.Start),
	}
	return to, nil
}

// text returns that of the target's file, as its server has it.
func (t target) text() text.Text {
	held, ok := t.session.Documents.LinesOnDisk(t.path)
	if !ok {
		return t.seen.Of(t.path)
	}
	t.seen.Put(t.path, held)
	return held
}

// within leaves out what lies in other checkouts, or in files that are gone, which a server may still list.
func (v *View) within(list []Location) []Location {
	return slices.DeleteFunc(list, func(at Location) bool { return !v.has(at.Path) })
}

// has reports whether there is such a file that is part of the tree, or of none. One that the last walk has found is there.
func (v *View) has(path string) bool {
	if v.foreign(path) {
		return false
	}
	_, found := v.Revision(path)
	return found || !vanished(path)
}
