package server

import (
	"errors"
	"time"

	"tidepool/protocol"
)

// A room bounds the memory that long lines take, over all connections, from the byte that makes them long until they
// are answered. Lines up to protocol.ShortLine need no place, so that small requests never wait for large ones. There
// are places of three sizes, the steps in which a protocol.Reader asks: who needs a larger one waits for it while it
// keeps the smaller, and who has the largest waits for nothing, so that all get on. Places are given in the order in
// which they were asked for.
type room struct {
	sizes  [3]int
	places [3]chan struct{} // hold one element for each line
}

// All places together are 64 lines of 256 KiB, 8 of 2 MiB and 2 of 16 MiB: 64 MiB. What a handler makes of a line, as
// the decoded input of a tool, is as large again.
func newRoom() *room {
	r := &room{sizes: [3]int{256 << 10, 2 << 20, protocol.MaxLine + 1}}
	for i, n := range [3]int{64, 8, 2} {
		r.places[i] = make(chan struct{}, n)
	}
	return r
}

// errNoRoom is the answer to a line that found no place in time.
var errNoRoom = errors.New("too many long lines are being answered: send it again in a moment")

// A place is held by one line. The zero value holds none.
type place struct{ of chan struct{} }

func (p *place) leave() {
	if p.of != nil {
		<-p.of
		p.of = nil
	}
}

// enter exchanges a place for one of a size, in bytes, and waits for it at most so long, or until quit.
func (r *room) enter(p *place, size int, limit time.Duration, quit <-chan struct{}) error {
	i := 0
	for r.sizes[i] < size {
		i++
	}
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case r.places[i] <- struct{}{}:
		p.leave()
		p.of = r.places[i]
		return nil
	case <-timer.C:
		return errNoRoom
	case <-quit:
		return errShutdown
	}
}
