package protocol

// FailuresName is the file in [StateDir] in which the agent records hooks that
// got no answer: one [HookFailure] a line, the oldest first. When it is full it
// becomes FailuresName+".1", in place of the one before.
const FailuresName = "hook-failures.jsonl"

// SilenceName is the file in [StateDir] that the agent leaves there while the
// daemon has left a hook without an answer in time. It names the daemon's socket,
// as it was then; without it, or once it is about another socket, hooks wait as
// long as they may.
const SilenceName = "hook-silence"

// A HookFailure is one hook that got no answer. It holds nothing of what the
// hook was about.
type HookFailure struct {
	Time      string `json:"time"` // RFC 3339
	Event     Event  `json:"event"`
	SessionID string `json:"session_id,omitempty"`
	Reason    string `json:"reason"`
	Closed    bool   `json:"closed,omitempty"` // it was refused; else it passed unchecked
}
