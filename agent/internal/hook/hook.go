// Package hook is `agent hook`: it reads one hook event of Claude Code from
// stdin and prints the daemon's answer on stdout, and nothing else.
//
// In a project without a .tidepool directory the hook reads nothing, prints
// nothing and exits with 0, so it may be installed for all of a user's projects.
// Elsewhere a hook without an answer fails as $TIDEPOOL_FAIL_MODE says: open, and
// the client continues as if there were no hook; or closed, and the event is
// refused. In both modes the reason is on stderr and in
// .tidepool/hook-failures.jsonl.
//
// The command line names the event, whatever the input says: the client was set
// up to run this command for that event. A tool call without the name of its tool
// cannot be judged and counts as unanswered.
//
// The whole hook ends within the time that agent init sets in the client
// ([protocol.TimeOf]): a hook that the client kills refuses nothing. After a hook
// without an answer in time, the next ones ping the daemon first (timeoutmark.go),
// so a daemon that hangs costs one wait.
//
// The package uses one goroutine and allocates little: the process takes 1.4 ms
// and pays 4 µs for each page of memory that it touches first. A timer or a
// goroutine for the deadline would cost 2 % more than select(2) on stdin, one
// json.Unmarshal 5 %, so the path of a good reply has neither. make bench compares
// the whole with a bare round trip.
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
	Event   protocol.Event // as on the command line
	Runtime string         // whose hook it is, see [protocol.IsRuntime]
	Start   time.Time      // when the process began
	Dir     string         // the working directory, absolute
	Getenv  func(string) string
	Environ func() []string // for the fingerprints of its secrets; nil: none are sent
	Stdin   *os.File
	Stdout  io.Writer
	Stderr  io.Writer

	// Launcher returns what starts daemons. It is called at the start of a session,
	// and at a prompt without a daemon. nil: no daemon is started.
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
	event, err := h.event(place, input)
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

// limit returns how long the hook may wait, from its start: $TIDEPOOL_HOOK_TIMEOUT,
// a duration as Go writes it, or the event's own limit. A longer duration counts,
// because the user may have raised the client's timeout by hand. It does not count
// at the end of a session, where the client's timeout is fixed, and not for an
// event that can be refused. It does not shorten an Elicitation, which a person
// answers.
func (h *Hook) limit() time.Duration {
	most := waitLimit(protocol.TimeOf(h.Event).Limit)
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

// probeLimit is how long a daemon may take to answer a Ping.
const probeLimit = 5 * time.Second

// probe pings the daemon and returns an error if it does not answer. The answer to
// an Elicitation may take minutes, and a daemon that hangs must not delay the
// dialog that long.
func (h *Hook) probe(place protocol.Place) error {
	deadline := h.Start.Add(probeLimit)
	_, err := client.Ask(place, &protocol.Ping{}, deadline)
	if client.IsAbsent(err) && new(launch.Launcher).Join(place, within(startLimit, deadline)) == nil {
		_, err = client.Ask(place, &protocol.Ping{}, deadline)
	}
	return err
}

// waitLimit returns how much of a hook's time it may spend waiting. The rest is for
// starting the process, and afterwards for refusing and recording, on a busy
// machine.
func waitLimit(limit time.Duration) time.Duration { return limit * 19 / 20 }
