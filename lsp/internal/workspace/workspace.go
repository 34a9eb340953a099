package workspace

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"tidepool/lsp/internal/process"
	"tidepool/lsp/internal/session"
	"tidepool/lsp/internal/text"
)

// Options say how a workspace is served. Nothing is filled in.
type Options struct {
	Root         string // absolute
	Languages    []session.Language
	Env          []string // of the servers, as KEY=value
	ProcessLimit int      // how many servers run at the same time
	Limits       Limits
	StopTimeouts session.StopTimeouts // by which servers are ended
	Grace        time.Duration        // how long a question about the disk waits for the turn of a client
	Trust        Trust                // nil: everything may run
	Ledger       string               // path; "": there is none
	Events       func(Event)
	FileLimit    int // how many files of a tree are followed; 0: disk.Limit
}

// A Workspace is one directory and the linked git worktrees of its repository, each a tree, and the language servers that
// serve them. Safe for concurrent use.
//
// Goroutines: warm (one, and one for each wanted server, until they have started), follow and guard (one each), heed
// (one for each tree), one for each server that is stopped while the workspace lives, and those of the servers; Close
// waits for all of them.
// Lock order: tree.walking, server.mu, documents.mu of a session, then its progress, tree.mu or mu.
type Workspace struct {
	Languages    []session.Language
	env          []string
	grace        time.Duration
	stopTimeouts session.StopTimeouts
	limits       Limits
	trust        Trust // nil: everything may run
	ledger       *process.Ledger
	scratch      *process.Scratch // for the temporary files of servers
	events       func(Event)
	files        int // how many files of a tree are followed; 0: disk.Limit

	ctx     context.Context // ended by Close; bounds starts of servers
	cancel  context.CancelFunc
	running sync.WaitGroup

	revision atomic.Int64  // the last one given to a file
	walked   chan struct{} // closed when the directory was walked for the first time
	news     chan struct{} // capacity 1: FilesChanged was called
	caughtUp chan struct{} // capacity 1: a server has looked at everything
	slots    *slots        // for running servers

	Main     *Tree
	NonASCII text.NonASCII

	mu        sync.Mutex
	trees     []*Tree // main first
	servers   []*Server
	checkouts *checkouts // nil: the directory is in no repository
}

// Open begins to serve a workspace. It returns at once: the servers that the directory wants start and load behind
// it. Call Close when done.
func Open(o Options) *Workspace {
	w := &Workspace{
		Languages:    o.Languages,
		env:          o.Env,
		grace:        o.Grace,
		stopTimeouts: o.StopTimeouts,
		limits:       o.Limits,
		events:       o.Events,
		files:        o.FileLimit,
		trust:        o.Trust,
		walked:       make(chan struct{}),
		news:         make(chan struct{}, 1),
		caughtUp:     make(chan struct{}, 1),
		slots:        newSlots(o.ProcessLimit),
		checkouts:    checkoutsAround(filepath.Clean(o.Root)),
		ledger:       process.OpenLedger(o.Ledger),
		scratch:      process.NewScratch(session.TemporaryDir(o.Env)),
	}
	w.ctx, w.cancel = context.WithCancel(context.Background())
	w.Main = w.open(filepath.Clean(o.Root))
	w.running.Go(w.warm)
	w.running.Go(w.follow)
	w.running.Go(w.guard)
	return w
}

// Close ends all servers, by shutdown request, exit notification, end of input, SIGTERM, SIGKILL.
// When ctx ends the remaining steps are taken at once. It returns when no process and no goroutine is left.
func (w *Workspace) Close(ctx context.Context) error {
	w.mu.Lock()
	w.cancel()
	w.mu.Unlock()
	var closing sync.WaitGroup
	for _, s := range w.Servers() {
		closing.Go(func() { s.close(ctx) })
	}
	closing.Wait()
	w.running.Wait()
	for _, t := range w.allTrees() {
		t.Close()
	}
	w.scratch.Close()
	return nil
}

// warm removes what was left behind and starts the servers that the project's directory wants. What goes wrong shows in
// the first View.
func (w *Workspace) warm() {
	w.scratch.Sweep()
	wanted := w.Main.Wanted()
	close(w.walked)
	for _, s := range wanted {
		if w.Main.Of(s.Language).marked {
			w.running.Go(func() { s.Live(w.ctx) })
		}
	}
}

// ServerOf returns the one that serves a language of a tree: of all trees if it can, else only of this one.
func (w *Workspace) ServerOf(language *session.Language, t *Tree) *Server {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, s := range w.servers {
		if s.Language == language && s.serves(t) { // not one for drafts: those have languages of their own
			return s
		}
	}
	made := NewServer(w, language, t)
	if w.ctx.Err() != nil {
		made.closed = true
	}
	w.servers = append(w.servers, made)
	return made
}

// serversOf returns the servers that a tree has so far.
func (w *Workspace) serversOf(t *Tree) []*Server {
	return slices.DeleteFunc(w.Servers(), func(s *Server) bool { return !s.serves(t) })
}

func (w *Workspace) Servers() []*Server {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.servers)
}

func (w *Workspace) allTrees() []*Tree {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.trees)
}

// TreeAt returns the tree around a directory, opened if it is not yet.
func (w *Workspace) TreeAt(dir string) *Tree {
	root := w.RootAt(dir)
	w.mu.Lock()
	defer w.mu.Unlock()
	at := slices.IndexFunc(w.trees, func(t *Tree) bool { return t.Root == root })
	if at < 0 {
		return w.open(root)
	}
	t := w.trees[at]
	t.used()
	return t
}

// open opens a tree. Callers hold mu.
func (w *Workspace) open(root string) *Tree {
	t := newTree(w, root)
	w.trees = append(w.trees, t)
	if w.ctx.Err() == nil {
		watch := t.disk.Watch() // a walk may give it up
		w.running.Go(func() { t.heed(watch) })
	}
	return t
}

// RootAt returns the root of the tree around a directory: the project's unless it is in another worktree.
func (w *Workspace) RootAt(dir string) string {
	if w.checkouts == nil || dir == "" || dir == w.Main.Root {
		return w.Main.Root
	}
	root := w.checkouts.treeOf(w.Main.Absolute(dir))
	if root == "" || sameFile(root, w.Main.Root) {
		return w.Main.Root
	}
	return root
}

// sameFile reports whether two paths lead to the same file.
func sameFile(a, b string) bool {
	if a == b {
		return true
	}
	inA, errA := os.Stat(a)
	inB, errB := os.Stat(b)
	return errA == nil && errB == nil && os.SameFile(inA, inB)
}

// Foreign returns a function that says whether a path lies in another checkout than the tree.
func (t *Tree) Foreign() func(path string) bool {
	p := t.Workspace
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.checkouts == nil {
		return func(string) bool { return false }
	}
	p.checkouts.refresh()
	tops := p.checkouts.tops
	own := topAround(tops, t.Root)
	return func(path string) bool {
		top := topAround(tops, path)
		return top != "" && top != own
	}
}
