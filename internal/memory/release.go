package memory

import (
	"runtime/debug"
	"runtime/metrics"
)

// Release gives the system back what the program's heap does not need, if the heap holds more than so many bytes, and reports whether
// it did. It costs a collection. Left alone, the Go runtime keeps the memory of a large piece of work for minutes.
func Release(above uint64) bool {
	held := []metrics.Sample{
		{Name: "/memory/classes/heap/objects:bytes"}, {Name: "/memory/classes/heap/unused:bytes"}, {Name: "/memory/classes/heap/free:bytes"},
	}
	metrics.Read(held)
	var sum uint64
	for _, one := range held {
		sum += one.Value.Uint64()
	}
	if sum <= above {
		return false
	}
	debug.FreeOSMemory()
	return true
}
