package recall

import (
	"context"
	"os"
	"path/filepath"
	"sync"
	"time"

	"tidepool/internal/git"
)

const (
	staleWait  = 8 * time.Millisecond // how long a prompt waits for git; the answer is kept for the next one
	gitWait    = 2 * time.Second      // how long git may take
	staleKept  = time.Minute          // how long an answer counts: branches change
	maxAnswers = 512
)

// A staleness says whether memories may be out of date: because files that they are about are gone, or because they were made at a commit
// that the checkout does not have. One goroutine at a time asks git; close ends it and waits for it.
type staleness struct {
	root    string // the checkout
	project string // its key
	now     func() time.Time
	life    context.Context
	end     context.CancelFunc
	work    sync.WaitGroup

	mu      sync.Mutex
	answers map[string]answer // by commit
	busy    chan struct{}     // closed when git has answered; nil: it is not asked
}

type answer struct {
	foreign bool // the commit is there, and no ancestor of the checkout's
	at      time.Time
}

func newStaleness(o *Options) *staleness {
	s := &staleness{root: o.Root, project: o.Project.Key, now: time.Now, answers: map[string]answer{}}
	s.life, s.end = context.WithCancel(context.Background())
	return s
}

func (s *staleness) close() {
	s.mu.Lock() // so that ask has started its goroutine, or starts none
	s.end()
	s.mu.Unlock()
	s.work.Wait()
}

// of returns why a memory may be out of date; "": nothing says so, or it is not known in time.
func (s *staleness) of(ctx context.Context, h *Hit) string {
	root := s.root
	if h.Project.Key != s.project {
		root = h.Project.Path
	}
	if root == "" || isGone(root) {
		return ""
	}
	for _, file := range h.Files {
		at := file
		if !filepath.IsAbs(at) {
			at = filepath.Join(root, at)
		}
		if _, err := os.Lstat(at); os.IsNotExist(err) {
			return file + " is gone"
		}
	}
	if h.Commit != "" && root == s.root && s.isForeign(ctx, h.Commit) {
		return "it is of a commit that is not in this branch"
	}
	return ""
}

// isForeign reports whether a commit is known to be none of the checkout's.
func (s *staleness) isForeign(ctx context.Context, commit string) bool {
	known, busy := s.ask(commit)
	if busy != nil {
		t := time.NewTimer(staleWait)
		defer t.Stop()
		select {
		case <-busy:
			known, _ = s.lookup(commit)
		case <-t.C:
		case <-ctx.Done():
		}
	}
	return known
}

// ask returns what is known of a commit. If nothing is, git is asked, unless it is asked something else already; busy is closed when it
// has answered.
func (s *staleness) ask(commit string) (foreign bool, busy chan struct{}) {
	if foreign, ok := s.lookup(commit); ok {
		return foreign, nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.busy != nil || s.life.Err() != nil {
		return false, nil
	}
	s.busy = make(chan struct{})
	s.work.Go(func() { s.askGit(commit) })
	return false, s.busy
}

func (s *staleness) lookup(commit string) (foreign, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	a, ok := s.answers[commit]
	if ok && s.now().Sub(a.at) > staleKept {
		delete(s.answers, commit)
		return false, false
	}
	return a.foreign, ok
}

func (s *staleness) askGit(commit string) {
	ctx, cancel := context.WithTimeout(s.life, gitWait)
	defer cancel()
	is, err := git.IsAncestor(ctx, s.root, commit)
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.answers) >= maxAnswers {
		clear(s.answers)
	}
	s.answers[commit] = answer{err == nil && !is, s.now()}
	close(s.busy)
	s.busy = nil
}
