package recollect

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"tidepool/internal/journal"
	"tidepool/internal/recall"
	"tidepool/internal/recall/extractor"
)

// retryAfter is how long a failure to open counts. A full disk or a directory without rights may be mended while the daemon runs.
const retryAfter = time.Minute

// An Opened is what is remembered, open.
type Opened struct {
	Store   *recall.Store // its project's
	Journal *journal.Journal
	// Extractor reads turns that have ended. nil: no model does.
	Extractor *extractor.Extractor
	// CatchUp reads what hooks did not deliver. nil: nobody does.
	CatchUp *CatchUp
	// Rest closes what the store uses, once it is closed.
	Rest []func()
	// Missing says what the settings name and cannot be used, for people.
	Missing []string
}

// close closes all of it.
func (o *Opened) close(ctx context.Context) error {
	if o.CatchUp != nil {
		o.CatchUp.Close()
	}
	if o.Extractor != nil {
		o.Extractor.Close() // which learns no more
	}
	err := errors.Join(o.Journal.Close(ctx), o.Store.Close(ctx))
	o.CloseRest()
	return err
}

// CloseRest closes what the store uses. Callers have closed the store.
func (o *Opened) CloseRest() {
	for _, end := range o.Rest {
		end()
	}
}

// An OffError means that the user has switched recall off.
type OffError struct{}

func (*OffError) Error() string { return "recall is off: recall.enabled is false" }

// Hint says how to switch it on.
func (*OffError) Hint() string { return "set recall.enabled to true in .tidepool/config.json" }

// errOpening means that the store is being opened, and that the caller does not wait longer.
var errOpening = errors.New("what is remembered is being opened")

// IsOpening reports whether an error says that what is remembered is being opened, so that it may be there in a moment.
func IsOpening(err error) bool { return errors.Is(err, errOpening) }

// errClosed means that the daemon is stopping.
var errClosed = errors.New("what is remembered is closed: the daemon is stopping")

// An Opener opens what is remembered at its first use, once. Goroutines: one while it opens, for which Close waits. Safe for
// concurrent use.
type Opener struct {
	open func(context.Context) (*Opened, error)
	off  atomic.Bool

	mu      sync.Mutex
	attempt *attempt // nil: nobody has asked
	closed  bool
	opening sync.WaitGroup
	cancel  context.CancelFunc // of the attempt
}

// An attempt is one try. Its fields are set when done is closed.
type attempt struct {
	done   chan struct{}
	opened *Opened
	err    error
	at     time.Time
}

// NewOpener returns an Opener. Its context ends when the Opener is closed.
func NewOpener(open func(context.Context) (*Opened, error)) *Opener { return &Opener{open: open} }

// Enable switches everything on or off, at once. What is open stays open.
func (o *Opener) Enable(on bool) { o.off.Store(!on) }

// Enabled reports whether it is switched on.
func (o *Opener) Enabled() bool { return !o.off.Load() }

// Get returns what is remembered, and opens it if nobody has. It waits at most until ctx ends. Its error says why there is none.
func (o *Opener) Get(ctx context.Context) (*Opened, error) {
	if !o.Enabled() {
		return nil, &OffError{}
	}
	a, err := o.begin()
	if err != nil {
		return nil, err
	}
	select {
	case <-a.done:
		return a.opened, a.err
	default:
	}
	select {
	case <-a.done:
		return a.opened, a.err
	case <-ctx.Done():
		return nil, errOpening
	}
}

// begin returns the present attempt, or a new one.
func (o *Opener) begin() (*attempt, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	switch {
	case o.closed:
		return nil, errClosed
	case o.attempt != nil && !o.attempt.isStale():
		return o.attempt, nil
	}
	a := &attempt{done: make(chan struct{})}
	ctx, cancel := context.WithCancel(context.Background())
	o.attempt, o.cancel = a, cancel
	o.opening.Go(func() {
		defer cancel()
		defer close(a.done)
		a.opened, a.err = o.open(ctx)
		a.at = time.Now()
	})
	return a, nil
}

// isStale reports whether the attempt has failed a while ago.
func (a *attempt) isStale() bool {
	select {
	case <-a.done:
		return a.err != nil && time.Since(a.at) >= retryAfter
	default:
		return false
	}
}

// Peek returns what is remembered if it is open. If nobody has asked for it yet, both results are nil.
func (o *Opener) Peek() (*Opened, error) {
	if !o.Enabled() {
		return nil, &OffError{}
	}
	o.mu.Lock()
	a := o.attempt
	o.mu.Unlock()
	if a == nil {
		return nil, nil
	}
	select {
	case <-a.done:
		return a.opened, a.err
	default:
		return nil, errOpening
	}
}

// Close closes what is remembered, if it is open. From then on Get fails.
func (o *Opener) Close(ctx context.Context) error {
	o.mu.Lock()
	o.closed = true
	a, cancel := o.attempt, o.cancel
	o.mu.Unlock()
	if a == nil {
		return nil
	}
	cancel()
	o.opening.Wait()
	if a.opened == nil {
		return nil
	}
	return a.opened.close(ctx)
}
