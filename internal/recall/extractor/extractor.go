// Package extractor asks a model in Ollama what a turn of a conversation is worth remembering for. It works in the background, after
// the turn has ended, and delays nobody.
//
// A memory that a model writes is a draft: memory.Drafted is found by whoever asks for it and is never told at a prompt. A turn is searched
// for secrets before the model reads it; one that cannot be searched is not read. Without a model's name nothing of this package is used.
package extractor

import (
	"cmp"
	"context"
	"errors"
	"sync"
	"time"

	"tidepool/internal/ollama"
	"tidepool/internal/recall/memory"
	"tidepool/internal/scrub"
)

const (
	maxQueue    = 16              // turns that wait for the model; further ones are dropped and counted
	maxMemories = 5               // of one session
	maxAsked    = 20              // turns of one session that the model reads
	maxSessions = 64              // whose numbers are kept; of more, the oldest start anew
	pause       = 5 * time.Minute // after a failure that only a person can end, such as a server that is away
)

// Options say which model is asked, and who keeps what it writes. All are required.
type Options struct {
	Endpoint string // of Ollama
	Model    string
	Scrub    *scrub.Scrubber
	Keep     func(...memory.Draft) // must not block
}

// A Turn is what a user asked and what was answered.
type Turn struct {
	Session        string
	Number         int // of the prompt in its session
	Prompt, Answer string
	At             time.Time
}

// A Status is what an extractor has done.
type Status struct {
	Model   string
	Waiting int // turns in the queue
	Asked   int // turns that the model was asked about
	Kept    int // memories
	Dropped int // turns that found the queue full or the model resting after a failure
	Failed  int // turns that the model gave no usable answer to

	LastError string    // of the latest failure; "": none. It has nothing of a turn
	LastHint  string    // what to do about it; "": nothing
	LastAt    time.Time // of the latest answer or failure; zero: none
}

// An Extractor asks one model about one turn at a time. It is safe for concurrent use. Goroutines: one, which asks; Close ends it.
type Extractor struct {
	options Options
	client  *ollama.Client
	queue   chan Turn
	end     context.CancelFunc
	done    chan struct{} // closed when the goroutine has ended

	mu       sync.Mutex
	status   Status
	closed   bool
	resting  time.Time // until then the model is not asked
	sessions map[string]*spent
	order    []string // the sessions, the oldest first
}

// A spent counts what a session had of the model.
type spent struct{ asked, memories int }

// New starts an extractor. It does not ask the server anything. The error says which option is missing or wrong.
func New(o Options) (*Extractor, error) {
	if o.Scrub == nil || o.Keep == nil {
		return nil, errors.New("extractor: Scrub and Keep are required")
	}
	client, err := ollama.New(ollama.Options{Endpoint: o.Endpoint, Model: o.Model, Timeout: 2 * time.Minute, Predict: 400, Remember: -1})
	if err != nil {
		return nil, err
	}
	ctx, end := context.WithCancel(context.Background())
	x := &Extractor{
		options: o, client: client, queue: make(chan Turn, maxQueue), end: end, done: make(chan struct{}),
		status: Status{Model: o.Model}, sessions: make(map[string]*spent),
	}
	go x.run(ctx)
	return x, nil
}

// Offer queues a turn that has ended; it never waits. false: the turn is dropped, because the queue is full, the model rests after a
// failure, the session has had its share, or the extractor is closed.
func (x *Extractor) Offer(t Turn) bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	s := x.sessions[t.Session]
	switch {
	case x.closed, s != nil && (s.asked >= maxAsked || s.memories >= maxMemories):
		return false
	case time.Now().Before(x.resting):
		x.status.Dropped++
		return false
	}
	select {
	case x.queue <- t:
		return true
	default:
		x.status.Dropped++
		return false
	}
}

// Status returns what was done so far.
func (x *Extractor) Status() Status {
	x.mu.Lock()
	defer x.mu.Unlock()
	s := x.status
	s.Waiting = len(x.queue)
	return s
}

// Close drops what waits, ends the request that runs, and returns when the goroutine has ended.
func (x *Extractor) Close() {
	x.mu.Lock()
	x.closed = true
	x.mu.Unlock()
	x.end()
	<-x.done
	x.client.Close()
}

func (x *Extractor) run(ctx context.Context) {
	defer close(x.done)
	for {
		select {
		case <-ctx.Done():
			return
		case t := <-x.queue:
			x.extract(ctx, t)
		}
	}
}

// extract asks about one turn and keeps what is worth it.
func (x *Extractor) extract(ctx context.Context, t Turn) {
	form, ok := x.form(t)
	if !ok || !x.spend(t.Session) {
		return
	}
	var answer answer
	err := x.client.Fill(ctx, form, &answer)
	if ctx.Err() != nil {
		return
	}
	drafts := x.settle(t, answer, err)
	if len(drafts) > 0 {
		x.options.Keep(drafts...)
	}
}

// spend counts a request of a session; false: it has had its share.
func (x *Extractor) spend(session string) bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	s := x.sessions[session]
	if s == nil {
		s = new(spent)
		x.sessions[session] = s
		if x.order = append(x.order, session); len(x.order) > maxSessions {
			delete(x.sessions, x.order[0])
			x.order = x.order[1:]
		}
	}
	if s.asked >= maxAsked || s.memories >= maxMemories || time.Now().Before(x.resting) {
		return false
	}
	s.asked++
	x.status.Asked++
	return true
}

// settle notes how a request ended and returns the memories that its session may still have.
func (x *Extractor) settle(t Turn, a answer, err error) []memory.Draft {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.status.LastAt = time.Now()
	if err != nil {
		x.failed(err)
		return nil
	}
	s := x.sessions[t.Session]
	if s == nil { // too many sessions have come since
		s = new(spent)
	}
	drafts := a.drafts(t, x.options.Model)
	drafts = drafts[:min(len(drafts), maxMemories-s.memories)]
	s.memories += len(drafts)
	x.status.Kept += len(drafts)
	x.status.LastError, x.status.LastHint = "", ""
	return drafts
}

// failed notes an error. Its text names the server and the model, and never what was asked.
func (x *Extractor) failed(err error) {
	x.status.Failed++
	x.status.LastError, x.status.LastHint = err.Error(), ""
	var known *ollama.Error
	if errors.As(err, &known) {
		x.status.LastHint = cmp.Or(known.Hint(), "")
		if known.Lasting() {
			x.resting = time.Now().Add(pause)
		}
	}
}
