// Package health is `agent health`: it checks whether the daemon answers, and
// whether its language servers are ready.
package health

import (
	"fmt"
	"io"
	"strings"
	"time"

	"tidepool/agent/internal/client"
	"tidepool/internal/wording"
	"tidepool/protocol"
)

// How long to wait if [Check].Timeout is zero.
const (
	pongLimit  = 2 * time.Second
	readyLimit = 2 * time.Minute
)

// askAgain is the pause between two requests to a daemon that did not wait itself.
const askAgain = 200 * time.Millisecond

// A Check is one run of `agent health`.
type Check struct {
	Place   protocol.Place
	Ready   bool          // wait for the language servers as well
	Timeout time.Duration // 0: 2 s, with Ready 2 min
	Stderr  io.Writer     // nothing is printed for a healthy daemon
}

// Run returns the exit status: 0 if the daemon is healthy, else 1.
func (c *Check) Run() int {
	err := c.check()
	if err == nil {
		return 0
	}
	fmt.Fprintf(c.Stderr, "error: %v\n", err)
	if hint := wording.HintOf(err); hint != "" {
		fmt.Fprintf(c.Stderr, "hint: %s\n", hint)
	}
	return 1
}

func (c *Check) check() error {
	limit := c.Timeout
	switch {
	case limit > 0:
	case c.Ready:
		limit = readyLimit
	default:
		limit = pongLimit
	}
	deadline := time.Now().Add(limit)
	if err := ping(c.Place, deadline); err != nil {
		return err
	}
	if c.Ready {
		return ready(c.Place, deadline)
	}
	return nil
}

func ping(place protocol.Place, deadline time.Time) error {
	response, err := client.Ask(place, &protocol.Ping{}, deadline)
	if err != nil {
		return err
	}
	if _, ok := response.(*protocol.Pong); !ok {
		return &client.BrokenError{Reason: fmt.Sprintf("the daemon answered a ping with %T", response)}
	}
	return nil
}

// ready asks repeatedly until the servers are ready: the daemon limits its own wait.
func ready(place protocol.Place, deadline time.Time) error {
	for {
		response, err := client.Ask(place, &protocol.StatusRequest{WaitReady: true}, deadline)
		if err != nil {
			return err
		}
		status, ok := response.(*protocol.StatusResponse)
		if !ok {
			return &client.BrokenError{Reason: fmt.Sprintf("the daemon answered a status request with %T", response)}
		}
		if status.Ready {
			return nil
		}
		if time.Now().After(deadline) || settled(status) {
			return &notReadyError{status}
		}
		time.Sleep(min(askAgain, time.Until(deadline)))
	}
}

// settled reports whether no server can become ready by waiting.
func settled(status *protocol.StatusResponse) bool {
	for _, server := range status.LanguageServers {
		switch server.State {
		case "starting", "indexing", "backoff":
			return false
		}
	}
	return true
}

// A notReadyError names the language servers that are not ready.
type notReadyError struct{ status *protocol.StatusResponse }

func (e *notReadyError) Error() string {
	var states []string
	for _, server := range e.status.LanguageServers {
		if server.State == "ready" || server.State == "idle" {
			continue
		}
		state := fmt.Sprintf("%s (%s) is %s", server.Language, server.Command, server.State)
		if server.Message != "" {
			state += ": " + server.Message
		}
		states = append(states, state)
	}
	if states == nil {
		states = []string{"answers are " + e.status.Completeness}
	}
	return "the daemon answers, but its language servers are not ready: " + strings.Join(states, "; ")
}

func (e *notReadyError) Hint() string {
	return "`controlserver status` shows more; a larger --timeout waits longer"
}
