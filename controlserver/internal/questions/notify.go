package questions

import (
	"context"
	"log/slog"
	"os/exec"
	"sync"
	"time"

	"tidepool/protocol"
)

// notifyTimeout is how long the program for a question may run.
const notifyTimeout = 10 * time.Second

// A Notifier runs the user's program for each question. Goroutines: one for each program that runs. Close ends them and waits for
// them.
type Notifier struct {
	command []string // program and arguments; empty: nothing is run
	log     *slog.Logger

	ctx     context.Context
	cancel  context.CancelFunc
	running sync.WaitGroup
}

// NewNotifier returns a Notifier that runs a program with its arguments and the question. Without a program it runs nothing.
func NewNotifier(command []string, log *slog.Logger) *Notifier {
	n := &Notifier{command: command, log: log}
	n.ctx, n.cancel = context.WithCancel(context.Background())
	return n
}

// Notify runs the program for a question. It logs errors.
func (n *Notifier) Notify(q protocol.Question) {
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

// Close ends the programs that run.
func (n *Notifier) Close() {
	n.cancel()
	n.running.Wait()
}
