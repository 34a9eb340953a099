package main

import (
	"context"
	"fmt"
	"sync"

	"tidepool/protocol"
)

// comeFirst sends the first hooks of so many sessions at once to a project that
// has no daemon.
func comeFirst(ctx context.Context, f *fixture, hooks int) (string, error) {
	var t totals
	var sessions sync.WaitGroup
	begin := make(chan struct{})
	for range hooks {
		sessions.Go(func() {
			<-begin
			if v, err := f.hook(ctx, f.named(protocol.SessionStart), open); err != nil {
				t.fail(err)
			} else {
				t.note(v)
			}
		})
	}
	close(begin)
	sessions.Wait()
	if t.err != nil {
		return "", t.err
	}
	if n := t.unanswered.Load(); n > 0 {
		return "", fmt.Errorf("%d of %d hooks got no answer", n, hooks)
	}
	if err := f.alone(); err != nil {
		return "", err
	}
	return fmt.Sprintf("1 daemon; %v", &t), nil
}
