package memory

import (
	"runtime"
	"runtime/debug"
	"testing"
)

// The limit follows what is live, up and down, and leaves the user's alone.
func TestFollow(t *testing.T) {
	before := debug.SetMemoryLimit(-1)
	t.Cleanup(func() { debug.SetMemoryLimit(before) })
	ballast := make([]byte, 3*leastHeld)
	runtime.GC()
	Follow()
	if got := debug.SetMemoryLimit(-1); got < heldLive*int64(len(ballast)) || got > heldLive*int64(len(ballast)+leastHeld) {
		t.Errorf("with %d bytes live the limit is %d", len(ballast), got)
	}
	runtime.KeepAlive(ballast)
	ballast = nil
	runtime.GC()
	Follow()
	if got := debug.SetMemoryLimit(-1); got != leastHeld {
		t.Errorf("with little live the limit is %d", got)
	}
	t.Setenv("GOMEMLIMIT", "1GiB")
	debug.SetMemoryLimit(1 << 30)
	Follow()
	if got := debug.SetMemoryLimit(-1); got != 1<<30 {
		t.Errorf("the user's limit became %d", got)
	}
}
