package protocol

import "time"

// A HookTime says how long one hook may take, from the start of its process to
// its exit.
type HookTime struct {
	// Limit is when agent hook has ended, answered or not.
	Limit time.Duration
	// Timeout is what agent init writes into the client's settings, in whole
	// seconds. The client kills the hook then, drops its output, and goes on as
	// if there were no hook: a refusal has to come before.
	Timeout time.Duration
}

// TimeOf returns the times of an event, known or not. The agent and agent init
// both have them from here, so that the first stays inside the second. Claude
// Code gives all hooks of SessionEnd 1.5 s together, whatever the settings say.
func TimeOf(e Event) HookTime {
	switch e {
	case SessionEnd:
		return HookTime{Limit: 800 * time.Millisecond, Timeout: time.Second}
	case Elicitation: // a person answers
		return HookTime{Limit: 570 * time.Second, Timeout: 600 * time.Second}
	}
	return HookTime{Limit: 6 * time.Second, Timeout: 10 * time.Second}
}
