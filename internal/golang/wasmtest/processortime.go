package wasmtest

import (
	"context"
	"time"

	"golang.org/x/sys/unix"
)

// withinProcessorTime is ctx, which ends when this process has taken so much more processor time. cancel must be called.
// Goroutines: one, which ends with the context.
func withinProcessorTime(ctx context.Context, limit time.Duration) (limited context.Context, cancel context.CancelFunc) {
	limited, cancel = context.WithCancel(ctx)
	begin := ownTime()
	go func() {
		tick := time.NewTicker(watching)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				if ownTime()-begin > limit {
					cancel()
					return
				}
			case <-limited.Done():
				return
			}
		}
	}()
	return limited, cancel
}

// ownTime returns the processor time that this process has taken.
func ownTime() time.Duration {
	var usage unix.Rusage
	if unix.Getrusage(unix.RUSAGE_SELF, &usage) != nil {
		return 0
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}
