package protocol

import "time"

// A HookTime is how long one hook may take, from the start of its process to its
// exit.
type HookTime struct {
	// Limit is the time after which agent hook has exited, with an answer or without.
	Limit time.Duration
	// Timeout is what agent init writes into the client's settings, in whole
	// seconds. The client then kills the hook, drops its output, and continues as
	// if there were no hook. A refusal must come before.
	Timeout time.Duration
}

// TimeOf returns the times of an event, known or not. The agent and agent init
// both use it, so Limit stays below Timeout. Claude Code gives all hooks of
// SessionEnd 1.5 s together, whatever the settings say.
func TimeOf(e Event) HookTime {
	switch e {
	case SessionEnd:
		return HookTime{Limit: 800 * time.Millisecond, Timeout: time.Second}
	case Elicitation: // a person answers
		return HookTime{Limit: 570 * time.Second, Timeout: 600 * time.Second}
	}
	return HookTime{Limit: 6 * time.Second, Timeout: 10 * time.Second}
}
