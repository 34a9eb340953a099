package lsp

import (
	"context"
	"errors"
	"maps"
	"slices"
	"time"

	"tidepool/lsp/internal/draft"
	"tidepool/lsp/internal/session"
	"tidepool/lsp/internal/workspace"
)

// A Draft is a change that is tried out: in a session of the language's server that is there for nothing else, so that
// no text of it reaches the disk, a client, or the session that answers queries. It must be closed. Not safe for
// concurrent use; other callers wait for their drafts of the same language and tree until it is closed.
type Draft struct {
	view    *View
	server  *workspace.Server
	release func()                 // lets the server be stopped again
	session *session.Session       // the one that knows the disk as the changes suppose it; nil: none does
	before  session.Diagnostics    // the errors that it finds there
	files   map[string]draft.File  // those changed so far, by path
	reach   []string               // files to look at that the server leaves out by itself
	reached func(path string) bool // says which of those it looks at
}

// Draft begins a draft of changes to sources of a language, given by its ID. It starts the server for it if none runs,
// and waits, within the budget of the View and its overtime, until that knows the tree as it is on the disk. The error,
// which has a hint, says why there can be none.
func (v *View) Draft(ctx context.Context, language string) (*Draft, error) {
	s, err := v.drafter(language)
	if err != nil {
		return nil, err
	}
	ctx, cancel := v.untilDrafted(v.counted(ctx))
	defer cancel()
	if err := s.TakeDraft(ctx); err != nil {
		if errors.Is(err, errBudget) {
			err = &workspace.StartingError{Command: s.Name(), Reason: "tries other changes out"}
		}
		return nil, err
	}
	d := &Draft{view: v, server: s, release: s.Hold(), files: map[string]draft.File{}, reached: workspace.Nowhere}
	if err := d.begin(ctx); err != nil {
		d.Close()
		if errors.Is(err, errBudget) {
			err = &workspace.StartingError{Command: s.Name(), Reason: "is loading the project for drafts"}
		}
		return nil, err
	}
	return d, nil
}

// draftGrace is how much longer than the budget a View waits for a server that has to hear of changes before a draft, if its
// caller has not said how long it waits.
const draftGrace = 2 * time.Second

// untilDrafted bounds the start of a draft.
func (v *View) untilDrafted(ctx context.Context) (context.Context, context.CancelFunc) {
	allowed := time.Duration(0)
	if v.patient {
		allowed = max(time.Until(v.deadline.Add(v.overtime)), min(v.answer, draftGrace))
	}
	return context.WithTimeoutCause(ctx, allowed, errBudget)
}

// drafter returns the server that drafts of a language are made in.
func (v *View) drafter(language string) (*workspace.Server, error) {
	at := slices.IndexFunc(v.wanted, func(s *workspace.Server) bool { return s.Language.ID == language })
	if at < 0 {
		return nil, &session.DraftError{Language: language, Reason: "no language server of this project reads it"}
	}
	of := v.wanted[at].Language
	if of.Drafting == nil {
		return nil, &session.DraftError{Language: of.Name, Reason: of.Program() + " does not look for errors in files that are not open"}
	}
	return v.project.workspace.DraftServer(of, v.tree), nil
}

// begin brings the session in step with the disk and finds the errors there. If they are known it does not wait for the
// server to have done with what the last draft has taken back.
func (d *Draft) begin(ctx context.Context) error {
	if live, before := d.server.DraftBaseline(); before != nil && len(d.reach) == 0 {
		d.session, d.before = live, before
		return nil
	}
	live, err := d.server.Ready(ctx, d.view.part(), nil)
	if err != nil {
		return err
	}
	if reason := live.Progress.Obstacle(d.view.part()); reason != "" {
		return &session.DraftError{Language: d.server.Language.Name, Reason: reason}
	}
	if len(d.reach) > 0 {
		if d.reached, err = d.server.Language.Drafting.Reach(ctx, live, d.reach); err != nil {
			return live.Because(ctx, err)
		}
	}
	if d.before, err = live.CheckDraft(ctx); err != nil {
		return err
	}
	d.session = live
	if len(d.reach) == 0 {
		d.server.KeepBaseline(live, d.before)
	}
	return nil
}

