package server

import (
	"errors"
	"time"

	"tidepool/protocol"
)

// lineMemory bounds the memory of long lines over all connections, from the byte that makes a line long until its reply.
//
// Lines up to protocol.ShortLine need no slot, so small requests never wait for large ones. Slots have three sizes, the steps
// in which a protocol.Reader asks. A line that needs a larger slot keeps its smaller one while it waits. There is no deadlock:
// a line with the largest slot waits for nothing. Slots are granted in the order of the requests.
type lineMemory struct {
	sizes  [3]int
	places [3]chan struct{} // hold one element for each line
}

// newLineMemory makes slots for 64 lines of 256 KiB, 8 of 2 MiB and 2 of 16 MiB: 64 MiB together. What a handler decodes from a
// line, such as the input of a tool, is as large again.
func newLineMemory() *lineMemory {
	r := &lineMemory{sizes: [3]int{256 << 10, 2 << 20, protocol.MaxLine + 1}}
	for i, n := range [3]int{64, 8, 2} {
		r.places[i] = make(chan struct{}, n)
	}
	return r
}

// errNoLineMemory is the reply to a line that got no slot in time.
var errNoLineMemory = errors.New("too many long lines are being answered: send it again in a moment")

// A lineSlot is the slot of one line. The zero value is none.
type lineSlot struct{ of chan struct{} }

// release gives the slot back. Later calls do nothing.
func (p *lineSlot) release() {
	if p.of != nil {
		<-p.of
		p.of = nil
	}
}

// acquire exchanges p for a slot of at least size bytes. It waits at most limit, or until quit.
func (r *lineMemory) acquire(p *lineSlot, size int, limit time.Duration, quit <-chan struct{}) error {
	i := 0
	for r.sizes[i] < size {
		i++
	}
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case r.places[i] <- struct{}{}:
		p.release()
		p.of = r.places[i]
		return nil
	case <-timer.C:
		return errNoLineMemory
	case <-quit:
		return errShutdown
	}
}
