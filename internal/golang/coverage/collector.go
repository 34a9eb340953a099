package coverage

import (
	"cmp"
	"context"
	"slices"
	"sync"
	"time"
)

// A Measure runs each test of packages, which are absolute directories of a module, alone. In its own goroutine it reports what each
// test ran, and which it could not measure. cpu is the processor time that it took. An error means that it could do nothing.
type Measure func(
	ctx context.Context, module string, packages []string, each func(Result), failed func(Failure),
) (cpu time.Duration, err error)

// Options configures a Collector.
type Options struct {
	Measure Measure
	Dir     string // of the files that it keeps, made with the first of them; "": none
	// Allowed says why nothing of a module may run, or nil; it is asked before each package. nil: everything may.
	Allowed func(module string) error
	Limit   time.Duration // of processor time for one module; 0: 10 minutes
}

// maxModules bounds the modules that are in memory.
const maxModules = 16

// A Collector measures modules in the background and keeps the records. Close must be called. It is safe for concurrent use.
//
// Goroutines: one, from the first question until Close, which waits for it. It measures one package after the other: first those
// that somebody waits for, then the others of the module that was asked about last.
type Collector struct {
	options Options
	ctx     context.Context
	cancel  context.CancelFunc
	working sync.WaitGroup
	wake    chan struct{}   // holds one: there may be something to do
	reading chan *statCache // holds the one there is, unless a tree is being read

	store store

	mu      sync.Mutex // never held while anything is measured, read or written
	started bool
	modules []*module // the one that was asked about last comes first
	urgent  []task
	current *measuring    // nil: nothing is being measured
	settled chan struct{} // closed, and made anew, when a package waits no longer or a module was looked at
	trouble error         // why the latest record could not be kept
}

// A module is what is known of one.
type module struct {
	dir, path string // path: what it is called by those who import it; "" until it is read
	surveyed  bool
	taken     uint64            // the number of the reading that states are of; 0: it was not read
	problem   error             // why it cannot be read
	states    map[string]*state // by absolute directory of the package
	later     []string          // directories to measure when nobody waits for others
	spent     time.Duration
}

// A state is what is known of the tests of one package.
type state struct {
	key     string  // of what they depend on, when that was looked at last
	record  *record // the latest; nil: there is none
	failed  string  // the key for which there can be none
	reason  string  // why
	waiting bool    // to be measured, or being measured
	again   bool    // its files changed while it was measured, once since it waits
}

func (s *state) fresh() bool { return s.record != nil && s.record.Key == s.key }

// due reports whether measuring the package would add anything.
func (s *state) due() bool { return !s.fresh() && s.failed != s.key }

// A task is a package to measure; without a directory, a module to look at.
type task struct {
	of     *module
	dir    string
	urgent bool
}

// A measuring is the task at hand.
type measuring struct {
	task
	cancel context.CancelCauseFunc
}

// New returns a Collector. It does nothing before the first question.
func New(options Options) *Collector {
	options.Limit = cmp.Or(options.Limit, 10*time.Minute)
	c := &Collector{
		options: options, store: newStore(options.Dir), wake: make(chan struct{}, 1), reading: make(chan *statCache, 1),
		settled: make(chan struct{}),
	}
	c.ctx, c.cancel = context.WithCancel(context.Background())
	c.reading <- &statCache{known: make(map[string]*file)}
	return c
}

// Close stops measuring and waits for the end.
func (c *Collector) Close() {
	c.mu.Lock()
	c.cancel() // nobody starts the goroutine any more
	c.mu.Unlock()
	c.working.Wait()
}

// allowed returns why nothing of a module may run, or nil.
func (c *Collector) allowed(module string) error {
	if c.options.Allowed == nil {
		return nil
	}
	return c.options.Allowed(module)
}

// Want starts to measure a module in the background, once, if that is allowed. It does not wait.
func (c *Collector) Want(dir string) {
	if c.allowed(dir) != nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.module(dir)
	c.start()
}

// module returns what is known of a module, as the one that was asked about last. Called with mu held.
func (c *Collector) module(dir string) *module {
	at := slices.IndexFunc(c.modules, func(m *module) bool { return m.dir == dir })
	m := &module{dir: dir, states: make(map[string]*state)}
	if at >= 0 {
		m = c.modules[at]
		c.modules = slices.Delete(c.modules, at, at+1)
	}
	c.modules = slices.Insert(c.modules, 0, m)
	c.modules = c.modules[:min(len(c.modules), maxModules)]
	return m
}

// start wakes the goroutine. Called with mu held.
func (c *Collector) start() {
	if !c.started && c.ctx.Err() == nil {
		c.started = true
		c.working.Go(c.work)
	}
	select {
	case c.wake <- struct{}{}:
	default:
	}
}

// read reads the tree of a module.
func (c *Collector) read(ctx context.Context, dir string) (*tree, error) {
	select {
	case files := <-c.reading:
		defer func() { c.reading <- files }()
		return readTree(ctx, dir, files)
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// settle says that a package waits no longer. Called with mu held.
func (c *Collector) settle(s *state) {
	s.waiting, s.again = false, false
	c.announce()
}

// announce wakes those who wait for something to be settled. Called with mu held.
func (c *Collector) announce() {
	close(c.settled)
	c.settled = make(chan struct{})
}
