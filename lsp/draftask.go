package lsp

import (
	"context"
	"sync"
)

// askedAtOnce is how many files a server is asked about at the same time. Those that are asked answer one after the other:
// more would be work that a caller who hangs up leaves behind.
const askedAtOnce = 4

// askEach asks about the errors in each source file that the server covers, for servers that do not say when they have
// published all.
func (s *session) askEach(ctx context.Context, ask func(ctx context.Context, path string) (faults, error)) (blackboard, error) {
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
	for _, path := range s.sources() {
		if ctx.Err() == nil && s.server.covers(s.server.tree, path, nowhere) {
			paths <- path
		}
	}
	close(paths)
	asking.Wait()
	return found, context.Cause(ctx)
}
