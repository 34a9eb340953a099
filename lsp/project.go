package lsp

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"tidepool/lsp/internal/session"
	"tidepool/lsp/internal/workspace"
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
	MemoryLimit  int64         // bytes; a server whose processes have grown above it is restarted when nobody waits for it; 0: none
	MemoryBudget int64         // bytes that this program and all that it has started may occupy; beyond that servers give way; 0: any
	GiveWay      func() bool   // beyond the budget, has what the program has started beside the servers end, where nobody waits for it, and reports whether it had any; nil: it has none
	Trust        Trust         // says what of the project may be run; nil: everything
	Ledger       string        // path of a file that names the servers that run; those that it names at first are ended; "": there is none
	Events       func(Event)   // told what became of servers without anybody asking; must not block; nil: nobody is

	stopTimeouts session.StopTimeouts // zero: the default of package session
	interval     time.Duration        // how often memory, idleness and hanging are checked; 0: workspace.DefaultInterval
	grace        time.Duration        // how long a server that is at work may take for the answers to one View; 0: defaultGrace
	answer       time.Duration        // how long one that knows the project may take for one answer; 0: defaultAnswer

	hangTimeout time.Duration // how long one may send nothing once a caller has given up; 0: workspace.DefaultHangTimeout
	files       int           // how many files of a tree are followed; 0: disk.Limit
}

// A Project is the language servers of one directory and of the linked git worktrees of its repository, shared by all
// callers. Safe for concurrent use.
type Project struct {
	workspace *workspace.Workspace
	budget    time.Duration // how long the queries of a View wait for readiness
	grace     time.Duration // how long a server that is at work may take for the answers to one View
	answer    time.Duration // how long one that knows the project may take for one answer
}

