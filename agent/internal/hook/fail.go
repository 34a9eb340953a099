package hook

import (
	"cmp"
	"fmt"
	"strings"

	"tidepool/internal/wording"
	"tidepool/protocol"
)

// fail ends a hook without an answer, as the fail mode says.
func (h *Hook) fail(place protocol.Place, raw []byte, err error) int {
	input, decodeErr := protocol.DecodeHookInput(raw)
	if decodeErr != nil {
		input = &protocol.HookInput{}
		if _, known := err.(*inputError); !known {
			err = noObject(decodeErr) // the input is wrong, whatever the daemon replied
		}
	}
	event := cmp.Or(h.Event, input.Event)
	closed := h.failsClosed()
	h.explain(event, err, closed)
	record{Event: event, SessionID: input.SessionID, Reason: recordable(err), Closed: closed}.append(place, h.Stderr)
	if closed {
		return h.refuse(event, input.StopHookActive, err)
	}
	return 0
}

// failsClosed reads the fail mode. It reports an unknown one on stderr and takes it for open.
func (h *Hook) failsClosed() bool {
	name, mode := h.failMode()
	if mode != "" && mode != "open" && mode != "closed" {
		fmt.Fprintf(h.Stderr, "tidepool: %s=%.40q is neither open nor closed: using open\n", name, mode)
	}
	return mode == "closed"
}

// failMode returns the mode that the user has set, and the variable; "" if none
// is set. MANTLE_FAIL_MODE is the older name.
func (h *Hook) failMode() (name, mode string) { return FailMode(h.Getenv) }

// FailMode returns the mode that the user has set in the environment, and the variable; "" if none is set.
func FailMode(getenv func(string) string) (name, mode string) {
	for _, name = range []string{"TIDEPOOL_FAIL_MODE", "MANTLE_FAIL_MODE"} {
		if mode = getenv(name); mode != "" {
			break
		}
	}
	return name, mode
}

// explain prints one line on stderr.
func (h *Hook) explain(event protocol.Event, err error, closed bool) {
	outcome := "passed unchecked"
	if closed {
		outcome = "refused (TIDEPOOL_FAIL_MODE=closed)"
	}
	fmt.Fprintf(h.Stderr, "tidepool: %.60s %s: %s\n", event, outcome, reasonAndHint(err))
}

// refuse denies the event: by JSON if its output has a decision, else by exit
// status 2, the only one that Claude Code treats as a refusal. The outputs of
// other clients differ, so for them it is always the status, which means the same there. A Stop that a hook has already
// prolonged once passes: the turn must end.
func (h *Hook) refuse(event protocol.Event, stopHookActive bool, err error) int {
	if stopHookActive && (event == protocol.Stop || event == protocol.SubagentStop) {
		return 0
	}
	output := protocol.Refuse(event, "tidepool cannot check this and fails closed: "+reasonAndHint(err))
	if output == nil || h.Runtime != "claude" {
		return 2
	}
	if _, err := h.Stdout.Write(append(protocol.EncodeHookOutput(output), '\n')); err != nil {
		return 2
	}
	return 0
}

func reasonAndHint(err error) string {
	text := err.Error()
	if hint := wording.HintOf(err); hint != "" {
		text += ": " + hint
	}
	return strings.ReplaceAll(text, "\n", " ")
}
