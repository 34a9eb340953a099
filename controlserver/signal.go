package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"tidepool/controlserver/internal/serve"
)

// untilSignals returns signals and what releases it. Signals that this process was started to ignore, as by nohup
// or in the background of a script, stay ignored. One goroutine, until release.
//
// SIGHUP has two meanings: from a terminal that goes away it is a signal to stop, from anybody else a request to read
// the settings again.
func untilSignals() (signals serve.Signals, release func()) {
	quit, endQuit := context.WithCancel(context.Background())
	hurry, endHurry := context.WithCancel(context.Background())
	received := make(chan os.Signal, 2)
	for _, s := range []os.Signal{syscall.SIGTERM, os.Interrupt, syscall.SIGHUP} {
		if !signal.Ignored(s) {
			signal.Notify(received, s)
		}
	}
	reread := make(chan struct{}, 1)
	atTerminal := hasTerminal()
	go func() {
		ends := []func(){endQuit, endHurry}
		for s := range received {
			if s == syscall.SIGHUP && !(atTerminal && !hasTerminal()) {
				request(reread)
				continue
			}
			ends[0]()
			if ends = ends[1:]; len(ends) == 0 {
				signal.Stop(received) // a third ends the process at once
				return
			}
		}
	}()
	return serve.Signals{Quit: quit, Hurry: hurry, Reread: reread}, func() {
		signal.Stop(received)
		close(received)
	}
}

// request asks, unless a request is waiting already.
func request(reread chan<- struct{}) {
	select {
	case reread <- struct{}{}:
	default:
	}
}

// hasTerminal reports whether this process is under the control of a terminal that is there.
func hasTerminal() bool {
	tty, err := os.Open("/dev/tty")
	if err != nil {
		return false
	}
	_ = tty.Close()
	return true
}