func everywhere(string) bool { return true }

// Try makes edits on top of those of earlier calls and returns the errors of the whole tree that are then new against
// the text on the disk, sorted by path and place. Places are those of the text on the disk: an error in what an edit
// puts in is at the edit's start. An error that was there before is known by its message and its place, wherever edits
// have moved it. If ctx ends, or anything else goes wrong, the server gets the text of the disk back, these edits do
// not count, and the next call starts from there.
func (d *Draft) Try(ctx context.Context, edits []Edit) ([]Problem, error) {
	ctx = d.view.counted(ctx)
	files, err := d.with(edits)
	if err != nil {
		return nil, err
	}
	allowed := d.view.allowed(ctx)
	ctx, cancel := context.WithTimeoutCause(ctx, allowed, &SlowError{After: allowed})
	defer cancel()
	now, err := d.look(ctx, files)
	if err != nil {
		d.withdraw()
		return nil, err
	}
	d.files = files
	return draft.Fresh(d.before, now, files), nil
}

// look returns the errors that the server finds in the tree with the changes.
func (d *Draft) look(ctx context.Context, files map[string]draft.File) (session.Diagnostics, error) {
	d.view.tree.Sync()
	if d.session == nil || !d.server.Knows(d.session) {
		if err := d.begin(ctx); err != nil {
			return nil, err
		}
	}
	if err := d.session.ShowDraft(d.texts(files)); err != nil {
		return nil, d.session.Because(ctx, err)
	}
	return d.session.CheckDraft(ctx)
}

// texts returns the changed files as the server is to see them.
func (d *Draft) texts(files map[string]draft.File) session.Buffers {
	texts := session.Buffers{}
	for path, f := range files {
		texts[path] = session.Buffer{Language: d.server.Language.LanguageIDOf(path), Text: f.Text()}
	}
	return texts
}

// with returns the changed files after some more edits.
func (d *Draft) with(edits []Edit) (map[string]draft.File, error) {
	files := maps.Clone(d.files)
	for path, f := range files {
		if err := f.CheckDisk(path); err != nil {
			return nil, err
		}
	}
	for _, e := range edits {
		e.Path = d.view.tree.Absolute(e.Path)
		if !d.server.Language.Reads(e.Path) || !d.view.tree.Inside(e.Path) || d.view.foreign(e.Path) {
			return nil, &NoServerError{Path: e.Path, Elsewhere: d.view.foreign(e.Path)}
		}
		f, err := files[e.Path].With(e)
		if err != nil {
			return nil, err
		}
		files[e.Path] = f
	}
	return files, nil
}

// Reach has the next calls of Try look, besides what the server loads by itself, at source files for other platforms: at
// the whole tree for up to two of them, chosen by the first files. Loading one takes a moment, and each makes every call
// slower. Errors that only such a platform has end in its name, " [windows]". Which files are reached Sees says after
// the next Try.
func (d *Draft) Reach(paths ...string) {
	if d.server.Language.Drafting.Reach == nil {
		return
	}
	for _, path := range paths {
		path = d.view.tree.Absolute(path)
		if !d.server.Checks(d.view.tree, path, d.reached) && d.server.Checks(d.view.tree, path, everywhere) {
			d.reach = append(d.reach, path)
			d.session = nil
		}
	}
}

// Sees reports whether errors in a source file would be found: the server loads it, and it has none on the disk, which may
// hide others. A relative path is below the tree's root.
func (d *Draft) Sees(path string) bool {
	path = d.view.tree.Absolute(path)
	return d.server.Checks(d.view.tree, path, d.reached) && d.before[path].Count == 0
}

// Close undoes the changes and lets the next caller make a draft. What goes wrong ends the session.
func (d *Draft) Close() {
	if d.release == nil {
		return
	}
	d.withdraw()
	d.release()
	d.release = nil
	d.server.ReleaseDraft()
}

// withdraw gives the server the text of the disk back.
func (d *Draft) withdraw() {
	if live := d.server.Living(); live != nil {
		live.WithdrawDraft()
	}
	d.session = nil
}

// An Edit replaces a part of a file by another text.
type Edit = draft.Edit
