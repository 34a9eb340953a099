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
)

// kept is how many questions the board remembers, open ones aside.
const kept = 100

// A Board holds questions. Safe for concurrent use. It starts no goroutine.
type Board struct {
	file *file

	mu      sync.Mutex
	records []Record // oldest first
	waiting map[string]chan struct{}
	changed chan struct{} // closed and replaced at every change
}

// OpenBoard reads the board from its file, which need not be there; "" keeps it in memory alone. Questions that were open
// are withdrawn.
func OpenBoard(path string) (*Board, error) {
	b := &Board{file: &file{path: path}, waiting: map[string]chan struct{}{}, changed: make(chan struct{})}
	var err error
	if b.records, err = b.file.load(); err != nil {
		return nil, err
	}
	for i := range b.records {
		if b.records[i].State == Open {
			b.close(&b.records[i], Withdrawn, "the daemon was restarted while it was open")
		}
	}
	return b, b.file.save(b.records)
}

// Ask puts a question up and waits until it is answered or ctx ends. When ctx ends by its deadline the answer says that
// nobody gave one; when it is cancelled the question is withdrawn and the error is the cause. posted, if not nil, is told
// the question as it stands on the board.
func (b *Board) Ask(ctx context.Context, q Question, posted func(Question)) (Answer, error) {
	if err := ctx.Err(); err != nil {
		return Answer{}, context.Cause(ctx)
	}
	q, answered, err := b.post(q)
	if err != nil {
		return Answer{}, err
	}
	if posted != nil {
		posted(q)
	}
	select {
	case <-answered:
	case <-ctx.Done():
		b.Withdraw(q.ID, withdrawal(ctx))
	}
	r, _ := b.Find(q.ID)
	switch {
	case r.State == Answered: // also if it came at the last moment
		return Answer{By: User, Reply: r.Reply, Channel: r.Channel, ID: q.ID}, nil
	case ctx.Err() != nil && !errors.Is(ctx.Err(), context.DeadlineExceeded):
		return Answer{ID: q.ID}, context.Cause(ctx)
	case len(r.Seen) == 0:
		return Answer{By: None, ID: q.ID, Reason: "nobody can have seen the question: no terminal program was open and the client showed no dialog"}, nil
	}
	return Answer{By: Timeout, ID: q.ID, Reason: "it was shown (" + strings.Join(r.Seen, ", ") + ") and nobody answered in time"}, nil
}

func withdrawal(ctx context.Context) string {
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return "nobody answered in time"
	}
	return "the one who asked does not wait any more"
}

func (b *Board) post(q Question) (Question, <-chan struct{}, error) {
	q.clean()
	b.mu.Lock()
	defer b.mu.Unlock()
	last := 0
	for _, r := range b.records {
		n, _ := strconv.Atoi(r.ID)
		last = max(last, n)
	}
	q.ID, q.Asked = strconv.Itoa(last+1), time.Now()
	answered := make(chan struct{})
	b.waiting[q.ID] = answered
	b.records = append(b.records, Record{Question: q, State: Open})
	b.tidy()
	return q, answered, b.save()
}

// tidy forgets the oldest questions that are not open.
func (b *Board) tidy() {
	closed := 0
	for _, r := range slices.Backward(b.records) {
		if r.State != Open {
			closed++
		}
	}
	b.records = slices.DeleteFunc(b.records, func(r Record) bool {
		if r.State == Open || closed <= kept {
			return false
		}
		closed--
		return true
	})
}

// Answer gives the reply to a question by a channel such as "ui" or "command". The first one counts; the same reply again
// is no error. Other errors are an *[AnsweredError], a *[WithdrawnError], an *[UnknownError] or a *[ReplyError].
func (b *Board) Answer(id string, reply Reply, channel string) (Record, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	r := b.find(id)
	if r == nil {
		return Record{}, &UnknownError{ID: id}
	}
	reply, fits := r.accepts(reply)
	switch {
	case !fits:
		return r.clone(), &ReplyError{Question: r.Question}
	case r.State == Answered && r.Reply == reply:
		return r.clone(), nil
	case r.State == Answered:
		return r.clone(), &AnsweredError{Record: r.clone()}
	case r.State == Withdrawn:
		return r.clone(), &WithdrawnError{Record: r.clone()}
	}
	r.Reply, r.Channel = reply, channel
	b.close(r, Answered, "")
	return r.clone(), b.save()
}

