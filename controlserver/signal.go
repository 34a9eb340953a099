package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

// A lifetime says when to stop: quit ends with the first signal, hurry with the second.
type lifetime struct{ quit, hurry context.Context }

// untilSignals returns a lifetime and what releases it. Signals that this process was started to ignore, as by nohup
// or in the background of a script, stay ignored. One goroutine, until release.
func untilSignals() (life lifetime, release func()) {
	quit, endQuit := context.WithCancel(context.Background())
	hurry, endHurry := context.WithCancel(context.Background())
	received := make(chan os.Signal, 2)
	for _, s := range []os.Signal{syscall.SIGTERM, os.Interrupt, syscall.SIGHUP} {
		if !signal.Ignored(s) {
			signal.Notify(received, s)
		}
	}
	go func() {
		for _, end := range []func(){endQuit, endHurry} {
			<-received
			end()
		}
		signal.Stop(received) // a third ends the process at once
	}()
	return lifetime{quit, hurry}, func() {
		signal.Stop(received)
		close(received)
	}
}
