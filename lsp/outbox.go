package lsp

import (
	"errors"
	"io"
	"sync"
)

// outboxLimit is how many bytes may wait for a server that does not read. Far above any one document; a
// server so far behind is stuck.
const outboxLimit = 64 << 20

var errStuck = errors.New("it has stopped reading its input")

// An outbox is what we write to a server's standard input, queued, so that a server which does not read
// holds up nobody: contexts cannot interrupt a write to a pipe. When a write fails, or too much waits, broken is
// called, once.
// Goroutines: pump (one), which ends after Close or the first failed write.
type outbox struct {
	mu      sync.Mutex
	queue   []byte
	writing int   // bytes that pump has taken and not written
	err     error // why nothing more is accepted
	closing bool
	broken  func()
	wake    chan struct{} // capacity 1: the queue or closing has changed
	done    chan struct{} // closed when pump has ended
}

func newOutbox(stdin io.WriteCloser, broken func()) *outbox {
	o := &outbox{broken: broken, wake: make(chan struct{}, 1), done: make(chan struct{})}
	go o.pump(stdin)
	return o
}

// Write queues p. It never blocks.
func (o *outbox) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	switch {
	case o.err != nil:
		return 0, o.err
	case o.closing:
		return 0, io.ErrClosedPipe
	case o.writing+len(o.queue)+len(p) > outboxLimit:
		o.fail(errStuck)
		return 0, o.err
	}
	o.queue = append(o.queue, p...)
	o.signal()
	return len(p), nil
}

// Close closes the server's input once everything queued is written. It does not wait for that.
func (o *outbox) Close() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.closing = true
	o.signal()
	return nil
}

func (o *outbox) signal() {
	select {
	case o.wake <- struct{}{}:
	default:
	}
}

func (o *outbox) pump(stdin io.WriteCloser) {
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
func (o *outbox) fail(err error) {
	if o.err == nil && !o.closing {
		o.broken()
	}
	o.err, o.queue = err, nil
}

// waiting is how many bytes have not been written yet.
func (o *outbox) waiting() int {
	o.mu.Lock()
	defer o.mu.Unlock()
	return len(o.queue) + o.writing
}
