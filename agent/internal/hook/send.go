package hook

import (
	"errors"
	"os"
	"time"

	"tidepool/agent/internal/client"
	"tidepool/agent/internal/launch"
	"tidepool/protocol"
)

// startLimit is how long a hook waits for a daemon to start. That takes 30 ms
// (make bench), or the time in which a previous daemon drains.
const startLimit = 3 * time.Second

// promptLimit is how long a prompt waits for a daemon that it has started, and for
// its answer, from the start of the hook: no longer than the user hardly notices.
// A hook that fails closed waits for startLimit, since it would refuse the prompt.
const promptLimit = 300 * time.Millisecond

// send sends the event to the daemon. It does not send it to a daemon that hangs,
// and marks one that does not answer in time.
func (h *Hook) send(place protocol.Place, event *protocol.HookEvent, deadline time.Time) (protocol.Response, error) {
	if err := checkHang(place, deadline); err != nil {
		return nil, err
	}
	response, err := h.deliver(place, event, deadline)
	if errors.Is(err, os.ErrDeadlineExceeded) && !time.Now().Before(deadline) {
		markTimeout(place)
	}
	return response, err
}

// deliver sends the event. SessionStart starts the daemon if there is none, or if
// the running one is of another build; UserPromptSubmit, if there is none. Other
// events only wait for a daemon that is being started.
func (h *Hook) deliver(place protocol.Place, event *protocol.HookEvent, deadline time.Time) (protocol.Response, error) {
	if h.Event == protocol.SessionStart && h.Launcher != nil {
		return h.sendFirst(place, event, deadline)
	}
	response, err := client.Ask(place, event, deadline)
	if client.IsAbsent(err) && h.Event == protocol.UserPromptSubmit && h.Launcher != nil {
		return h.sendPrompt(place, event, deadline, err)
	}
	if client.IsAbsent(err) && new(launch.Launcher).Join(place, within(startLimit, deadline)) == nil {
		return client.Ask(place, event, deadline)
	}
	return response, err
}

// sendFirst sends the first event of a session. It starts another daemon if the one
// that it found exits before the event is sent.
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

// sendPrompt starts a daemon and sends it a prompt. absent is the error where none
// may be started.
func (h *Hook) sendPrompt(place protocol.Place, event *protocol.HookEvent, deadline time.Time, absent error) (protocol.Response, error) {
	soon := h.Start.Add(promptLimit)
	if _, mode := h.failMode(); mode != "closed" && soon.Before(deadline) {
		deadline = soon
	}
	switch err := h.Launcher().Start(place, within(startLimit, deadline)); {
	case errors.Is(err, launch.ErrNobody):
		return nil, absent
	case err != nil:
		return nil, err
	}
	return client.Ask(place, event, deadline)
}

// within returns the earlier of the deadline and limit from now.
func within(limit time.Duration, deadline time.Time) time.Time {
	if soon := time.Now().Add(limit); soon.Before(deadline) {
		return soon
	}
	return deadline
}
