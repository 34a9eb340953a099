package memory

import (
	"os"
	"runtime/debug"
)

// collectAt is by how much of what is live the heap of a daemon grows before garbage is collected, in percent. Most of the time a daemon
// waits, so that the memory counts for more than the processor time: where 24 MB are live, the heap has 12 MB less than with the
// runtime's 100.
const collectAt = 50

// CollectEarly has garbage collected earlier than the Go runtime does by itself, unless the user's GOGC says when.
func CollectEarly() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(collectAt)
	}
}
