package lsp

import (
	"context"
	"errors"
	"fmt"
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

// defaultReadyBudget is how long a View waits for the servers to know the project, unless told otherwise.
const defaultReadyBudget = 8 * time.Second

// defaultGrace is how long a server may take for an answer that does not know the project when it is asked. gopls v0.23
// answers nothing before it has loaded the project, for which it may have to compile C for minutes.
const defaultGrace = 5 * time.Second

// Options configure a Project.
type Options struct {
	Root         string        // absolute path of the project's directory
	Languages    []Language    // nil: Languages()
	Env          []string      // environment of the servers, as KEY=value; nil: os.Environ()
	ReadyBudget  time.Duration // how long the queries of a View wait for readiness; 0: 8 s
	ProcessLimit int           // how many servers run at the same time; 0: 8
	IdleTimeout  time.Duration // a server that nobody has asked for so long is stopped until somebody does; 0: never
	DraftIdle    time.Duration // the same of a server for drafts; 0: never
	MemoryLimit  int64         // bytes; a server whose processes occupy more is restarted when nobody waits for it; 0: none
	Trust        Trust         // says what of the project may be run; nil: everything
	Ledger       string        // path of a file that names the servers that run; those that it names at first are ended; "": there is none
	Events       func(Event)   // told what became of servers without anybody asking; must not block; nil: nobody is

	ladder session.Ladder // zero: patience()
	pulse  time.Duration  // how often memory, idleness and silence are looked at; 0: defaultPulse
	grace  time.Duration  // how long a server that is at work may take for the answers to one View; 0: defaultGrace
	answer time.Duration  // how long one that knows the project may take for one answer; 0: defaultAnswer

	silence time.Duration // how long one may say nothing when an answer was given up; 0: defaultSilence
}

// A Project is the language servers of one directory and of the linked git worktrees of its repository, shared by all
// callers. Safe for concurrent use.
// Goroutines: warm (one, and one for each wanted server, until they have started), follow and guard (one each), heed
// (one for each tree), one for each server that is stopped while the project lives, and those of the servers; Close
// waits for all of them.
// Lock order: tree.walking, server.mu, documents.mu, then progress.mu, tree.mu or mu.
type Project struct {
	languages []Language
	env       []string
	budget    time.Duration
	grace     time.Duration
	answer    time.Duration
	ladder    session.Ladder
	limits    limits
	trust     Trust // nil: everything may run
	ledger    *process.Ledger
	scratch   *process.Scratch // for the temporary files of servers
	events    func(Event)

	ctx     context.Context // ended by Close; bounds starts of servers
	cancel  context.CancelFunc
	running sync.WaitGroup

	revision atomic.Int64  // the last one given to a file
	walked   chan struct{} // closed when the project's directory was walked for the first time
	news     chan struct{} // capacity 1: FilesChanged was called
	caughtUp chan struct{} // capacity 1: a server has looked at everything
	slots    *slots        // for running servers

	main  *tree
	plain text.ASCII

	mu        sync.Mutex
	trees     []*tree // main first
	servers   []*server
	checkouts *checkouts // nil: the project is in no repository
}

// Open begins to serve the project. It returns at once: servers of the languages that the project has start and load
// behind it. Call Close when done.
func Open(options Options) (*Project, error) {
	options.fill()
	if err := options.check(); err != nil {
		return nil, err
	}
	p := &Project{
		languages: options.Languages,
		env:       options.Env,
		budget:    options.ReadyBudget,
		grace:     options.grace,
		answer:    options.answer,
		ladder:    options.ladder,
		events:    options.Events,
		trust:     options.Trust,
		walked:    make(chan struct{}),
		news:      make(chan struct{}, 1),
		caughtUp:  make(chan struct{}, 1),
		slots:     newSlots(options.ProcessLimit),
		checkouts: checkoutsAround(filepath.Clean(options.Root)),
	}
	p.limits = limits{
		idle: options.IdleTimeout, draft: options.DraftIdle, memory: options.MemoryLimit, silence: options.silence, pulse: options.pulse,
	}
	p.ledger = process.OpenLedger(options.Ledger)
	p.scratch = process.NewScratch(session.TemporaryDir(p.env))
	p.ctx, p.cancel = context.WithCancel(context.Background())
	p.main = p.open(filepath.Clean(options.Root))
	p.running.Go(p.warm)
	p.running.Go(p.follow)
	p.running.Go(p.guard)
	return p, nil
}

// fill puts defaults in the place of zero values.
func (o *Options) fill() {
	if o.Languages == nil {
		o.Languages = Languages()
	}
	if o.Env == nil {
		o.Env = os.Environ()
	}
	if o.ReadyBudget == 0 {
		o.ReadyBudget = defaultReadyBudget
	}
	if o.ProcessLimit == 0 {
		o.ProcessLimit = defaultProcessLimit
	}
	if o.Events == nil {
		o.Events = func(Event) {}
	}
	if o.ladder == (session.Ladder{}) {
		o.ladder = session.DefaultLadder()
	}
	if o.grace == 0 {
		o.grace = defaultGrace
	}
	if o.answer == 0 {
		o.answer = defaultAnswer
	}
	if o.silence == 0 {
		o.silence = defaultSilence
	}
	if o.pulse == 0 {
		o.pulse = defaultPulse
	}
}

func (o *Options) check() error {
	if !filepath.IsAbs(o.Root) {
		return fmt.Errorf("project directory %q is not absolute", o.Root)
	}
	info, err := os.Stat(o.Root)
	if err != nil {
		return fmt.Errorf("project directory: %w", err)
	}
	if !info.IsDir() {
		return fmt.Errorf("project directory %s is a file", o.Root)
	}
	for _, language := range o.Languages {
		if len(language.Command) == 0 || language.Command[0] == "" {
			return fmt.Errorf("language %s has no command", language.ID)
		}
	}
	return nil
}

// warm removes what was left behind and starts the servers that the project's directory wants. What goes wrong shows in
// the first View.
func (p *Project) warm() {
	p.scratch.Sweep()
	wanted := p.main.wanted()
	close(p.walked)
	for _, s := range wanted {
		if p.main.of(s.language).marked {
			p.running.Go(func() { s.live(p.ctx) })
		}
	}
}

// Close ends all servers, by the ladder shutdown request, exit notification, end of input, SIGTERM, SIGKILL.
// When ctx ends the rest of the ladder is taken at once. It returns when no process and no goroutine is left.
func (p *Project) Close(ctx context.Context) error {
	p.mu.Lock()
	p.cancel()
	p.mu.Unlock()
	var closing sync.WaitGroup
	for _, s := range p.allServers() {
		closing.Go(func() { s.close(ctx) })
	}
	closing.Wait()
	p.running.Wait()
	for _, t := range p.allTrees() {
		t.close()
	}
	p.scratch.Close()
	return nil
}

// server returns the one that serves a language of a tree: of all trees if it can, else only of this one.
func (p *Project) server(language *Language, t *tree) *server {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, s := range p.servers {
		if s.language == language && s.serves(t) { // not one for drafts: those have languages of their own
			return s
		}
	}
	made := newServer(p, language, t)
	if p.ctx.Err() != nil {
		made.closed = true
	}
	p.servers = append(p.servers, made)
	return made
}

// serversOf returns the servers that a tree has so far.
func (p *Project) serversOf(t *tree) []*server {
	return slices.DeleteFunc(p.allServers(), func(s *server) bool { return !s.serves(t) })
}

func (p *Project) allServers() []*server {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.servers)
}

