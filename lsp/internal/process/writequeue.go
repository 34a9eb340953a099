package process

import (
	"errors"
	"io"
	"sync"
)

// WriteQueueLimit is how many bytes may wait for a reader that does not read. Far above any one document; a reader so far
// behind is stuck.
const WriteQueueLimit = 64 << 20

// ErrStuck is the error of a write when too much waits.
var ErrStuck = errors.New("it has stopped reading its input")

// A WriteQueue queues what is written to a program's standard input, or to another stream, so that a reader that does not
// read blocks no writer: contexts cannot interrupt a write to a pipe. When a write fails, or too much waits, the queue
// calls broken, once.
// Goroutines: pump (one), which ends after Close or the first failed write.
type WriteQueue struct {
	mu      sync.Mutex
	queue   []byte
	writing int   // bytes that pump has taken and not written
	err     error // why nothing more is accepted
	closing bool
	broken  func()
	now     func(p []byte) (taken int) // writes what the stream takes without waiting; nil: nothing
	wake    chan struct{}              // capacity 1: the queue or closing has changed
	done    chan struct{}              // closed when pump has ended
}

// NewWriteQueue returns a queue that writes to stdin, and closes it in the end.
func NewWriteQueue(stdin io.WriteCloser, broken func()) *WriteQueue {
	q := &WriteQueue{broken: broken, now: withoutWaiting(stdin), wake: make(chan struct{}, 1), done: make(chan struct{})}
	go q.pump(stdin)
	return q
}

// Write writes what the stream takes at once, which saves a request the way over pump, and queues the rest. It never
// blocks. What goes wrong with the stream shows when pump writes.
func (q *WriteQueue) Write(p []byte) (int, error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	switch {
	case q.err != nil:
		return 0, q.err
	case q.closing:
		return 0, io.ErrClosedPipe
	case q.writing+len(q.queue)+len(p) > WriteQueueLimit:
		q.fail(ErrStuck)
		return 0, q.err
	}
	taken := 0
	if q.now != nil && q.writing+len(q.queue) == 0 { // else it would come before what waits
		taken = q.now(p)
	}
	if taken < len(p) {
		q.queue = append(q.queue, p[taken:]...)
		q.signal()
	}
	return len(p), nil
}

// Close closes the stream once everything queued is written. It does not wait for that.
func (q *WriteQueue) Close() error {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.closing = true
	q.signal()
	return nil
}

// Done is closed when nothing more will be written, and the stream is closed.
func (q *WriteQueue) Done() <-chan struct{} { return q.done }

func (q *WriteQueue) signal() {
	select {
	case q.wake <- struct{}{}:
	default:
	}
}

func (q *WriteQueue) pump(stdin io.WriteCloser) {
	defer close(q.done)
	defer stdin.Close()
	for range q.wake {
		q.mu.Lock()
		batch, last := q.queue, q.closing
		q.queue, q.writing = nil, len(batch)
		q.mu.Unlock()
		if _, err := stdin.Write(batch); err != nil {
			q.mu.Lock()
			q.fail(err)
			q.mu.Unlock()
			return
		}
		if last {
			return
		}
		q.mu.Lock()
		q.writing = 0
		q.mu.Unlock()
	}
}

// fail refuses everything from now on. Callers hold mu.
func (q *WriteQueue) fail(err error) {
	if q.err == nil && !q.closing {
		q.broken()
	}
	q.err, q.queue = err, nil
}

// Waiting returns how many bytes have not been written yet.
func (q *WriteQueue) Waiting() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	return len(q.queue) + q.writing
}
