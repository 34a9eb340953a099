package ollama

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"sync"
)

// A question is the content of a request: model, prompt, tool and options. At
// temperature 0 the same question has the same answer.
type question [sha256.Size]byte

func (o Options) question(p Prompt) question {
	request := o.callRequest(p)
	request.KeepAlive = nil
	data, err := json.Marshal(request)
	if err != nil { // a request is made of strings and numbers
		panic(err)
	}
	return sha256.Sum256(data)
}

// A memory keeps the answers to the questions that were asked last, and has one
// caller ask for all who have the same question at the same time. Failures are
// not kept. It is safe for concurrent use and starts no goroutine.
type memory struct {
	limit int // answers

	mu      sync.Mutex
	answers map[question]*remembered
	order   []question // those that are kept, the oldest first
}

type remembered struct {
	done      chan struct{} // closed when the caller who asks knows
	arguments Arguments     // read after done
	err       error
}

func newMemory(limit int) *memory {
	return &memory{limit: limit, answers: make(map[question]*remembered)}
}

// answer returns what is remembered, or else what ask says. A caller who waits
// for another's answer and sees that one fail asks by itself.
func (m *memory) answer(ctx context.Context, q question, ask func() (Arguments, error)) (Arguments, error) {
	for {
		r, mine := m.join(q)
		if mine {
			arguments, err := ask()
			m.settle(q, r, arguments, err)
			return arguments, err
		}
		select {
		case <-r.done:
		case <-ctx.Done():
			return Arguments{}, context.Cause(ctx)
		}
		var known *Error
		switch {
		case r.err == nil:
			known := r.arguments
			known.remembered = true
			return known, nil
		case errors.As(r.err, &known) && known.Lasting():
			return Arguments{remembered: true}, r.err
		}
	}
}

// join returns the answer to a question, or a place for it if nobody asks yet.
func (m *memory) join(q question) (r *remembered, mine bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if r := m.answers[q]; r != nil {
		return r, false
	}
	r = &remembered{done: make(chan struct{})}
	m.answers[q] = r
	return r, true
}

// settle keeps an answer and forgets a failure, and the oldest answer if there
// are too many.
func (m *memory) settle(q question, r *remembered, arguments Arguments, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	r.arguments, r.err = arguments, err
	close(r.done)
	if err != nil {
		delete(m.answers, q)
		return
	}
	m.order = append(m.order, q)
	if len(m.order) > m.limit {
		delete(m.answers, m.order[0])
		m.order = m.order[1:]
	}
}
