package protocol

// FailuresName is the file in [StateDir] in which the agent records hooks without
// an answer: one [HookFailure] per line, the oldest first. When it is full, it is
// renamed to FailuresName+".1", which replaces the previous one.
const FailuresName = "hook-failures.jsonl"

// TimeoutName is the file in [StateDir] that exists while the daemon hangs: a
// hook got no answer in time. It identifies the daemon's socket at that time.
// Hooks ping the daemon first if the file is about its present socket.
const TimeoutName = "hook-silence"

// A HookFailure is one hook without an answer. It contains nothing of the hook's
// input but names and ids.
type HookFailure struct {
	Time      string `json:"time"` // RFC 3339
	Event     Event  `json:"event"`
	SessionID string `json:"session_id,omitempty"`
	Reason    string `json:"reason"`
	Closed    bool   `json:"closed,omitempty"` // it was refused; else it passed unchecked
}
