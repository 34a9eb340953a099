package memory

import (
	"os"
	"runtime/debug"
	"runtime/metrics"
)

// What the runtime may hold before it gives pages back at once, and collects more often: so many bytes, which few calls in an ordinary
// project need, or so many times what is live. Otherwise it collects at one and a half times what is live, see collectAt. In aws-sdk-go
// 1.55.5 a daemon that was asked question after question had 110 MB of pages of its heap with 27 MB live, and 85 MB with this; with three
// times what is live no less than without. In mvdan.cc/sh a daemon occupied 67 MB with 64 MB for leastHeld, 57 with this, and answered as fast.
const (
	leastHeld = 32 << 20
	heldLive  = 2
)

// Follow has the Go runtime give pages back at once while it holds much more than was live at the last collection, unless the user's
// GOMEMLIMIT says how much it may hold. By itself it takes minutes, and what a call has read of some large files stays until then. The
// limit follows what is live, so that no program that needs more collects without end: call it every few seconds.
func Follow() {
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(int64(max(leastHeld, heldLive*live())))
	}
}

// live returns how many bytes of the heap the last collection found in use.
func live() uint64 {
	of := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(of)
	return of[0].Value.Uint64()
}
