package main

import (
	"context"
	"fmt"
	"sync"

	"tidepool/protocol"
)

// comeFirst sends the first hooks of so many sessions at once to a project that
// has no daemon.
func comeFirst(ctx context.Context, y *yard, hooks int) (string, error) {
	var t toll
	var sessions sync.WaitGroup
	begin := make(chan struct{})
	for range hooks {
		sessions.Go(func() {
			<-begin
			if v, err := y.hook(ctx, y.named(protocol.SessionStart), open); err != nil {
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
	if err := y.alone(); err != nil {
		return "", err
	}
	return fmt.Sprintf("1 daemon; %v", &t), nil
}