func (p *Project) allTrees() []*tree {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.trees)
}

// Completeness returns how much an answer given now about the project's directory would be worth. Servers that were stopped
// because nobody asks do not count: Unknown if there are no others.
func (p *Project) Completeness() Completeness {
	return p.main.completeness(slices.DeleteFunc(p.main.begun(), (*server).rests))
}

// completeness returns that of answers about the tree from these servers.
func (t *tree) completeness(of []*server) Completeness {
	servers := make([]ServerCompleteness, 0, len(of))
	for _, s := range of {
		servers = append(servers, s.completeness(t))
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	return sum(servers, t.unsynced)
}

// WaitReady waits until the servers know the project's directory, or ctx ends. Those that are started only when they
// are asked are not waited for. The error is that of the first server which cannot: missing, or ended.
func (p *Project) WaitReady(ctx context.Context) error {
	p.main.sync()
	wanted := p.main.wanted()
	if len(wanted) == 0 {
		return p.main.noLanguage()
	}
	var failure error
	for _, s := range p.main.eager(wanted) {
		if err := s.await(ctx, p.main, nil); failure == nil {
			failure = err
		}
	}
	return failure
}

// noLanguage returns why nobody can answer about the tree.
func (t *tree) noLanguage() error {
	return &NoLanguageError{Root: t.root, Languages: t.project.languages}
}

// ViewOptions say for whom a View is made.
type ViewOptions struct {
	Dir      string             // where the caller works: the View is of the tree around it; "": the project's directory
	Budget   time.Duration      // how long its queries wait for servers, in all; 0: the project's, negative: not for any that is at work
	Progress func(Completeness) // told while a query waits; must not block; nil: nobody is
}

// View prepares for the queries of one tool call: it syncs the servers with the disk. Each query waits for the servers
// that it asks, up to the budget, is then answered with what is known, and View.Completeness says what that is worth. The
// budget is one for all queries. A server that knows the project has the project's time for an answer if the caller has not
// said how long it waits.
// The error, which has a hint, is for a tree that no server can answer for.
func (p *Project) View(ctx context.Context, options ViewOptions) (*View, error) {
	if err := ctx.Err(); err != nil {
		return nil, context.Cause(ctx)
	}
	t := p.treeAt(options.Dir)
	t.sync()
	wanted := t.wanted()
	if len(wanted) == 0 {
		return nil, t.noLanguage()
	}
	var obstacles []error
	for _, s := range wanted {
		if err := s.obstacle(); err != nil {
			obstacles = append(obstacles, err)
		}
	}
	if len(obstacles) == len(wanted) {
		return nil, obstacles[0]
	}
	budget := options.Budget
	if budget == 0 {
		budget = p.budget
	}
	v := newView(t, wanted, max(0, leaveTime(ctx, budget)), options.Progress)
	if end, bounded := ctx.Deadline(); bounded { // half of what is left then is for the answer
		v.overtime = min(v.overtime, max(0, end.Sub(v.deadline)/2))
	}
	if options.Budget != 0 {
		v.hold(options.Budget)
	}
	return v, nil
}

// leaveTime returns what of a budget leaves the caller time for an answer before ctx ends: 2 s, or half of a short time.
func leaveTime(ctx context.Context, budget time.Duration) time.Duration {
	end, bounded := ctx.Deadline()
	if !bounded {
		return budget
	}
	left := time.Until(end)
	return min(budget, left-min(2*time.Second, left/2))
}

// treeAt returns the tree around a directory, opened if it is not yet.
func (p *Project) treeAt(dir string) *tree {
	root := p.rootAt(dir)
	p.mu.Lock()
	defer p.mu.Unlock()
	at := slices.IndexFunc(p.trees, func(t *tree) bool { return t.root == root })
	if at < 0 {
		return p.open(root)
	}
	t := p.trees[at]
	t.used()
	return t
}

// open opens a tree. Callers hold mu.
func (p *Project) open(root string) *tree {
	t := newTree(p, root)
	p.trees = append(p.trees, t)
	if p.ctx.Err() == nil {
		watch := t.disk.Watch() // a walk may give it up
		p.running.Go(func() { t.heed(watch) })
	}
	return t
}

// rootAt returns the root of the tree around a directory: the project's unless it is in another worktree.
func (p *Project) rootAt(dir string) string {
	if p.checkouts == nil || dir == "" || dir == p.main.root {
		return p.main.root
	}
	root := p.checkouts.treeOf(p.main.absolute(dir))
	if root == "" || sameFile(root, p.main.root) {
		return p.main.root
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

// foreign returns a function that says whether a path lies in another checkout than the tree.
func (t *tree) foreign() func(path string) bool {
	p := t.project
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.checkouts == nil {
		return func(string) bool { return false }
	}
	p.checkouts.refresh()
	tops := p.checkouts.tops
	own := topAround(tops, t.root)
	return func(path string) bool {
		top := topAround(tops, path)
		return top != "" && top != own
	}
}

var errBudget = errors.New("the language server is not ready")
