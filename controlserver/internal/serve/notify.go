package serve

import (
	"context"
	"log/slog"
	"os/exec"
	"sync"
	"time"

	"tidepool/protocol"
)

// notifyTimeout is how long the program that tells of a question may run.
const notifyTimeout = 10 * time.Second

// A notifier runs the user's program for each question. Goroutines: one for each program that runs; close ends and awaits
// them.
type notifier struct {
	command []string // program and arguments; empty: nothing is run
	log     *slog.Logger

	ctx     context.Context
	cancel  context.CancelFunc
	running sync.WaitGroup
}

func newNotifier(command []string, log *slog.Logger) *notifier {
	n := &notifier{command: command, log: log}
	n.ctx, n.cancel = context.WithCancel(context.Background())
	return n
}

// notify tells of a question. What goes wrong is logged.
func (n *notifier) notify(q protocol.Question) {
	if len(n.command) == 0 {
		return
	}
	n.running.Go(func() {
		ctx, cancel := context.WithTimeout(n.ctx, notifyTimeout)
		defer cancel()
		cmd := exec.CommandContext(ctx, n.command[0], append(n.command[1:len(n.command):len(n.command)], q.Text)...)
		cmd.WaitDelay = time.Second
		if err := cmd.Run(); err != nil {
			n.log.Warn("questions.notify failed", "program", n.command[0], "err", err)
		}
	})
}

func (n *notifier) close() {
	n.cancel()
	n.running.Wait()
}
