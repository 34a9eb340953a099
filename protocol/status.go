package protocol

// A StatusRequest asks how the daemon is.
type StatusRequest struct {
	// WaitReady holds the answer until every language server is ready or has
	// failed, or the daemon's call timeout ends.
	WaitReady bool `json:"wait_ready,omitempty"`
}

// A StatusResponse tells how the daemon is. It holds no secret, no prompt and
// no file content.
type StatusResponse struct {
	PID             int              `json:"pid"`
	Version         string           `json:"version"`
	Project         string           `json:"project"`    // absolute directory
	StartedAt       string           `json:"started_at"` // RFC 3339
	UptimeMS        int64            `json:"uptime_ms"`  // milliseconds
	Ready           bool             `json:"ready"`      // one language server is, and none that is installed is on the way to it or broken
	Completeness    string           `json:"completeness"`
	LanguageServers []LanguageServer `json:"language_servers"`
	Clients         int              `json:"clients"` // attached now
	CallsInFlight   int              `json:"calls_in_flight"`
	Calls           int64            `json:"calls"` // tool calls since the start
	Hooks           map[string]int64 `json:"hooks"` // hook events since the start, by name

	Sessions    int            `json:"sessions,omitempty"`     // different sessions whose hooks came, at most 4,096
	MemoryBytes int64          `json:"memory_bytes,omitempty"` // resident memory of the daemon; 0 = unknown
	RecentHooks []HookOutcome  `json:"recent_hooks,omitempty"` // the oldest first
	Settings    *SettingsState `json:"settings,omitempty"`     // nil = the daemon does not tell
	Goroutines  int            `json:"goroutines,omitempty"`   // of the daemon; what steadily grows is a leak
	Problems    []string       `json:"problems,omitempty"`     // what the daemon cannot do, and why, for a person
	Questions   int            `json:"questions,omitempty"`    // that wait for the user
	Tracker     *TrackerState  `json:"tracker,omitempty"`      // nil = the issues have not been synced at the end of a turn
	Sources     []WorkSource   `json:"sources,omitempty"`      // what the state of the work is asked of; nil = not looked for yet

	MeasuredTests []MeasuredTests `json:"measured_tests,omitempty"` // Go modules that scout was asked about, the latest first

	Trust *TrustState `json:"trust,omitempty"` // nil = the daemon does not tell
}

// TrustState tells whether what the project brings along may run.
type TrustState struct {
	Trusted bool     `json:"trusted"`
	Reason  string   `json:"reason,omitempty"` // why that cannot be known, for a person
	Held    []string `json:"held,omitempty"`   // what does not run because of it, for a person
}

// MeasuredTests tells how far the tests of a Go module were run, each alone, to
// see which functions it runs.
type MeasuredTests struct {
	Module   string   `json:"module"`            // absolute directory
	Tests    int      `json:"tests"`             // that were run, of packages that are as they were then
	Packages int      `json:"packages"`          // with tests, when the module was looked at last
	Measured int      `json:"measured"`          // packages as they are now
	Stale    int      `json:"stale,omitempty"`   // packages that have changed since
	Failed   int      `json:"failed,omitempty"`  // packages that cannot be measured
	Waiting  int      `json:"waiting,omitempty"` // packages that will be without being asked for again; 1 = the module is not looked at yet
	Reasons  []string `json:"reasons,omitempty"` // why packages cannot be measured, each once
	CPUMS    int64    `json:"cpu_ms"`            // milliseconds of processor time that it took since the daemon's start
}

// A LanguageServer is one row of the status.
type LanguageServer struct {
	Language string `json:"language"`
	Command  string `json:"command"`       // the program, without its arguments
	PID      int    `json:"pid,omitempty"` // 0 = not running
	State    string `json:"state"`         // starting, indexing, ready, partial, backoff, missing, untrusted, failed, idle
	Since    string `json:"since"`         // RFC 3339, of the state
	Done     int    `json:"done,omitempty"`
	Total    int    `json:"total,omitempty"`
	Restarts int    `json:"restarts"`
	Message  string `json:"message,omitempty"` // why, and what to do

	Completeness string `json:"completeness,omitempty"` // of its answers: complete, indexing, partial, unknown
	MemoryBytes  int64  `json:"memory_bytes,omitempty"` // resident memory of its processes; 0 = unknown

	Trees []string `json:"trees,omitempty"` // checkouts that it serves, absolute
	Roots []string `json:"roots,omitempty"` // projects in them, absolute
	Note  string   `json:"note,omitempty"`  // why it was last stopped or restarted without anybody asking

	Drafts bool `json:"drafts,omitempty"` // changes are tried out in it; it answers no queries
}

// A WorkSource is a program that the state of the work is asked of, as it was
// found at the daemon's start.
type WorkSource struct {
	Name    string `json:"name"`              // git, bd, gh
	Path    string `json:"path,omitempty"`    // "" = it was not found
	Version string `json:"version,omitempty"` // "" = it does not say
	Reason  string `json:"reason,omitempty"`  // why there is no path or no version
}

// A TrackerState tells of the latest sync of the issues at the end of a turn.
type TrackerState struct {
	At     string `json:"at"` // RFC 3339, when it ended
	TookMS int64  `json:"took_ms"`
	Synced bool   `json:"synced"`
	How    string `json:"how,omitempty"`    // the command
	Reason string `json:"reason,omitempty"` // why it has not synced, and what to do
}

// A HookOutcome is what became of one hook event. It holds nothing of what the
// event was about.
type HookOutcome struct {
	Time     string `json:"time"` // RFC 3339, when it came
	Event    Event  `json:"event"`
	Tool     string `json:"tool,omitempty"`
	Decision string `json:"decision"`         // deny, ask, allow, or pass
	Rule     int    `json:"rule,omitempty"`   // of the policy, from 1; 0 = none decided
	Reason   string `json:"reason,omitempty"` // of the decision, or why the event passed unread
	TookUS   int64  `json:"took_us"`          // microseconds

	ToolUseID  string `json:"tool_use_id,omitempty"` // of the tool call that the event was about
	CallUS     int64  `json:"call_us,omitempty"`     // microseconds that the call took, if it was one of ours and has ended
	CallFailed bool   `json:"call_failed,omitempty"`
}

// A SettingsState tells which settings are in force.
type SettingsState struct {
	LoadedAt string   `json:"loaded_at"`         // RFC 3339
	Ignored  []string `json:"ignored,omitempty"` // what is wrong with newer settings, which are not taken for it
	Refused  []string `json:"refused,omitempty"` // settings that do not count, because their file may have come with the project
	Restart  []string `json:"restart,omitempty"` // keys that have changed and count from the next start on
}
