package main

import (
	"context"
	"fmt"
	"sync"
	"time"

	"tidepool/protocol"
)

// comeFirst sends the first hooks of so many sessions at once to a project that has no daemon, and the next ones as long as some got
// no answer: on a machine that is busy enough no daemon starts within the time of a hook.
func comeFirst(ctx context.Context, f *fixture, hooks int) (string, error) {
	last := time.Now().Add(10 * patience)
	for wave := 1; ; wave++ {
		t := f.wave(ctx, hooks)
		if t.err != nil {
			return "", t.err
		}
		missed := t.unanswered.Load()
		if missed > 0 && time.Now().After(last) {
			return "", fmt.Errorf("%d of %d hooks got no answer, in wave %d", missed, hooks, wave)
		}
		if missed > 0 {
			continue
		}
		if err := f.alone(); err != nil {
			return "", err
		}
		all := ""
		if wave > 1 {
			all = fmt.Sprintf("all answered in wave %d; ", wave)
		}
		return fmt.Sprintf("1 daemon; %s%v", all, t), nil
	}
}

// wave sends the first hooks of so many sessions at once.
func (f *fixture) wave(ctx context.Context, hooks int) *totals {
	t := &totals{}
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
	return t
}
