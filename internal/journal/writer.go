package journal

import (
	"context"
	"log/slog"
	"sync"
	"time"
)

const (
	mostQueued  = 64               // changes that wait; what does not fit is dropped and logged
	longestWait = 10 * time.Second // for one change
)

// A write is a change of a conversation's active entry, or a mark that flush waits for.
type write struct {
	owner Owner
	do    func(*Entry)
	done  chan struct{} // closed when all before it is written; nil: a change
}

// A writer makes the changes that hooks must not wait for, in their order, in one goroutine from startWriter to close.
type writer struct {
	change func(context.Context, Owner, func(*Entry)) error
	log    *slog.Logger
	queue  chan write
	end    func()        // closes ending
	ending chan struct{} // closed: what is queued is written, and no more
	ended  chan struct{} // closed when the goroutine has ended
}

func startWriter(change func(context.Context, Owner, func(*Entry)) error, log *slog.Logger) *writer {
	w := &writer{change: change, log: log, queue: make(chan write, mostQueued), ending: make(chan struct{}), ended: make(chan struct{})}
	w.end = sync.OnceFunc(func() { close(w.ending) })
	go w.run()
	return w
}

func (w *writer) run() {
	defer close(w.ended)
	for {
		select {
		case next := <-w.queue:
			w.make(next)
		case <-w.ending:
			for {
				select {
				case next := <-w.queue:
					w.make(next)
				default:
					return
				}
			}
		}
	}
}

func (w *writer) make(next write) {
	if next.done != nil {
		close(next.done)
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), longestWait)
	defer cancel()
	if err := w.change(ctx, next.owner, next.do); err != nil {
		w.log.Warn("what a hook has seen is not in the journal", "err", err)
	}
}

// put queues a change and does not wait.
func (w *writer) put(next write) {
	select {
	case w.queue <- next:
	default:
		w.log.Warn("what a hook has seen is not in the journal", "why", "too much waits to be written")
	}
}

// flush waits until the changes that are queued are written.
func (w *writer) flush(ctx context.Context) error {
	mark := write{done: make(chan struct{})}
	select {
	case w.queue <- mark:
	case <-w.ended:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
	select {
	case <-mark.done:
	case <-w.ended:
	case <-ctx.Done():
		return ctx.Err()
	}
	return nil
}

// close ends the goroutine once what is queued is written.
func (w *writer) close(ctx context.Context) error {
	w.end()
	select {
	case <-w.ended:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
