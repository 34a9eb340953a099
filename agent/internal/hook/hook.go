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
// The command line says which event it is, whatever the input says: the client
// was set up to run this command for that event. What cannot be judged then, a
// tool call without the name of its tool, counts as unanswered.
//
// The whole hook ends inside the time that agent init asks the client for
// ([protocol.TimeOf]): a hook that the client has to kill refuses nothing. A
// daemon that has not answered one hook in time is asked whether it lives by
// those after it, see silence.go, so that a hung one costs one wait.
//
// The package does everything in order, in one goroutine, and allocates little:
// a process of 1.4 ms pays 4 µs for each page of memory it touches first. A
// timer or a goroutine for the deadline would cost it 2 % more than select(2)
// on stdin does, one json.Unmarshal 5 %, so the way of a good reply has
// neither. make bench holds the whole against a bare round trip.
package hook

import (
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
	Event   protocol.Event // as the command line has it
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
	event, err := h.event(input)
	if err != nil {
		return h.fail(place, input, err)
	}
	output, status, err := h.ask(place, event, deadline)
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
func (h *Hook) ask(place protocol.Place, event *protocol.HookEvent, deadline time.Time) (output []byte, status int, err error) {
	if h.Event == protocol.Elicitation {
		if err := h.probe(place); err != nil {
			return nil, 0, err
		}
	}
	response, err := h.send(place, event, deadline)
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

// limit is how long the hook may wait, from its start: $TIDEPOOL_HOOK_TIMEOUT, a
// duration as Go writes it, or what the event leaves. The client may have been
// given more time by hand, so a longer one counts, but not at the end of a
// session, where there is no more, and not where a refusal hangs on it. A person
// who answers an Elicitation is not hurried.
func (h *Hook) limit() time.Duration {
	most := patience(protocol.TimeOf(h.Event).Limit)
	text := h.Getenv("TIDEPOOL_HOOK_TIMEOUT")
	if text == "" || h.Event == protocol.Elicitation {
		return most
	}
	limit, err := time.ParseDuration(text)
	_, mode := h.failMode()
	switch {
	case err != nil || limit <= 0:
		fmt.Fprintf(h.Stderr, "tidepool: TIDEPOOL_HOOK_TIMEOUT=%.40q is no duration such as 5s: using %v\n", text, most)
		return most
	case limit > most && (h.Event == protocol.SessionEnd || mode == "closed"):
		return most
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

// patience is the part of a hook's time that it may spend on waiting. The rest
// is for starting the process before, and for refusing and the record after, on
// a busy machine.
func patience(limit time.Duration) time.Duration { return limit * 19 / 20 }
