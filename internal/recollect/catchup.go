package recollect

import (
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"tidepool/internal/conversation/tail"
	"tidepool/internal/recall/memory"
	"tidepool/internal/recall/store"
	"tidepool/internal/wording"
)

// Limits of catching up.
const (
	catchUpAfter   = 2 * time.Second     // from opening to the first look, so that the prompt that opened is answered first
	maxUnread      = 32                  // sessions of the first look, those that began last
	unreadFor      = 30 * 24 * time.Hour // since they began
	maxTranscript  = 256 << 20           // bytes of a file that are read
	maxAgents      = 64                  // subagents of a session whose files are read
	maxLessons     = 1000                // memories of a file
	transcriptPart = 4 << 20             // bytes between two looks at whether to stop
	maxEndings     = 64                  // sessions that have ended and wait; others are read at the next start
)

// A Lessons is where memories are kept, and which transcripts may be read. *recall.Store is one.
type Lessons interface {
	Transcripts(ctx context.Context, since time.Time, limit int) ([]store.Transcript, error)
	Transcript(ctx context.Context, session string) (*store.Transcript, error)
	TranscriptRead(ctx context.Context, session string, size int64) error
	LearnLate(ctx context.Context, drafts ...memory.Draft) error
}

// CatchUpOptions are the settings of a CatchUp. Lessons and Open are required.
type CatchUpOptions struct {
	Lessons Lessons
	Open    func(path string) (*tail.File, error) // opens a transcript and follows no link
	Root    string                                // as in Options
	After   time.Duration                         // from the beginning to the first look; 0: 2 s
	Log     *slog.Logger                          // nil: nothing is logged
}

// A CatchUp learns what hooks have not delivered: of sessions that the daemon did not see the end of soon after its start, of others once
// they have ended. Only sessions are read of which a hook was heard, and that nobody has kept out. One goroutine does it, from
// NewCatchUp to Close.
type CatchUp struct {
	options CatchUpOptions
	endings chan string
	cancel  context.CancelFunc
	done    chan struct{}
}

// NewCatchUp begins to catch up. The caller closes it before the store.
func NewCatchUp(o CatchUpOptions) *CatchUp {
	if o.After == 0 {
		o.After = catchUpAfter
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	ctx, cancel := context.WithCancel(context.Background())
	c := &CatchUp{options: o, endings: make(chan string, maxEndings), cancel: cancel, done: make(chan struct{})}
	go c.run(ctx)
	return c
}

// Close ends it, and waits until it has. What was not read is read at the next start.
func (c *CatchUp) Close() {
	c.cancel()
	<-c.done
}

// Ended has the transcript of a session read that has ended. It does not wait.
func (c *CatchUp) Ended(session string) {
	select {
	case c.endings <- session:
	default:
	}
}

func (c *CatchUp) run(ctx context.Context) {
	defer close(c.done)
	first := time.NewTimer(c.options.After)
	defer first.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-first.C:
			c.note(ctx, c.unread(ctx))
		case session := <-c.endings:
			c.note(ctx, c.session(ctx, session))
		}
	}
}

func (c *CatchUp) note(ctx context.Context, err error) {
	if err != nil && ctx.Err() == nil {
		c.options.Log.Warn("what hooks have not delivered was not learned", "err", err)
	}
}

// unread reads the transcripts that have grown since they were read.
func (c *CatchUp) unread(ctx context.Context) error {
	all, err := c.options.Lessons.Transcripts(ctx, time.Now().Add(-unreadFor), maxUnread)
	for i := range all {
		err = errors.Join(err, c.learn(ctx, &all[i]))
	}
	return err
}

// session reads the transcript of one.
func (c *CatchUp) session(ctx context.Context, id string) error {
	t, err := c.options.Lessons.Transcript(ctx, id)
	if err != nil || t == nil {
		return err
	}
	return c.learn(ctx, t)
}

// learn reads a session's transcript from its beginning, as what a line means depends on the ones before it, and those of its subagents.
// Events that hooks have taught are not learned again, so they may be read again. A transcript that has not grown is not read.
func (c *CatchUp) learn(ctx context.Context, t *store.Transcript) error {
	size, err := c.read(ctx, t, t.Path, "")
	if err != nil || size == t.Read {
		return err
	}
	for _, path := range agentsOf(t.Path) {
		agent := strings.TrimSuffix(strings.TrimPrefix(filepath.Base(path), "agent-"), ".jsonl")
		if _, err := c.read(ctx, t, path, agent); err != nil {
			return err
		}
	}
	return c.options.Lessons.TranscriptRead(ctx, t.Session, size)
}

// agentsOf returns the transcripts of a session's subagents, the first by their names.
func agentsOf(path string) []string {
	dir := filepath.Join(strings.TrimSuffix(path, ".jsonl"), "subagents")
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil // it had none
	}
	var all []string
	for _, e := range entries {
		if name := e.Name(); strings.HasPrefix(name, "agent-") && strings.HasSuffix(name, ".jsonl") && len(all) < maxAgents {
			all = append(all, filepath.Join(dir, name))
		}
	}
	slices.Sort(all)
	return all
}

// read learns from a file, and returns how large it was. A file that is gone, or is not read, teaches nothing.
func (c *CatchUp) read(ctx context.Context, t *store.Transcript, path, agent string) (size int64, err error) {
	file, err := c.options.Open(path)
	var refused *tail.RefusedError
	if errors.Is(err, fs.ErrNotExist) || errors.As(err, &refused) {
		return t.Read, nil
	}
	if err != nil {
		return 0, err
	}
	defer file.Close()
	if agent == "" && file.Size == t.Read {
		return t.Read, nil
	}
	r := newReplay(t, agent, c.options.Root)
	at, lessons := tail.Place{}, 0
	for {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		next, err := file.Read(at, transcriptPart, r)
		if err != nil {
			return 0, err // a file that was written anew meanwhile, too: its session goes on
		}
		drafts := r.take()
		drafts = drafts[:min(len(drafts), maxLessons-lessons)]
		lessons += len(drafts)
		if err := c.options.Lessons.LearnLate(ctx, drafts...); err != nil {
			return 0, err
		}
		if next.Offset == at.Offset || next.Offset >= maxTranscript || lessons == maxLessons {
			c.noteCut(t, next, lessons)
			break
		}
		at = next
	}
	return file.Size, c.options.Lessons.LearnLate(ctx, r.conversation.Summary()...)
}

// noteCut reports what is not read.
func (c *CatchUp) noteCut(t *store.Transcript, at tail.Place, lessons int) {
	if at.Offset >= maxTranscript || lessons == maxLessons {
		c.options.Log.Warn("the rest of a transcript is not learned", "session", t.Session, "read", wording.Count(int(at.Offset), "byte"), "learned", lessons)
	}
}
