package server

import (
	"context"

	"tidepool/internal/peer"
)

type peerKey struct{}

// PeerPID returns the process that made the connection of a call, from the context of its handler. 0: the system does not tell.
// The process may have ended since, or have passed the connection to another one.
func PeerPID(ctx context.Context) int {
	if c, is := ctx.Value(peerKey{}).(*conn); is {
		c.peerOnce.Do(func() { c.peer = peer.PID(c.net) })
		return c.peer
	}
	return 0
}
