// Package worker is the analysis process, which answers the questions of package analysis. It is the only one that type-checks.
package worker

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"

	"tidepool/internal/golang/analysis"
)

// Serve is the main function of the process: it reads requests from in, and writes a reply to each to out, in their order. The
// process ends with in. Serve confines the whole process, which cannot write files afterwards, so the process must do
// nothing else.
//
// Goroutines: Serve's, which answers; one that reads in, until the process exits.
func Serve(in io.Reader, out io.Writer) error {
	if err := confine(); err != nil {
		return fmt.Errorf("confining the process: %w", err)
	}
	q := queue{more: make(chan struct{}, 1), cancels: make(map[int]context.CancelCauseFunc)}
	go func() {
		if err := q.read(in); err != nil {
			fmt.Fprintln(os.Stderr, "reading requests:", err)
		}
		os.Exit(1)
	}()
	replies := json.NewEncoder(out)
	e := newEngine(func(k analysis.Keep) { _ = replies.Encode(analysis.Reply{Keep: &k}) }) // the answer fails as well, then
	for {
		<-q.more
		for r, ctx := q.next(); ctx != nil; r, ctx = q.next() {
			reply := analysis.Reply{ID: r.ID}
			answer, err := e.answer(ctx, r)
			if err == nil {
				reply.Answer, err = json.Marshal(answer)
			}
			if err != nil {
				reply.Error = err.Error()
			}
			q.done(r.ID)
			if err := replies.Encode(reply); err != nil {
				return fmt.Errorf("writing an answer: %w", err)
			}
			e.rest()
		}
	}
}

// errCancelled is why a question ends for which nobody waits.
var errCancelled = errors.New("nobody waits for the answer")

// A queue holds the requests that are not answered yet. Its length is bounded by those who wait.
type queue struct {
	more chan struct{} // holds an element while requests may wait

	mu      sync.Mutex // guards what follows
	waiting []waiting
	cancels map[int]context.CancelCauseFunc // of what waits and of what is being answered
}

type waiting struct {
	analysis.Request
	ctx context.Context
}

// read takes requests until in ends.
func (q *queue) read(in io.Reader) error {
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, analysis.MaxMessage)
	for lines.Scan() {
		var r analysis.Request
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			return err
		}
		q.take(r)
	}
	return lines.Err()
}

func (q *queue) take(r analysis.Request) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if r.Cancel {
		if cancel := q.cancels[r.ID]; cancel != nil {
			cancel(errCancelled)
		}
		return
	}
	ctx, cancel := context.WithCancelCause(context.Background())
	q.cancels[r.ID] = cancel
	q.waiting = append(q.waiting, waiting{r, ctx})
	select {
	case q.more <- struct{}{}:
	default:
	}
}

// next returns the oldest request; the context is nil if there is none.
func (q *queue) next() (analysis.Request, context.Context) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.waiting) == 0 {
		return analysis.Request{}, nil
	}
	first := q.waiting[0]
	q.waiting = q.waiting[1:]
	return first.Request, first.ctx
}

// done forgets a request.
func (q *queue) done(id int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.cancels[id](nil)
	delete(q.cancels, id)
}
