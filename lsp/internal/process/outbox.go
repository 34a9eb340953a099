package process

import (
	"errors"
	"io"
	"sync"
)

// OutboxLimit is how many bytes may wait for a reader that does not read. Far above any one document; a reader so far
// behind is stuck.
const OutboxLimit = 64 << 20

// ErrStuck is the error of a write when too much waits.
var ErrStuck = errors.New("it has stopped reading its input")

// An Outbox is what we write to a program's standard input, or to another stream, queued, so that one which does not read
// holds up nobody: contexts cannot interrupt a write to a pipe. When a write fails, or too much waits, broken is
// called, once.
// Goroutines: pump (one), which ends after Close or the first failed write.
type Outbox struct {
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

// NewOutbox returns an outbox that writes to stdin, and closes it in the end.
func NewOutbox(stdin io.WriteCloser, broken func()) *Outbox {
	o := &Outbox{broken: broken, now: withoutWaiting(stdin), wake: make(chan struct{}, 1), done: make(chan struct{})}
	go o.pump(stdin)
	return o
}

// Write writes what the stream takes at once, which saves a request the way over pump, and queues the rest. It never
// blocks. What goes wrong with the stream shows when pump writes.
func (o *Outbox) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	switch {
	case o.err != nil:
		return 0, o.err
	case o.closing:
		return 0, io.ErrClosedPipe
	case o.writing+len(o.queue)+len(p) > OutboxLimit:
		o.fail(ErrStuck)
		return 0, o.err
	}
	taken := 0
	if o.now != nil && o.writing+len(o.queue) == 0 { // else it would come before what waits
		taken = o.now(p)
	}
	if taken < len(p) {
		o.queue = append(o.queue, p[taken:]...)
		o.signal()
	}
	return len(p), nil
}

// Close closes the stream once everything queued is written. It does not wait for that.
func (o *Outbox) Close() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.closing = true
	o.signal()
	return nil
}

// Done is closed when nothing more will be written, and the stream is closed.
func (o *Outbox) Done() <-chan struct{} { return o.done }

func (o *Outbox) signal() {
	select {
	case o.wake <- struct{}{}:
	default:
	}
}

func (o *Outbox) pump(stdin io.WriteCloser) {
	defer close(o.done)
	defer stdin.Close()
	for range o.wake {
		o.mu.Lock()
		batch, last := o.queue, o.closing
		o.queue, o.writing = nil, len(batch)
		o.mu.Unlock()
		if _, err := stdin.Write(batch); err != nil {
			o.mu.Lock()
			o.fail(err)
			o.mu.Unlock()
			return
		}
		if last {
			return
		}
		o.mu.Lock()
		o.writing = 0
		o.mu.Unlock()
	}
}

// fail refuses everything from now on. Callers hold mu.
func (o *Outbox) fail(err error) {
	if o.err == nil && !o.closing {
		o.broken()
	}
	o.err, o.queue = err, nil
}

// Waiting returns how many bytes have not been written yet.
func (o *Outbox) Waiting() int {
	o.mu.Lock()
	defer o.mu.Unlock()
	return len(o.queue) + o.writing
}
