package process

import (
	"fmt"
	"strings"
)

// Memory is what a program is told of the memory that it should make do with, in bytes; 0: nothing. Nobody enforces it.
type Memory struct {
	Share  int64 // of this program
	Budget int64 // of all programs and whatever else the one that starts them has started
}

// Go returns the environment that tells a program written in Go its share. It is a soft limit: near it the garbage collector works
// more, for at most half of the processor time, and a program that needs more has it. nil if there is no share, or given, what the
// user has set GOMEMLIMIT to, says something.
func (m Memory) Go(given string) []string {
	if m.Share == 0 || given != "" {
		return nil
	}
	return []string{fmt.Sprintf("GOMEMLIMIT=%dMiB", m.Share>>20)}
}

// leastHeap is the least that a program on Node is told: Node's limit is a hard one, and a program that meets it ends.
const leastHeap = 2 << 30

// Node returns the environment that bounds the heap of a program on Node by so many bytes, 2 GB at the least. nil if there is no
// budget, or given, what the user has set NODE_OPTIONS to, bounds it; other options stay.
func (m Memory) Node(given string, heap int64) []string {
	const option = "--max-old-space-size"
	if m.Budget == 0 || strings.Contains(strings.ReplaceAll(given, "_", "-"), option) {
		return nil
	}
	return []string{"NODE_OPTIONS=" + strings.TrimSpace(fmt.Sprintf("%s %s=%d", given, option, max(heap, leastHeap)>>20))}
}
