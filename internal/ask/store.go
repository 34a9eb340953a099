package ask

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"tidepool/protocol"
)

// Bounds of a Store. With those of a question they keep the list of all questions below 16 MiB, a line of the wire.
const (
	kept    = 100 // closed questions that are kept
	maxOpen = 64
)

// A Store keeps the questions. It is safe for concurrent use and starts no goroutine.
type Store struct {
	file *file

	mu      sync.Mutex
	records []protocol.QuestionRecord               // oldest first
	waiting map[string]chan protocol.QuestionRecord // by question id, capacity 1: receives the closed question
	changed chan struct{}                           // closed and replaced at every change
}

// OpenStore reads the questions from a file, which need not exist; "" keeps them in memory only. It withdraws questions that were
// open: nobody waits for them any more.
func OpenStore(path string) (*Store, error) {
	b := &Store{file: &file{path: path}, waiting: map[string]chan protocol.QuestionRecord{}, changed: make(chan struct{})}
	var err error
	if b.records, err = b.file.load(); err != nil {
		return nil, err
	}
	for i := range b.records {
		if b.records[i].State == protocol.QuestionOpen {
			b.close(&b.records[i], protocol.QuestionWithdrawn, "the daemon was restarted while it was open")
		}
	}
	return b, b.file.save(b.records)
}

// Ask opens a question and waits until it is answered or ctx ends. At ctx's deadline the Answer says that nobody answered. If ctx
// is cancelled, Ask withdraws the question and returns the cause. posted, if not nil, is called with the stored question. The
// error is a *[CrowdedError] if too many questions are open.
func (b *Store) Ask(ctx context.Context, q protocol.Question, posted func(protocol.Question)) (Answer, error) {
	if err := ctx.Err(); err != nil {
		return Answer{}, context.Cause(ctx)
	}
	q, ended, err := b.post(q)
	if err != nil {
		return Answer{}, err
	}
	if posted != nil {
		posted(q)
	}
	var r protocol.QuestionRecord
	select {
	case r = <-ended:
	case <-ctx.Done():
		b.Withdraw(q.ID, withdrawal(ctx))
		r = <-ended // an answer, if it came first
	}
	switch {
	case r.State == protocol.QuestionAnswered:
		return Answer{By: User, Reply: r.Reply, Channel: r.Channel, ID: q.ID}, nil
	case ctx.Err() != nil && !errors.Is(ctx.Err(), context.DeadlineExceeded):
		return Answer{ID: q.ID}, context.Cause(ctx)
	case len(r.Seen) == 0:
		return Answer{By: None, ID: q.ID, Reason: "nobody can have seen the question: no terminal program showed it, and the client no dialog"}, nil
	}
	return Answer{By: Timeout, ID: q.ID, Reason: "it was shown (" + strings.Join(r.Seen, ", ") + ") and nobody answered in time"}, nil
}

func withdrawal(ctx context.Context) string {
	switch cause := context.Cause(ctx); {
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return "nobody answered in time"
	case !errors.Is(cause, context.Canceled):
		return cause.Error()
	}
	return "the one who asked does not wait any more"
}

func (b *Store) post(q protocol.Question) (protocol.Question, <-chan protocol.QuestionRecord, error) {
	clean(&q)
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.waiting) >= maxOpen {
		return q, nil, &CrowdedError{Open: len(b.waiting)}
	}
	last := 0
	for _, r := range b.records {
		n, _ := strconv.Atoi(r.ID)
		last = max(last, n)
	}
	q.ID, q.Asked = strconv.Itoa(last+1), time.Now()
	ended := make(chan protocol.QuestionRecord, 1)
	b.waiting[q.ID] = ended
	b.records = append(b.records, protocol.QuestionRecord{Question: q, State: protocol.QuestionOpen})
	b.prune()
	err := b.save()
	if err != nil {
		b.close(b.find(q.ID), protocol.QuestionWithdrawn, err.Error())
	}
	return q, ended, err
}

// prune removes the oldest closed questions beyond the bound.
func (b *Store) prune() {
	closed := 0
	for _, r := range slices.Backward(b.records) {
		if r.State != protocol.QuestionOpen {
			closed++
		}
	}
	b.records = slices.DeleteFunc(b.records, func(r protocol.QuestionRecord) bool {
		if r.State == protocol.QuestionOpen || closed <= kept {
			return false
		}
		closed--
		return true
	})
}

// Answer records the reply to a question by a channel such as "ui" or "command". The first one counts; the same reply again
// is no error. Errors are an *[AnsweredError], a *[WithdrawnError], an *[UnknownError], a *[ReplyError] or a
// *[HomeError].
func (b *Store) Answer(id string, reply protocol.QuestionReply, channel string) (protocol.QuestionRecord, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	r := b.find(id)
	if r == nil {
		return protocol.QuestionRecord{}, &UnknownError{ID: id}
	}
	reply, fits := accepts(r.Question, reply)
	switch {
	case r.Home != "" && r.Home != channel:
		return clone(*r), &HomeError{Record: clone(*r)}
	case !fits && r.State != protocol.QuestionWithdrawn:
		return clone(*r), &ReplyError{Question: r.Question}
	case r.State == protocol.QuestionAnswered && r.Reply == reply:
		return clone(*r), nil
	case r.State == protocol.QuestionAnswered:
		return clone(*r), &AnsweredError{Record: clone(*r)}
	case r.State == protocol.QuestionWithdrawn:
		return clone(*r), &WithdrawnError{Record: clone(*r)}
	}
	r.Reply, r.Channel = reply, channel
	b.close(r, protocol.QuestionAnswered, "")
	b.save() // the caller of Ask has the answer even if it cannot be saved; the next Ask reports that
	return clone(*r), nil
}

