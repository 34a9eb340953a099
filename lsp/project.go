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
)

// defaultReadyBudget is how long a View waits for the servers to know the project, unless told otherwise.
const defaultReadyBudget = 8 * time.Second

// Options configure a Project.
type Options struct {
	Root        string        // absolute path of the project's directory
	Languages   []Language    // nil: Languages()
	Env         []string      // environment of the servers, as KEY=value; nil: os.Environ()
	ReadyBudget time.Duration // how long a View waits for readiness; 0: 8 s

	ladder ladder // zero: patience()
}

// A Project is the language servers of one directory, shared by all callers. Safe for concurrent use.
// Goroutines: warm (one, and one for each wanted server, until they have started), follow and heed (one each), and
// those of the servers; Close waits for all of them.
// Lock order: walking, server.mu, documents.mu, progress.mu.
type Project struct {
	root   string
	env    []string
	budget time.Duration
	ladder ladder

	ctx     context.Context // ended by Close; bounds starts of servers
	cancel  context.CancelFunc
	running sync.WaitGroup
	servers []*server // one per language of the table, wanted or not

	walking sync.Mutex // held while the disk is compared and the servers are told
	disk    *disk

	plain plain

	telling sync.Mutex
	told    map[string]bool // paths that may have changed since the last walk
	news    chan struct{}   // capacity 1: FilesChanged was called

	unsynced atomic.Int64 // files that the last walk found too many to follow
}

// Open begins to serve the project. It returns at once: servers whose root markers exist start and load
// behind it. Call Close when done.
func Open(options Options) (*Project, error) {
	options.fill()
	if err := options.check(); err != nil {
		return nil, err
	}
	p := &Project{
		root:   filepath.Clean(options.Root),
		env:    options.Env,
		budget: options.ReadyBudget,
		ladder: options.ladder,
		told:   map[string]bool{},
		news:   make(chan struct{}, 1),
	}
	p.ctx, p.cancel = context.WithCancel(context.Background())
	p.disk = newDisk(p.root, options.Languages)
	for _, language := range options.Languages {
		p.servers = append(p.servers, newServer(p, &language))
	}
	watch := p.disk.watch // a walk may give it up
	p.running.Go(func() { p.heed(watch) })
	p.running.Go(p.warm)
	p.running.Go(p.follow)
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
	if o.ladder == (ladder{}) {
		o.ladder = patience()
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

// warm starts the servers that the project wants. What goes wrong shows in the first View.
func (p *Project) warm() {
	for _, s := range p.wanted() {
		p.running.Go(func() { s.live(p.ctx) })
	}
}

// Close ends all servers, by the ladder shutdown request, exit notification, end of input, SIGTERM, SIGKILL.
// When ctx ends the rest of the ladder is taken at once. It returns when no process and no goroutine is left.
func (p *Project) Close(ctx context.Context) error {
	p.cancel()
	var closing sync.WaitGroup
	for _, s := range p.servers {
		closing.Go(func() { s.close(ctx) })
	}
	closing.Wait()
	p.running.Wait()
	p.walking.Lock()
	defer p.walking.Unlock()
	p.disk.unwatch()
	return nil
}

// wanted returns the servers whose root markers exist now.
func (p *Project) wanted() []*server {
	var wanted []*server
	for _, s := range p.servers {
		if slices.ContainsFunc(s.language.RootMarkers, p.has) {
			wanted = append(wanted, s)
		}
	}
	return wanted
}

func (p *Project) has(name string) bool {
	return lies(p.root, name)
}

// Status describes the servers that the project wants.
func (p *Project) Status() []ServerStatus {
	var all []ServerStatus
	for _, s := range p.wanted() {
		all = append(all, s.status())
	}
	return all
}

// Completeness says how much an answer given now would be worth.
func (p *Project) Completeness() Completeness { return p.completeness(p.wanted()) }

func (p *Project) completeness(of []*server) Completeness {
	servers := make([]ServerCompleteness, 0, len(of))
	for _, s := range of {
		servers = append(servers, s.completeness())
	}
	return sum(servers, int(p.unsynced.Load()))
}

// WaitReady waits until the servers know the project, or ctx ends. The error is that of the first server
// which cannot: missing, or ended.
func (p *Project) WaitReady(ctx context.Context) error {
	wanted := p.wanted()
	if len(wanted) == 0 {
		return p.noLanguage()
	}
	p.sync(nil)
	for _, s := range wanted {
		if err := s.await(ctx); err != nil {
			return err
		}
	}
	return nil
}

func (p *Project) noLanguage() error {
	missing := &NoLanguageError{Root: p.root, Nested: p.nested()}
	missing.Join = p.joining(missing.Nested)
	for _, s := range p.servers {
		missing.Markers = append(missing.Markers, s.language.RootMarkers...)
	}
	return missing
}

// ViewOptions say for whom a View is made.
type ViewOptions struct {
	Dir      string             // where the caller works: the View is of the tree around it; "": the project's directory
	Budget   time.Duration      // how long its queries wait for servers to know the project; 0: the project's, negative: not at all
	Progress func(Completeness) // told while a query waits, from the goroutine of the query; must not block; nil: nobody is
}

// View prepares for the queries of one tool call: it syncs the servers with the disk, then waits for them to
// know the project, up to the budget. Queries after that are answered with what is known, and
// View.Completeness says what that is worth. The error, which has a hint, is for a project that no server
// can answer for.
func (p *Project) View(ctx context.Context, options ViewOptions) (*View, error) {
	wanted := p.wanted()
	if len(wanted) == 0 {
		return nil, p.noLanguage()
	}
	p.sync(nil)
	wait := options.Budget
	if wait == 0 {
		wait = p.budget
	}
	deadline := time.Now().Add(wait)
	budget, cancel := context.WithDeadlineCause(ctx, deadline, errBudget)
	defer cancel()
	var failures []error
	for _, s := range wanted {
		if err := s.await(budget); err != nil && !errors.Is(err, errBudget) {
			failures = append(failures, err)
		}
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if len(failures) == len(wanted) {
		return nil, failures[0]
	}
	v := &View{project: p, servers: wanted, deadline: deadline, worst: Completeness{State: Complete}}
	v.observe()
	return v, nil
}

var errBudget = errors.New("the language server is not ready")
