// Demo shows both programs on this repository: a daemon, a recorded hook
// through agent hook, and an MCP conversation through agent mcp. It prints
// what a person and a model would see, and how long each step took, and
// leaves nothing running.
//
// Run it by make demo, which builds what it needs.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"sync"
	"syscall"
	"time"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx); err != nil {
		fmt.Fprintf(os.Stderr, "error: %v\n", err)
		stop()
		os.Exit(1)
	}
}

func run(ctx context.Context) (err error) {
	project, err := os.Getwd()
	if err != nil {
		return err
	}
	bin := filepath.Join(project, "bin")
	for _, name := range []string{"agent", "controlserver", "gopls"} {
		if _, err := os.Stat(filepath.Join(bin, name)); err != nil {
			return fmt.Errorf("bin/%s is not there: run make demo in the root of the checkout", name)
		}
	}
	d := &daemon{bin: bin, project: project}
	if err := d.start(ctx); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, d.stop()) }()
	if err := playHook(ctx, d); err != nil {
		return err
	}
	if err := d.waitReady(ctx); err != nil {
		return err
	}
	return playConversation(ctx, d)
}

// step prints a heading; the function it returns prints how long the step took.
func step(format string, args ...any) (took func()) {
	fmt.Printf("\n== "+format+"\n", args...)
	start := time.Now()
	return func() { fmt.Printf("  (%s)\n", round(time.Since(start))) }
}

// tick says every second that something is still going on, until the function
// it returns is called; more calls of that do nothing.
func tick(what string) (done func()) {
	start, stop := time.Now(), make(chan struct{})
	var ticking sync.WaitGroup
	ticking.Go(func() {
		ticker := time.NewTicker(time.Second)
		defer ticker.Stop()
		for {
			select {
			case <-ticker.C:
				fmt.Printf("  %s … %ds\n", what, int(time.Since(start).Seconds()))
			case <-stop:
				return
			}
		}
	})
	return sync.OnceFunc(func() {
		close(stop)
		ticking.Wait()
	})
}

func round(d time.Duration) time.Duration {
	if d < 100*time.Millisecond {
		return d.Round(100 * time.Microsecond)
	}
	return d.Round(10 * time.Millisecond)
}