// Withdraw closes an open question without an answer. It does nothing to a closed one.
func (b *Store) Withdraw(id, reason string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if r := b.find(id); r != nil && r.State == protocol.QuestionOpen {
		b.close(r, protocol.QuestionWithdrawn, reason)
		b.save() // if that fails, OpenStore withdraws it
	}
}

// MarkSeen records that a person can have seen a question on a channel.
func (b *Store) MarkSeen(id, channel string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if r := b.find(id); r != nil && r.State == protocol.QuestionOpen && !slices.Contains(r.Seen, channel) {
		r.Seen = append(r.Seen, channel)
	}
}

// SetHome makes a channel the only one that may answer an open question; "": each may.
func (b *Store) SetHome(id, channel string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if r := b.find(id); r != nil && r.State == protocol.QuestionOpen && r.Home != channel {
		r.Home = channel
		b.save() // if that fails, OpenStore withdraws the question
	}
}

// close closes a question and notifies the caller of Ask. It shortens the texts to what a list shows. Callers hold mu, or are
// the only ones that know the Store.
func (b *Store) close(r *protocol.QuestionRecord, state protocol.QuestionState, reason string) {
	r.State, r.Reason, r.Closed, r.Home = state, reason, time.Now(), ""
	if waiting, ok := b.waiting[r.ID]; ok {
		waiting <- clone(*r)
		delete(b.waiting, r.ID)
	}
	shorten(&r.Question)
}

func (b *Store) find(id string) *protocol.QuestionRecord {
	id = strings.TrimPrefix(strings.TrimSpace(id), "#")
	at := slices.IndexFunc(b.records, func(r protocol.QuestionRecord) bool { return r.ID == id })
	if at < 0 {
		return nil
	}
	return &b.records[at]
}

// Find returns a question.
func (b *Store) Find(id string) (protocol.QuestionRecord, bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	r := b.find(id)
	if r == nil {
		return protocol.QuestionRecord{}, false
	}
	return clone(*r), true
}

// save writes the file and notifies callers of List. Callers hold mu.
func (b *Store) save() error {
	close(b.changed)
	b.changed = make(chan struct{})
	return b.file.save(b.records)
}

// List returns all questions, open ones first, then the newest first, and a channel that is closed at the next change.
func (b *Store) List() ([]protocol.QuestionRecord, <-chan struct{}) {
	b.mu.Lock()
	defer b.mu.Unlock()
	all := make([]protocol.QuestionRecord, 0, len(b.records))
	for _, r := range slices.Backward(b.records) {
		all = append(all, clone(r))
	}
	slices.SortStableFunc(all, func(x, y protocol.QuestionRecord) int {
		return cmp.Compare(closedness(x), closedness(y))
	})
	return all, b.changed
}

func closedness(r protocol.QuestionRecord) int {
	if r.State == protocol.QuestionOpen {
		return 0
	}
	return 1
}

// A CrowdedError means that too many questions are open.
type CrowdedError struct{ Open int }

func (e *CrowdedError) Error() string {
	return fmt.Sprintf("%d questions wait for the user already", e.Open)
}

// Hint says what to do.
func (e *CrowdedError) Hint() string { return "wait for their answers before another one is asked" }

// An UnknownError means that there is no such question.
type UnknownError struct{ ID string }

func (e *UnknownError) Error() string { return fmt.Sprintf("there is no question %q", e.ID) }

// Hint says how to find one.
func (e *UnknownError) Hint() string { return "agent questions lists them" }

// An AnsweredError means that the question was answered already.
type AnsweredError struct{ Record protocol.QuestionRecord }

func (e *AnsweredError) Error() string {
	return fmt.Sprintf("question %s has been answered by %s: %s", e.Record.ID, e.Record.Channel, Said(e.Record))
}

// A WithdrawnError means that nobody waits for the answer any more.
type WithdrawnError struct{ Record protocol.QuestionRecord }

func (e *WithdrawnError) Error() string {
	return fmt.Sprintf("question %s has been withdrawn: %s", e.Record.ID, e.Record.Reason)
}

// A ReplyError means that a reply is no valid answer to the question.
type ReplyError struct{ Question protocol.Question }

func (e *ReplyError) Error() string {
	return fmt.Sprintf("that does not answer question %s", e.Question.ID)
}

// Hint lists valid answers.
func (e *ReplyError) Hint() string {
	var can []string
	for _, o := range e.Question.Options {
		can = append(can, oneLine(o.ID, maxLabel))
	}
	if e.Question.Free {
		can = append(can, "words of your own")
	}
	return "answer " + strings.Join(can, ", ")
}
