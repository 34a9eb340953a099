//go:build linux

package escape

import (
	"errors"
	"net"
	"os"
	"path/filepath"
	"sync"

	"tidepool/internal/sandbox"
)

// An ownSocket is the socket that a command may reach, so that every way is tried beside one. Goroutine: one accepts, until close.
type ownSocket struct {
	dir    string
	listen net.Listener
	err    error
	wait   sync.WaitGroup
}

// open makes the socket.
func (o *ownSocket) open() (sandbox.Socket, bool) {
	if o.dir, o.err = os.MkdirTemp("", "own"); o.err != nil {
		return sandbox.Socket{}, false
	}
	path := filepath.Join(o.dir, "s")
	if o.listen, o.err = net.Listen("unix", path); o.err != nil {
		return sandbox.Socket{}, false
	}
	o.wait.Go(func() {
		for {
			c, err := o.listen.Accept()
			if err != nil {
				return
			}
			c.Close()
		}
	})
	return sandbox.Socket{Path: path}, true
}

// close ends and removes the socket.
func (o *ownSocket) close() error {
	if o.listen != nil {
		o.err = errors.Join(o.err, o.listen.Close())
	}
	o.wait.Wait()
	if o.dir != "" {
		o.err = errors.Join(o.err, os.RemoveAll(o.dir))
	}
	return o.err
}
