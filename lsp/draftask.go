package lsp

import (
	"context"
	"fmt"
	"slices"
	"sync"
)

// Bounds of asking about each file.
const (
	askedInAll  = 1_000 // tsserver takes some 2 ms for each
	askedAtOnce = 4     // they are answered one after the other: more would be work that a caller who hangs up leaves behind
)

// askEach asks about the errors in each source file that the server covers, for servers that do not say when they have
// published all.
func (s *session) askEach(ctx context.Context, ask func(ctx context.Context, path string) (faults, error)) (blackboard, error) {
	covered := slices.DeleteFunc(s.host.Sources(), func(path string) bool { return !s.host.Covers(path) })
	if len(covered) > askedInAll {
		reason := fmt.Sprintf("the project has %d source files, and %s can be asked about at most %d, one by one", len(covered), s.program(), askedInAll)
		return nil, &DraftError{Language: s.language.Name, Reason: reason}
	}
	ctx, cancel := context.WithCancelCause(aboutNoText(ctx))
	defer cancel(nil)
	found := blackboard{}
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
