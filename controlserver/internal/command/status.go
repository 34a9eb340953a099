package command

import (
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"tidepool/controlserver/internal/page"
	"tidepool/controlserver/internal/serve"
	"tidepool/controlserver/internal/statuspage"
	"tidepool/internal/daemon"
	"tidepool/internal/state"
	"tidepool/protocol"
)

// Status prints how the daemon is.
type Status struct {
	JSON    bool          `help:"Print one JSON object."`
	Timeout time.Duration `help:"How long the daemon may take to answer." default:"5s"`
}

// Run prints how the daemon is. That there is none is an error; what failed for it is printed all the same.
func (c *Status) Run(place protocol.Place, std Stdio) error {
	failures, err := statuspage.ReadFailures(state.Of(place.Project))
	if err != nil {
		return fmt.Errorf("reading what failed: %w", err)
	}
	status, missing := c.ask(place)
	if c.JSON {
		whole := wholeStatus{Running: status != nil, StatusResponse: status, Failures: latest(failures, statuspage.ShownFailures)}
		if missing != nil {
			whole.Error = missing.Error()
		}
		return errors.Join(json.NewEncoder(std.Out).Encode(whole), missing)
	}
	p := page.New(std.Out)
	if status != nil {
		statuspage.Print(p, status)
	}
	statuspage.PrintFailures(p, failures)
	return errors.Join(p.Err(), missing)
}

// wholeStatus is the status and what is known without a daemon.
type wholeStatus struct {
	Running bool   `json:"running"`
	Error   string `json:"error,omitempty"` // why the rest is missing
	*protocol.StatusResponse
	Failures []protocol.HookFailure `json:"hook_failures"` // got no answer; the oldest first, the latest ones only
}

func latest[T any](list []T, n int) []T { return list[max(0, len(list)-n):] }

// ask returns the status, or why there is none.
func (c *Status) ask(place protocol.Place) (*protocol.StatusResponse, error) {
	owner, running, err := daemon.Find(daemon.LockPath(place.Socket))
	if err != nil {
		return nil, err
	}
	if !running {
		return nil, notRunning(place)
	}
	status, err := exchange[*protocol.StatusResponse](place.Socket, &protocol.StatusRequest{}, c.Timeout)
	if err != nil {
		return nil, &commandError{
			fmt.Sprintf("the daemon (pid %d) does not say how it is: %v", owner.PID, err),
			"its log is " + serve.LogPath(place) + "; controlserver stop ends it",
		}
	}
	return status, nil
}

// configurationOf returns what the project's daemon says of itself, settings and environment included; nil if none runs, or if it is of a
// version that does not tell.
func configurationOf(place protocol.Place) *protocol.StatusResponse {
	if _, running, err := daemon.Find(daemon.LockPath(place.Socket)); err != nil || !running {
		return nil
	}
	status, err := exchange[*protocol.StatusResponse](place.Socket, &protocol.StatusRequest{Configuration: true}, pingLimit)
	if err != nil || status.Configuration == nil || status.Scorer == nil {
		return nil
	}
	return status
}

func notRunning(place protocol.Place) error {
	hint := "the next session of Claude Code starts it; controlserver serve does so now"
	if !place.Managed {
		hint = "the project has no .tidepool yet: agent init sets it up"
	}
	return &commandError{"not running: no daemon serves " + place.Project, hint}
}
