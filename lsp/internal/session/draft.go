package session

import (
	"context"
	"fmt"
	"os"
	"slices"
	"sync"
)

// HoldOpen opens a file as it is on the disk, if it is not open, until withdraw.
func (s *Session) HoldOpen(path string) error {
	if _, open := s.Documents.Version(path, nil); open {
		return nil
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	s.Documents.mu.Lock()
	defer s.Documents.mu.Unlock()
	return s.Broken(s.Documents.put(path, Buffer{Language: s.Language.LanguageIDOf(path), Text: string(data)}))
}

// ShowDraft shows the server the texts of a draft, which has all others as on the disk.
func (s *Session) ShowDraft(texts Buffers) error {
	if s.Language.Drafting.OpensFirst {
		for path := range texts {
			if err := s.HoldOpen(path); err != nil {
				return err
			}
		}
	}
	s.Documents.mu.Lock()
	defer s.Documents.mu.Unlock()
	return s.Broken(s.Documents.show(texts))
}

// WithdrawDraft closes what drafts have changed: the server goes back to the files on the disk.
func (s *Session) WithdrawDraft() {
	d := &s.Documents
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, element := range d.byPath {
		if element.Value.(*document).held {
			d.close(element) // what goes wrong ends the session
		}
	}
}

// CheckDraft returns the errors of the whole tree with the texts that the session has been shown.
func (s *Session) CheckDraft(ctx context.Context) (Diagnostics, error) {
	found, err := s.Language.Drafting.Check(ctx, s)
	return found, s.Because(ctx, err)
}

// A Drafting says how changes are tried out in a session of a language's server that is there for nothing else.
type Drafting struct {
	// Adapt makes the entry of the language, in a copy, that of such a session.
	Adapt func(l *Language)
	// Check returns the errors of the whole tree with the texts that the session has been shown.
	Check func(ctx context.Context, s *Session) (Diagnostics, error)
	// Reach has the session look at source files that it leaves out, as far as it can, until they are closed, and returns
	// what says of a file whether it looks at it now. nil: it cannot.
	Reach func(ctx context.Context, s *Session, paths []string) (sees func(path string) bool, err error)
	// OpensFirst says that a file must be open as it is on the disk before it is shown with another text.
	OpensFirst bool
	// Passes says of a source file below a root that the server leaves it out, or its errors; nil: of none.
	Passes func(root, path string) bool
}

// Bounds of asking about each file.
const (
	askedInAll  = 1_000 // tsserver takes some 2 ms for each
	askedAtOnce = 4     // they are answered one after the other: more would be work that a caller who hangs up leaves behind
)

// AskEach asks about the errors in each source file that the server covers, for servers that do not say when they have
// published all.
func (s *Session) AskEach(ctx context.Context, ask func(ctx context.Context, path string) (FileErrors, error)) (Diagnostics, error) {
	covered := slices.DeleteFunc(s.Host.Sources(), func(path string) bool { return !s.Host.Covers(path) })
	if len(covered) > askedInAll {
		reason := fmt.Sprintf("the project has %d source files, and %s can be asked about at most %d, one by one", len(covered), s.Program(), askedInAll)
		return nil, &DraftError{Language: s.Language.Name, Reason: reason}
	}
	ctx, cancel := context.WithCancelCause(AboutNoText(ctx))
	defer cancel(nil)
	found := Diagnostics{}
	var mu sync.Mutex
	var asking sync.WaitGroup
	paths := make(chan string)
	for range askedAtOnce {
		asking.Go(func() {
			for path := range paths {
				faults, err := ask(ctx, path)
				if err != nil {
					cancel(err)
				}
				mu.Lock()
				found.put(path, faults)
				mu.Unlock()
			}
		})
	}
	for _, path := range covered {
		if ctx.Err() == nil {
			paths <- path
		}
	}
	close(paths)
	asking.Wait()
	return found, context.Cause(ctx)
}
