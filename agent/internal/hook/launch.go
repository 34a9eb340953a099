package hook

import (
	"errors"
	"os"
	"time"

	"tidepool/agent/internal/client"
	"tidepool/agent/internal/launch"
	"tidepool/protocol"
)

// startLimit is how long a hook waits for a daemon that is being started. That
// takes 30 ms (make bench), or as long as an earlier daemon has to drain.
const startLimit = 3 * time.Second

// send sends the event to the daemon, unless that is known to hang and still
// does, and leaves a mark if it does not answer in time.
func (h *Hook) send(place protocol.Place, event *protocol.HookEvent, deadline time.Time) (protocol.Response, error) {
	if err := hail(place, deadline); err != nil {
		return nil, err
	}
	response, err := h.deliver(place, event, deadline)
	if errors.Is(err, os.ErrDeadlineExceeded) {
		markSilent(place)
	}
	return response, err
}

// deliver sends the event. The one that begins a session starts
// the daemon if there is none, or one of another build; any other one only waits
// for a daemon that is being started.
func (h *Hook) deliver(place protocol.Place, event *protocol.HookEvent, deadline time.Time) (protocol.Response, error) {
	if h.Event == protocol.SessionStart && h.Launcher != nil {
		return h.sendFirst(place, event, deadline)
	}
	response, err := client.Ask(place, event, deadline)
	if client.IsAbsent(err) && new(launch.Launcher).Join(place, within(startLimit, deadline)) == nil {
		return client.Ask(place, event, deadline)
	}
	return response, err
}

// sendFirst starts a daemon again if the one that it has found leaves before
// the event is sent.
func (h *Hook) sendFirst(place protocol.Place, event *protocol.HookEvent, deadline time.Time) (protocol.Response, error) {
	launcher := h.Launcher()
	start := launcher.Renew
	for {
		failed := start(place, within(startLimit, deadline))
		response, err := client.Ask(place, event, deadline)
		switch {
		case !client.IsAbsent(err), errors.Is(failed, launch.ErrNobody):
			return response, err
		case failed != nil:
			return nil, failed
		}
		start = launcher.Start
	}
}

// within is the earlier of the deadline and limit from now.
func within(limit time.Duration, deadline time.Time) time.Time {
	if soon := time.Now().Add(limit); soon.Before(deadline) {
		return soon
	}
	return deadline
}