// Withdraw takes an open question off every channel. Any other is left as it is.
func (b *Board) Withdraw(id, reason string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if r := b.find(id); r != nil && r.State == Open {
		b.close(r, Withdrawn, reason)
		b.save() // what is not saved is withdrawn when it is read again
	}
}

// Saw says that a person can have seen a question by a channel.
func (b *Board) Saw(id, channel string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if r := b.find(id); r != nil && r.State == Open && !slices.Contains(r.Seen, channel) {
		r.Seen = append(r.Seen, channel)
	}
}

// close ends a question's life. Callers hold mu, or own the board.
func (b *Board) close(r *Record, state State, reason string) {
	r.State, r.Reason, r.Closed = state, reason, time.Now()
	if waiting, ok := b.waiting[r.ID]; ok {
		close(waiting)
		delete(b.waiting, r.ID)
	}
}

func (b *Board) find(id string) *Record {
	id = strings.TrimPrefix(strings.TrimSpace(id), "#")
	at := slices.IndexFunc(b.records, func(r Record) bool { return r.ID == id })
	if at < 0 {
		return nil
	}
	return &b.records[at]
}

// Find is the record of a question.
func (b *Board) Find(id string) (Record, bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	r := b.find(id)
	if r == nil {
		return Record{}, false
	}
	return r.clone(), true
}

// save writes the board down and tells those who follow it. Callers hold mu.
func (b *Board) save() error {
	close(b.changed)
	b.changed = make(chan struct{})
	return b.file.save(b.records)
}

// List is all questions, open ones first, else the newest first; and a channel that is closed when the list has changed.
func (b *Board) List() ([]Record, <-chan struct{}) {
	b.mu.Lock()
	defer b.mu.Unlock()
	all := make([]Record, 0, len(b.records))
	for _, r := range slices.Backward(b.records) {
		all = append(all, r.clone())
	}
	slices.SortStableFunc(all, func(x, y Record) int {
		return cmp.Compare(closedness(x), closedness(y))
	})
	return all, b.changed
}

func closedness(r Record) int {
	if r.State == Open {
		return 0
	}
	return 1
}

// An UnknownError says that there is no such question.
type UnknownError struct{ ID string }

func (e *UnknownError) Error() string { return fmt.Sprintf("there is no question %q", e.ID) }

// Hint says how to find one.
func (e *UnknownError) Hint() string { return "agent questions lists them" }

// An AnsweredError says that somebody was faster.
type AnsweredError struct{ Record Record }

func (e *AnsweredError) Error() string {
	return fmt.Sprintf("question %s has been answered by %s: %s", e.Record.ID, e.Record.Channel, e.Record.Said())
}

// A WithdrawnError says that nobody waits for the answer any more.
type WithdrawnError struct{ Record Record }

func (e *WithdrawnError) Error() string {
	return fmt.Sprintf("question %s has been withdrawn: %s", e.Record.ID, e.Record.Reason)
}

// A ReplyError says that a reply does not answer a question.
type ReplyError struct{ Question Question }

func (e *ReplyError) Error() string {
	return fmt.Sprintf("that does not answer question %s", e.Question.ID)
}

// Hint lists what does.
func (e *ReplyError) Hint() string {
	var can []string
	for _, o := range e.Question.Options {
		can = append(can, o.ID)
	}
	if e.Question.Free {
		can = append(can, "words of your own")
	}
	return "answer " + strings.Join(can, ", ")
}

// Said is the reply in words.
func (r Record) Said() string {
	if r.Reply.Text != "" {
		return r.Reply.Text
	}
	if o, is := r.option(r.Reply.Choice); is {
		return o.Label
	}
	return r.Reply.Choice
}
