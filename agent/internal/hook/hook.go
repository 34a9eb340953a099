// Package hook is `agent hook`: one hook event of Claude Code goes in on
// stdin, the daemon's answer comes out on stdout, and nothing else does.
//
// A project without a .tidepool directory is left alone: the hook reads
// nothing, says nothing and exits with 0, so that it may be installed for all
// of a user's projects. Elsewhere a hook that gets no answer fails as
// $TIDEPOOL_FAIL_MODE says: open, and the client goes on as if there were no
// hook; or closed, and what the event asks about is refused. Either way the
// reason is on stderr and in .tidepool/hook-failures.jsonl.
//
// The package does everything in order, in one goroutine, and allocates little:
// a process of 1.4 ms pays 4 µs for each page of memory it touches first. A
// timer or a goroutine for the deadline would cost it 2 % more than select(2)
// on stdin does, one json.Unmarshal 5 %, so the way of a good reply has
// neither. make bench holds the whole against a bare round trip.
package hook

import (
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"tidepool/agent/internal/client"
	"tidepool/agent/internal/launch"
	"tidepool/protocol"
)

// A Hook is one run of `agent hook`.
type Hook struct {
	Event   protocol.Event // as the command line has it; the input's own name decides
	Runtime string         // "claude" or "gemini"
	Start   time.Time      // when the process began
	Dir     string         // the working directory, absolute
	Getenv  func(string) string
	Stdin   *os.File
	Stdout  io.Writer
	Stderr  io.Writer

	// Launcher makes what starts daemons. It is called only at the start of a
	// session, and nil starts none.
	Launcher func() *launch.Launcher
}

// Run returns the exit status.
func (h *Hook) Run() int {
	place := protocol.Locate(h.Getenv, h.Dir)
	if !place.Managed {
		return 0
	}
	deadline := h.Start.Add(h.limit())
	input, err := readInput(h.Stdin, deadline)
	if err != nil {
		return h.fail(place, input, err)
	}
	output, status, err := h.ask(place, input, deadline)
	if err != nil {
		return h.fail(place, input, err)
	}
	if _, err := h.Stdout.Write(output); err != nil {
		fmt.Fprintf(h.Stderr, "tidepool: cannot print the daemon's answer: %v\n", err)
		return 1
	}
	return status
}

// ask returns what to print and the exit status.
func (h *Hook) ask(place protocol.Place, input []byte, deadline time.Time) (output []byte, status int, err error) {
	if h.Event == protocol.Elicitation {
		if err := h.probe(place); err != nil {
			return nil, 0, err
		}
	}
	response, err := h.send(place, &protocol.HookEvent{Input: input, Runtime: h.Runtime}, deadline)
	if err != nil {
		return nil, 0, err
	}
	reply, ok := response.(*protocol.HookResponse)
	if !ok {
		return nil, 0, &client.BrokenError{Reason: fmt.Sprintf("the daemon answered the hook with %T", response)}
	}
	if reply.ExitCode < 0 || reply.ExitCode > 255 {
		return nil, 0, &client.BrokenError{Reason: fmt.Sprintf("the daemon answered the hook with exit status %d", reply.ExitCode)}
	}
	output, err = render(reply.Output)
	return output, reply.ExitCode, err
}

// Claude Code gives a hook 600 s, or 30 on UserPromptSubmit, 10 on
// MessageDisplay and 1.5 on SessionEnd, and then kills it with no word to the
// user. Ours end first, and leave a record.
const (
	defaultLimit        = 10 * time.Second
	messageDisplayLimit = 5 * time.Second
	sessionEndLimit     = 1200 * time.Millisecond
	elicitationLimit    = 590 * time.Second // a person answers; `agent init` writes 600
)

// limit is how long the whole hook may take: $TIDEPOOL_HOOK_TIMEOUT, a
// duration as Go writes it, but no longer than the event leaves.
func (h *Hook) limit() time.Duration {
	limit := defaultLimit
	if text := h.Getenv("TIDEPOOL_HOOK_TIMEOUT"); text != "" {
		if d, err := time.ParseDuration(text); err == nil && d > 0 {
			limit = d
		} else {
			fmt.Fprintf(h.Stderr, "tidepool: TIDEPOOL_HOOK_TIMEOUT=%.40q is no duration such as 5s: using %v\n", text, defaultLimit)
		}
	}
	switch h.Event {
	case protocol.Elicitation:
		return elicitationLimit
	case protocol.SessionEnd:
		return min(limit, sessionEndLimit)
	case protocol.MessageDisplay:
		return min(limit, messageDisplayLimit)
	}
	return limit
}

// probeLimit is how long a daemon may take to say that it answers.
const probeLimit = 5 * time.Second

// probe returns an error unless the daemon answers at all. The answer to an
// Elicitation may take minutes; a daemon that hangs must not hold up the dialog
// for as long.
func (h *Hook) probe(place protocol.Place) error {
	deadline := h.Start.Add(probeLimit)
	_, err := client.Ask(place, &protocol.Ping{}, deadline)
	if client.IsAbsent(err) && new(launch.Launcher).Join(place, within(startLimit, deadline)) == nil {
		_, err = client.Ask(place, &protocol.Ping{}, deadline)
	}
	return err
}

// hintOf returns an error's advice, or "".
func hintOf(err error) string {
	var advised interface{ Hint() string }
	if errors.As(err, &advised) {
		return advised.Hint()
	}
	return ""
}
