package recall

import (
	"context"
	"errors"
	"sync"
	"time"

	"tidepool/internal/recall/memory"
)

const (
	maxQueued = 256         // jobs that wait to be written
	learnWait = time.Minute // for one job
)

// A queue is what hooks leave to be written. One goroutine writes it, from newQueue to close.
type queue struct {
	jobs  chan job
	ended chan struct{}

	mu     sync.Mutex
	closed bool  // no job is taken any more
	lost   int   // drafts that were not kept, since the start
	recent int   // of them, since the last flush
	err    error // why, the last time
}

// A job is done in its turn. done, if it is not nil, is closed afterwards.
type job struct {
	do   func(context.Context) error // nil: nothing
	done chan struct{}
}

func newQueue() *queue {
	q := &queue{jobs: make(chan job, maxQueued), ended: make(chan struct{})}
	go q.run()
	return q
}

func (q *queue) run() {
	defer close(q.ended)
	for next := range q.jobs {
		if next.do != nil {
			ctx, cancel := context.WithTimeout(context.Background(), learnWait)
			if err := next.do(ctx); err != nil {
				q.lose(err)
			}
			cancel()
		}
		if next.done != nil {
			close(next.done)
		}
	}
}

var errFull = errors.New("too much waits to be written")

// put queues a job and does not wait. It reports whether there was room.
func (q *queue) put(j job) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.closed {
		return false
	}
	select {
	case q.jobs <- j:
		return true
	default:
		return false
	}
}

func (q *queue) lose(err error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.lost++
	q.recent++
	q.err = err
}

// flush waits until everything that is queued is written. The error is a *LostError if something was not kept since the last flush.
func (q *queue) flush(ctx context.Context) error {
	mark := job{done: make(chan struct{})}
	for !q.put(mark) {
		if q.isClosed() {
			mark.done = q.ended
			break
		}
		if err := sleep(ctx, time.Millisecond); err != nil {
			return err
		}
	}
	select {
	case <-mark.done:
	case <-ctx.Done():
		return ctx.Err()
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.recent == 0 {
		return nil
	}
	err := &LostError{q.recent, q.err}
	q.recent = 0
	return err
}

func (q *queue) isClosed() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.closed
}

// close writes what is queued, and ends the goroutine. The context ends the wait, and not the goroutine.
func (q *queue) close(ctx context.Context) error {
	q.mu.Lock()
	if !q.closed {
		q.closed = true
		close(q.jobs)
	}
	q.mu.Unlock()
	select {
	case <-q.ended:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// counts returns how many jobs wait, how many drafts were lost since the start, and why the last one was.
func (q *queue) counts() (queued, lost int, err error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	return len(q.jobs), q.lost, q.err
}

// sleep waits; the error is the context's.
func sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-t.C:
		return nil
	}
}

// Learn queues drafts, and never waits. What was forgotten before is not kept. What does not fit into the queue, or cannot be kept, is
// counted: see Status and Flush.
func (s *Store) Learn(drafts ...memory.Draft) {
	for _, d := range drafts {
		learn := func(ctx context.Context) error {
			_, err := s.keep(ctx, d, false)
			if err != nil {
				s.options.Log.Warn("a memory was not kept", "err", err)
			}
			return err
		}
		if !s.queue.put(job{do: learn}) {
			s.queue.lose(errFull)
		}
	}
}

// Flush waits until all that was learned is on the disk. The error is a *LostError if something could not be kept since the last Flush.
func (s *Store) Flush(ctx context.Context) error {
	if err := s.queue.flush(ctx); err != nil {
		return err
	}
	return s.db.Sync(ctx)
}
