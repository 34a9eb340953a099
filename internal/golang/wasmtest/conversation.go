package wasmtest

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"time"

	"tidepool/internal/golang/process"
)

const (
	watching = 100 * time.Millisecond // how often a process's time is looked at
	leaving  = time.Second            // how long it may take to end after its last word
)

// A conversation is the exchange with one process that runs tests of one package.
// Goroutines: those of the process, and one that reads its messages; converse waits for all of them.
type conversation struct {
	bounds Bounds
	nice   int
	hear   func(message)

	process *process.Process
	born    time.Time
	words   output        // of its standard error
	begun   string        // the test that runs
	timed   bool          // something of the package's own runs
	before  time.Duration // processor time when it began
	used    time.Duration // processor time when last looked at
}

// converse sends an order to a program and follows it to its end, or that of ctx. It returns why the process had to be killed, or
// exited during a test; "" if neither. An error means that there is no process.
func (c *conversation) converse(ctx context.Context, program []string, o order) (reason string, err error) {
	cmd := exec.Command(program[0], program[1:]...)
	cmd.Env, cmd.Dir, cmd.Stderr = []string{"GOMAXPROCS=1"}, os.TempDir(), &c.words
	stdin, err := cmd.StdinPipe()
	if err != nil {
		return "", err
	}
	out, writer, err := os.Pipe()
	if err != nil {
		return "", err
	}
	defer out.Close()
	cmd.Stdout = writer
	c.born = time.Now()
	c.process, err = process.Start(cmd, c.nice)
	writer.Close()
	if err != nil {
		return "", fmt.Errorf("starting what runs tests: %w", err)
	}
	json.NewEncoder(stdin).Encode(o) // one that does not read it ends without a message
	messages, done := make(chan message), make(chan struct{})
	go read(out, messages, done)
	reason = c.listen(ctx, messages)
	c.process.Kill()
	close(done)
	for range messages { // the reader closes it
	}
	return reason, nil
}

// read reads messages until the output ends or the conversation is over.
func read(out io.Reader, messages chan<- message, done <-chan struct{}) {
	defer close(messages)
	for dec := json.NewDecoder(out); ; {
		var m message
		if dec.Decode(&m) != nil {
			return
		}
		select {
		case messages <- m:
		case <-done:
			return
		}
	}
}

// listen handles the messages of the process until its output ends, or it must be killed.
func (c *conversation) listen(ctx context.Context, messages <-chan message) (reason string) {
	tick := time.NewTicker(watching)
	defer tick.Stop()
	for {
		select {
		case m, more := <-messages:
			if !more {
				return c.end()
			}
			c.take(m)
		case <-tick.C:
			if reason := c.watch(); reason != "" {
				return reason
			}
		case <-ctx.Done():
			return ""
		}
	}
}

func (c *conversation) take(m message) {
	switch {
	case m.Loaded, m.Begun != "":
		c.look()
		c.begun, c.timed, c.before = m.Begun, true, c.used
	case m.Translates:
		c.timed = false
	case m.Tests != nil, m.Ended != nil:
		c.begun, c.timed = "", false
	}
	c.hear(m)
}

// watch says whether too much time has been taken.
func (c *conversation) watch() (reason string) {
	c.look()
	switch {
	case c.timed && c.used-c.before > c.bounds.Test:
		return fmt.Sprintf("it took more than %v of processor time", c.bounds.Test)
	case c.used > c.bounds.Package:
		return "the tests of its package took too much processor time"
	}
	return ""
}

func (c *conversation) look() {
	if used, err := processorTime(c.process.Cmd.Process.Pid, c.born); err == nil {
		c.used = used
	}
}

// end waits for the exit of a process that has closed its output.
func (c *conversation) end() (reason string) {
	patience := time.NewTimer(leaving)
	defer patience.Stop()
	select {
	case <-c.process.Exited():
	case <-patience.C:
		c.process.Kill()
	}
	state := c.process.Cmd.ProcessState
	if c.begun == "" && state.Success() {
		return ""
	}
	return strings.TrimSuffix("the sandbox ended: "+state.String()+": "+c.words.words(), ": ")
}
