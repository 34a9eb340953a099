package fulltext

import (
	"os"
	"runtime"
	"testing"

	"tidepool/internal/memory"
)

// The memory of a segment that nobody has any more goes back to the system.
func TestArenaOfADroppedSegmentIsFreed(t *testing.T) {
	const size = 64 << 20
	before := memory.Resident(t.Context(), os.Getpid())
	s := new(segment)
	a, err := newArena(size)
	if err != nil {
		t.Fatal(err)
	}
	for i := range a {
		a[i] = 1
	}
	s.own(a, nil)
	if grown := memory.Resident(t.Context(), os.Getpid()) - before; grown < size*3/4 {
		t.Fatalf("the arena takes %d bytes", grown)
	}
	runtime.KeepAlive(s)
	for range 1000 {
		runtime.GC()
		if memory.Resident(t.Context(), os.Getpid())-before < size/4 {
			return
		}
		runtime.Gosched() // to the goroutine that runs cleanups
	}
	t.Error("it is not freed")
}
