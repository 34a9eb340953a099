package daemontest

import (
	"context"
	"errors"
	"net"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"tidepool/internal/server"
)

// stopLimit bounds the end of a server.
const stopLimit = 5 * time.Second

// Serve answers on the socket of a project, in this process, until stop. Goroutines: the server's, and the one that it accepts
// in; both have ended when stop returns.
func Serve(project string, options server.Options) (stop func() error, err error) {
	if err := os.MkdirAll(filepath.Dir(Socket(project)), 0o700); err != nil {
		return nil, err
	}
	listener, err := net.Listen("unix", Socket(project))
	if err != nil {
		return nil, err
	}
	s := server.New(options)
	served := make(chan error, 1)
	go func() { served <- s.Serve(listener) }()
	return sync.OnceValue(func() error {
		ctx, cancel := context.WithTimeout(context.Background(), stopLimit)
		defer cancel()
		return errors.Join(s.Shutdown(ctx), <-served)
	}), nil
}

// StartServer is Serve for a test, which ends the server if nobody has called stop.
func StartServer(t testing.TB, project string, options server.Options) (stop func()) {
	t.Helper()
	end, err := Serve(project, options)
	if err != nil {
		t.Fatal(err)
	}
	stop = func() {
		if err := end(); err != nil {
			t.Error(err)
		}
	}
	t.Cleanup(stop)
	return stop
}