// Open begins to serve the project. It returns at once: servers of the languages that the project has start and load
// behind it. Call Close when done.
func Open(options Options) (*Project, error) {
	options.fill()
	if err := options.check(); err != nil {
		return nil, err
	}
	w := workspace.Open(workspace.Options{
		Root: options.Root, Languages: options.Languages, Env: options.Env, ProcessLimit: options.ProcessLimit,
		Limits: workspace.Limits{
			Idle: options.IdleTimeout, Draft: options.DraftIdle, Memory: options.MemoryLimit, Budget: options.MemoryBudget, GiveWay: options.GiveWay, HangTimeout: options.hangTimeout, Interval: options.interval,
		},
		StopTimeouts: options.stopTimeouts, Grace: options.grace, Trust: options.Trust, Ledger: options.Ledger, Events: options.Events, FileLimit: options.files,
	})
	return &Project{workspace: w, budget: options.ReadyBudget, grace: options.grace, answer: options.answer}, nil
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
		o.ProcessLimit = workspace.DefaultProcessLimit
	}
	if o.Events == nil {
		o.Events = func(Event) {}
	}
	if o.stopTimeouts == (session.StopTimeouts{}) {
		o.stopTimeouts = session.DefaultStopTimeouts()
	}
	if o.grace == 0 {
		o.grace = defaultGrace
	}
	if o.answer == 0 {
		o.answer = defaultAnswer
	}
	if o.hangTimeout == 0 {
		o.hangTimeout = workspace.DefaultHangTimeout
	}
	if o.interval == 0 {
		o.interval = workspace.DefaultInterval
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

// Close ends all servers, by shutdown request, exit notification, end of input, SIGTERM, SIGKILL.
// When ctx ends the remaining steps are taken at once. It returns when no process and no goroutine is left.
func (p *Project) Close(ctx context.Context) error {
	p.workspace.Close(ctx)
	return nil
}

// FilesChanged says that files may have changed, even if their times do not show it. Relative paths are below the
// project's directory. It returns at once; the servers are told behind it, and by the next View at the latest.
func (p *Project) FilesChanged(paths ...string) { p.workspace.FilesChanged(paths...) }

// TrustChanged has the servers run as the project's trust is now: those for which it matters are ended and started again.
// It returns at once.
func (p *Project) TrustChanged() { p.workspace.TrustChanged() }

// Held lists, for people, what does not run because the project is not trusted, as far as the language servers that it wants
// are concerned, and the ids of its languages. Both are nil while the project's directory has not been walked for the first
// time, for which it waits until ctx ends.
func (p *Project) Held(ctx context.Context) (held, languages []string) { return p.workspace.Held(ctx) }

// Status describes the servers that the project's trees want, those of the project's directory first, and then those
// for drafts that run.
func (p *Project) Status() []ServerStatus { return p.workspace.Status() }

// Memory measures what this program and all that it has started occupy.
func (p *Project) Memory(ctx context.Context) MemoryUsage { return p.workspace.Memory(ctx) }

// Completeness returns how much an answer given now about the project's directory would be worth. Servers that were stopped
// because nobody asks do not count: Unknown if there are no others.
func (p *Project) Completeness() Completeness {
	return completenessOf(p.workspace.Main, slices.DeleteFunc(p.workspace.Main.Begun(), (*workspace.Server).Rests))
}

// completenessOf returns that of answers about the tree from these servers.
func completenessOf(t *workspace.Tree, of []*workspace.Server) Completeness {
	servers := make([]ServerCompleteness, 0, len(of))
	for _, s := range of {
		servers = append(servers, s.Completeness(t))
	}
	return sum(servers, t.Unsynced())
}

// WaitReady waits until the servers know the project's directory, or ctx ends. Those that are started only when they
// are asked are not waited for. The error is that of the first server which cannot: missing, or ended.
func (p *Project) WaitReady(ctx context.Context) error {
	p.workspace.Main.Sync()
	wanted := p.workspace.Main.Wanted()
	if len(wanted) == 0 {
		return noLanguage(p.workspace.Main)
	}
	var failure error
	for _, s := range p.workspace.Main.Eager(wanted) {
		if err := s.Await(ctx, p.workspace.Main, nil); failure == nil {
			failure = err
		}
	}
	return failure
}

// noLanguage returns why nobody can answer about the tree.
func noLanguage(t *workspace.Tree) error {
	return &NoLanguageError{Root: t.Root, Languages: t.Workspace.Languages}
}

// ViewOptions say for whom a View is made.
type ViewOptions struct {
	Dir      string             // where the caller works: the View is of the tree around it; "": the project's directory
	Budget   time.Duration      // how long its queries wait for servers, in all; 0: the project's, negative: not for any that is at work
	Strict   bool               // the budget is for all answers, too, also those of servers that know the project
	Progress func(Completeness) // told while a query waits; must not block; nil: nobody is
}

// View prepares for the queries of one tool call: it syncs the servers with the disk. Each query waits for the servers
// that it asks, up to the budget, is then answered with what is known, and View.Completeness says what that is worth. The
// budget is one for all queries. A server that knows the project has the project's time for an answer if the
// caller has not said how long it waits, or what is left of the budget if it is strict.
// The error, which has a hint, is for a tree that no server can answer for.
func (p *Project) View(ctx context.Context, options ViewOptions) (*View, error) {
	if err := ctx.Err(); err != nil {
		return nil, context.Cause(ctx)
	}
	begin := time.Now()
	t := p.workspace.TreeAt(options.Dir)
	t.SyncWhole()
	wanted := t.Wanted()
	if len(wanted) == 0 {
		return nil, noLanguage(t)
	}
	var obstacles []error
	for _, s := range wanted {
		if err := s.Obstacle(); err != nil {
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
	v := newView(p, t, wanted, max(0, leaveTime(ctx, budget)), options.Progress)
	v.deadline = time.Now().Add(max(0, remaining(ctx, budget, begin)))
	if end, bounded := ctx.Deadline(); bounded { // half of what is left then is for the answer
		v.overtime = min(v.overtime, max(0, end.Sub(v.deadline)/2))
	}
	switch {
	case options.Budget != 0:
		v.hold(budget)
	case options.Strict:
		v.holdAll()
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

// remaining is leaveTime of what is left of a budget that counts from begin: half of it at least.
func remaining(ctx context.Context, budget time.Duration, begin time.Time) time.Duration {
	return leaveTime(ctx, budget-min(time.Since(begin), max(0, budget/2)))
}

var errBudget = errors.New("the language server is not ready")
