package analysis

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"runtime"
	"sync"
	"time"

	"tidepool/internal/memory"
)

// Options are how a [Client] runs its process. The zero value is that of a program that serves it when it is started with
// [Subcommand].
type Options struct {
	Program  []string      // the program to start, with its arguments; nil: this one with Subcommand
	Kept     string        // the directory, which package state has checked, in which facts outlive the process; "": they do not
	Limit    int64         // bytes that the process may occupy; 0: 1.5 GB
	Idle     time.Duration // how long the process lives without a question; 0: 90 s
	Patience time.Duration // how long a question waits for its answer; 0: a minute
}

func (o Options) defaults() (Options, error) {
	o.Limit = cmp.Or(o.Limit, 1500<<20)
	o.Idle = cmp.Or(o.Idle, 90*time.Second)
	o.Patience = cmp.Or(o.Patience, time.Minute)
	if o.Program != nil {
		return o, nil
	}
	if runtime.GOOS == "linux" {
		o.Program = []string{"/proc/self/exe", Subcommand} // even if another one has taken its place
		return o, nil
	}
	path, err := os.Executable()
	o.Program = []string{path, Subcommand}
	return o, err
}

// A Client asks the analysis process, which it owns: it starts the process at the first question, and again at the first one
// after its end. Get one by [New]. Safe for concurrent use.
//
// Goroutines: those of a [run] for as long as its process lives. Close waits for all of them.
type Client struct {
	options Options
	ends    sync.WaitGroup // goroutines of runs

	mu     sync.Mutex // guards what follows and what runs say that it does
	run    *run       // nil: there is no process
	closed bool
	failed uint64 // the walk that has met a failure last; 0: none
	why    *Failure
}

// New returns a client, which starts nothing yet.
func New(o Options) (*Client, error) {
	o, err := o.defaults()
	if err != nil {
		return nil, fmt.Errorf("finding the program that analyses packages: %w", err)
	}
	return &Client{options: o}, nil
}

// Memory returns the bytes that the process occupies, shared ones included; 0: there is no process.
func (c *Client) Memory() int64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.run == nil {
		return 0
	}
	return memory.Resident(context.Background(), c.run.process.Cmd.Process.Pid)
}

// GiveWay ends the process if nobody waits for an answer, and reports whether there was one. The next question starts another.
func (c *Client) GiveWay() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.run == nil || len(c.run.pending) > 0 {
		return false
	}
	c.run.end(nil)
	return true
}

// Close ends the process, and fails the questions that wait for it.
func (c *Client) Close() {
	c.mu.Lock()
	c.closed = true
	if c.run != nil {
		c.run.end(closed())
	}
	c.mu.Unlock()
	c.ends.Wait()
}

// A question is a request before it has a number.
type question struct {
	op      Op
	tree    Tree
	of      any
	partial bool // one that is cancelled is answered as far as the process came
}

// ask sends a question and waits for its answer. A walk that has met a failure meets it again at once: its questions are
// much the same. Without a client every question fails.
func (c *Client) ask(ctx context.Context, q question, answer any) error {
	if c == nil {
		return notStarted(errors.New("there is none"))
	}
	of, err := json.Marshal(q.of)
	if err != nil {
		return fmt.Errorf("asking the analysis process: %w", err)
	}
	v, id, answered, err := c.begin(q.tree.Walk)
	if err != nil {
		return err
	}
	v.send(Request{ID: id, Op: q.op, Walk: q.tree.Walk, Sources: q.tree.Sources, Dirs: q.tree.Dirs, Near: q.tree.Near, Of: of})
	r, err := c.await(ctx, q, func() { v.send(Request{ID: id, Cancel: true}) }, answered)
	switch {
	case err != nil:
		return err
	case r.failure != nil:
		return c.note(q.tree.Walk, r.failure)
	case r.Error != "":
		return fmt.Errorf("type-checking the packages: %s", r.Error)
	}
	if err := json.Unmarshal(r.Answer, answer); err != nil {
		return fmt.Errorf("reading an answer of the analysis process: %w", err)
	}
	return nil
}

// begin registers a question with the process, which is started if there is none.
func (c *Client) begin(walk uint64) (*run, int, <-chan outcome, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case c.closed:
		return nil, 0, nil, closed()
	case walk != 0 && walk == c.failed:
		return nil, 0, nil, c.why
	}
	if c.run == nil {
		started, err := c.start()
		if err != nil {
			return nil, 0, nil, notStarted(err)
		}
		c.run = started
	}
	id, answered := c.run.register()
	return c.run, id, answered, nil
}

// await waits for the outcome of a question for as long as its asker, and the client, have patience. An asker whose time is over has
// met a failure, one who has left has not.
func (c *Client) await(ctx context.Context, q question, cancel func(), answered <-chan outcome) (outcome, error) {
	began := time.Now()
	patience := time.NewTimer(c.options.Patience)
	defer patience.Stop()
	select {
	case r := <-answered:
		return r, nil
	case <-ctx.Done():
		cancel()
		if q.partial {
			return <-answered, nil
		}
		if errors.Is(context.Cause(ctx), context.DeadlineExceeded) {
			return outcome{failure: tooSlow(time.Since(began).Round(time.Millisecond))}, nil
		}
		return outcome{}, fmt.Errorf("type-checking the packages: %w", context.Cause(ctx))
	case <-patience.C:
		cancel()
		return outcome{failure: tooSlow(c.options.Patience)}, nil
	}
}

// note remembers that a walk has met a failure.
func (c *Client) note(walk uint64, why *Failure) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.failed, c.why = walk, why
	return why
}
