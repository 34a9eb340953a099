package protocol

import "encoding/json"

// A StatusRequest asks for the daemon's state.
type StatusRequest struct {
	// WaitReady holds the answer until every language server is ready or has
	// failed, or the daemon's call timeout ends.
	WaitReady bool `json:"wait_ready,omitempty"`

	// Configuration asks for the settings and the environment, too.
	Configuration bool `json:"configuration,omitempty"`
}

// A StatusResponse is the daemon's state. It contains no secret, no prompt and no
// file content.
type StatusResponse struct {
	PID             int              `json:"pid"`
	Version         string           `json:"version"`
	Commit          string           `json:"commit,omitempty"` // that the daemon was built from; "" = unknown
	Build           string           `json:"build,omitempty"`  // [Build] of its file when it started
	Project         string           `json:"project"`          // absolute directory
	StartedAt       string           `json:"started_at"`       // RFC 3339
	UptimeMS        int64            `json:"uptime_ms"`        // milliseconds
	Ready           bool             `json:"ready"`            // a language server is ready, and no installed one is starting, indexing or broken
	Completeness    string           `json:"completeness"`
	LanguageServers []LanguageServer `json:"language_servers"`
	Clients         int              `json:"clients"` // attached now
	CallsInFlight   int              `json:"calls_in_flight"`
	Calls           int64            `json:"calls"` // tool calls since the start
	Hooks           map[string]int64 `json:"hooks"` // hook events since the start, by name

	Sessions    int            `json:"sessions,omitempty"`     // distinct sessions that sent hooks, at most 4,096
	MemoryBytes int64          `json:"memory_bytes,omitempty"` // resident memory of the daemon; 0 = unknown
	RecentHooks []HookOutcome  `json:"recent_hooks,omitempty"` // the oldest first
	Settings    *SettingsState `json:"settings,omitempty"`     // nil = not known
	Goroutines  int            `json:"goroutines,omitempty"`   // of the daemon; a number that grows steadily is a leak
	Problems    []string       `json:"problems,omitempty"`     // what the daemon cannot do, and why, for a person
	Questions   int            `json:"questions,omitempty"`    // questions that wait for the user
	Tracker     *TrackerState  `json:"tracker,omitempty"`      // nil = no sync at the end of a turn yet
	Sources     []WorkSource   `json:"sources,omitempty"`      // programs that know the state of the work; nil = not looked for yet

	MeasuredTests []MeasuredTests `json:"measured_tests,omitempty"` // of Go modules that scout was asked about, the latest first

	Trust *TrustState `json:"trust,omitempty"` // nil = not known

	Conversations *ConversationsState `json:"conversations,omitempty"` // nil = switched off, or not looked for yet

	Recall *RecallState `json:"recall,omitempty"` // nil = switched off

	Secrets *SecretsState `json:"secrets,omitempty"` // nil = not known

	Sandbox *SandboxState `json:"sandbox,omitempty"` // nil = not known: no command has run in it

	Policy *PolicyState `json:"policy,omitempty"` // nil = not known

	Memory *MemoryState `json:"memory,omitempty"` // nil = not known

	Searches *SearchState `json:"searches,omitempty"` // nil = not known

	Scorer *ScorerState `json:"scorer,omitempty"` // nil = not known

	Configuration *ConfigurationState `json:"configuration,omitempty"` // nil = not asked for, or not known
}

// SearchState is what became of the model's searches for one identifier since the daemon's start. It holds no word of them.
type SearchState struct {
	Off      bool  `json:"off,omitempty"`  // no notes are written (search_notes.enabled)
	Searches int64 `json:"searches"`       // that a note was looked for
	Noted    int64 `json:"noted"`          // of those: the model has read a note, maybe with a later tool
	Late     int64 `json:"late,omitempty"` // of those: the note was not ready in time, and has not come later
}

// ScorerState is who rates what scout finds, and selects what teach-graph explains.
type ScorerState struct {
	Name     string `json:"name"`               // ollama or heuristic
	Model    string `json:"model,omitempty"`    // "" = none is asked
	Endpoint string `json:"endpoint,omitempty"` // URL of the model's server, without a password
	Advice   string `json:"advice,omitempty"`   // how to have a model, for a person; "" = somebody has chosen
}

// ConfigurationState is what a daemon was started with, and has taken since.
type ConfigurationState struct {
	Settings    []SettingState `json:"settings"`    // each that there is, in the order of the documentation
	Environment []string       `json:"environment"` // "NAME=value" of the harmless variables, without credentials; those of environment.pass are not among them
}

// A SettingState is one effective setting.
type SettingState struct {
	Key    string          `json:"key"`
	Value  json.RawMessage `json:"value"`  // as it would stand in the file; passwords in URLs are masked
	Source string          `json:"source"` // "default", "FILE:LINE", the name of a variable, or "command line"
}

// MemoryState is what the daemon and all that it has started occupy together, and what they may.
type MemoryState struct {
	BudgetBytes   int64            `json:"budget_bytes,omitempty"`   // 0 = there is none
	BudgetReason  string           `json:"budget_reason,omitempty"`  // why it is so much, or why there is none, for a person
	OccupiedBytes int64            `json:"occupied_bytes,omitempty"` // 0 = not known
	Occupants     []MemoryOccupant `json:"occupants,omitempty"`      // the daemon, its language servers, then the largest others
	Stuck         string           `json:"stuck,omitempty"`          // the budget is exceeded and nothing can be stopped now: what to do
}

// A MemoryOccupant is what some processes occupy together. Pages that processes
// share count for each of them.
type MemoryOccupant struct {
	Name  string `json:"name"` // daemon, a language server, or a program as it calls itself
	Bytes int64  `json:"bytes"`
}

// PolicyState is which policies decide about tool calls, and what they did since the daemon's start. It holds no word of a call.
type PolicyState struct {
	PolicyCounts               // of all policies together, and of the rules in the settings
	Files        int           `json:"files,omitempty"`    // policy files that are in use
	Policies     []PolicyCount `json:"policies,omitempty"` // of files, those that matched most often first
	More         int           `json:"more,omitempty"`     // policies that are not listed
	Problems     []string      `json:"problems,omitempty"` // what is wrong with policy files, and what follows, for a person
}

// PolicyCount is one policy of a file.
type PolicyCount struct {
	ID       string `json:"id"`
	Title    string `json:"title,omitempty"`
	Level    string `json:"level"`    // org, team, project
	Severity string `json:"severity"` // error, warning, info
	State    string `json:"state"`    // in force, not enforced, disabled, expired, overridden, unusable
	PolicyCounts
}

// PolicyCounts are how often tool calls were checked, and what became of them.
type PolicyCounts struct {
	Checked    int64 `json:"checked"`
	Matched    int64 `json:"matched,omitempty"`
	Denied     int64 `json:"denied,omitempty"`
	Asked      int64 `json:"asked,omitempty"`
	Allowed    int64 `json:"allowed,omitempty"`
	Told       int64 `json:"told,omitempty"`       // texts that the model was told
	Overridden int64 `json:"overridden,omitempty"` // matches that did not count because another policy overrides
}

// SandboxState is how far the commands of safe_bash are confined.
type SandboxState struct {
	Level   string   `json:"level"`             // full, partial or none
	Missing []string `json:"missing,omitempty"` // what the level does not hold, for a person
	Step    string   `json:"step,omitempty"`    // the first step that failed on the way to a higher level; "" for full
	Why     string   `json:"why,omitempty"`     // its error
}

// SecretsState is what was kept from the model since the daemon's start. It holds no word of an output.
type SecretsState struct {
	Native    string `json:"native"`              // which are replaced in outputs of the client's own tools: known, all, off
	Replaced  int64  `json:"replaced"`            // outputs in which something was replaced
	Withheld  int64  `json:"withheld,omitempty"`  // of those: outputs that could not be searched
	Unknown   int64  `json:"unknown,omitempty"`   // outputs of tools or shapes that are not known: they were not searched
	Shown     int64  `json:"shown,omitempty"`     // failing commands that showed a secret
	Refused   int64  `json:"refused,omitempty"`   // calls that were refused because of a token in them
	Unlearned int64  `json:"unlearned,omitempty"` // lists of fingerprints that could not be read
}

// RecallState is what is remembered, and how far it can be found. It holds no word of a memory.
type RecallState struct {
	State       string   `json:"state"`                  // unused (nobody has asked yet), building, ready, off
	Why         string   `json:"why,omitempty"`          // while building or off, for a person
	Memories    int      `json:"memories"`               // of this project
	Others      int      `json:"others,omitempty"`       // of other projects, those for the user among them
	Journal     int      `json:"journal,omitempty"`      // open entries of the project's journal
	Told        int64    `json:"told,omitempty"`         // memories told at prompts since the daemon's start
	Silent      int64    `json:"silent,omitempty"`       // prompts since then at which nothing was told
	Queued      int      `json:"queued,omitempty"`       // learned, and not on the disk yet
	Dropped     int64    `json:"dropped,omitempty"`      // learned since the start, and lost because too many were queued
	StoreBytes  int64    `json:"store_bytes,omitempty"`  // of the database with its log, on the disk
	MemoryBytes int64    `json:"memory_bytes,omitempty"` // of the index in memory; 0 = not loaded
	Notes       []string `json:"notes,omitempty"`        // what is off or was set aside, and why, for a person
}

// ConversationsState is how far the project's sessions with Claude Code are kept and searchable. It holds no word of them.
type ConversationsState struct {
	State       string   `json:"state"`           // complete, indexing, partial
	Share       float64  `json:"share,omitempty"` // while indexing: read bytes, 0 to 1
	Why         string   `json:"why,omitempty"`   // while partial, for a person
	Sessions    int      `json:"sessions"`
	Turns       int      `json:"turns"`
	Gone        int      `json:"gone,omitempty"`         // transcripts that were deleted and whose turns are kept
	Refused     int      `json:"refused,omitempty"`      // files that may not be read
	Skipped     int      `json:"skipped,omitempty"`      // lines of unknown kinds
	Unreadable  int      `json:"unreadable,omitempty"`   // lines that are damaged or too long
	StoreBytes  int64    `json:"store_bytes,omitempty"`  // of the archive on the disk
	SourceBytes int64    `json:"source_bytes,omitempty"` // of the transcripts
	MemoryBytes int64    `json:"memory_bytes,omitempty"` // of the index in memory; 0 = nobody asked lately
	Notes       []string `json:"notes,omitempty"`        // what is off or was set aside, and why, for a person
}

// TrustState is whether what the project brings along may run.
type TrustState struct {
	Trusted bool     `json:"trusted"`
	Reason  string   `json:"reason,omitempty"` // why that cannot be known, for a person
	Held    []string `json:"held,omitempty"`   // what does not run because of it, for a person
}

// MeasuredTests is the progress of running the tests of a Go module one by one,
// which records the functions that each of them runs.
type MeasuredTests struct {
	Module   string   `json:"module"`            // absolute directory
	Tests    int      `json:"tests"`             // measured tests, of packages that have not changed since
	Packages int      `json:"packages"`          // packages with tests, when the module was last examined
	Measured int      `json:"measured"`          // packages that have not changed since
	Stale    int      `json:"stale,omitempty"`   // packages that have changed since
	Failed   int      `json:"failed,omitempty"`  // packages that cannot be measured
	Waiting  int      `json:"waiting,omitempty"` // packages that will be measured without another request; 1 = the module is not examined yet
	Reasons  []string `json:"reasons,omitempty"` // why packages cannot be measured, each once
	CPUMS    int64    `json:"cpu_ms"`            // milliseconds of processor time since the daemon's start
}

// A LanguageServer is the state of one language server.
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
	Note  string   `json:"note,omitempty"`  // why the daemon last stopped or restarted it by itself

	Drafts bool `json:"drafts,omitempty"` // it only tries changes out and answers no queries
}

// A WorkSource is a program that knows the state of the work, as found at the
// daemon's start.
type WorkSource struct {
	Name    string `json:"name"`              // git, bd, gh
	Path    string `json:"path,omitempty"`    // "" = not found
	Version string `json:"version,omitempty"` // "" = unknown
	Reason  string `json:"reason,omitempty"`  // why there is no path or no version
}

// A TrackerState is the outcome of the latest sync of the issues at the end of a
// turn.
type TrackerState struct {
	At     string `json:"at"` // RFC 3339, when it ended
	TookMS int64  `json:"took_ms"`
	Synced bool   `json:"synced"`
	How    string `json:"how,omitempty"`    // the command
	Reason string `json:"reason,omitempty"` // why it did not sync, and what to do
}

// A HookOutcome is the outcome of one hook event. It contains nothing of the
// event's input but names and ids.
type HookOutcome struct {
	Time     string `json:"time"` // RFC 3339, when it came
	Event    Event  `json:"event"`
	Tool     string `json:"tool,omitempty"`
	Decision string `json:"decision"`         // deny, ask, allow, or pass
	Rule     int    `json:"rule,omitempty"`   // number of the policy rule, from 1; 0 = none decided
	Reason   string `json:"reason,omitempty"` // of the decision, or why the event passed unchecked
	TookUS   int64  `json:"took_us"`          // microseconds

	ToolUseID  string `json:"tool_use_id,omitempty"` // of the event's tool call
	CallUS     int64  `json:"call_us,omitempty"`     // microseconds that the call took, if it was a call to the daemon and has ended
	CallFailed bool   `json:"call_failed,omitempty"`

	Parts []HookPart `json:"parts,omitempty"` // that contributed; nil = none did, or the daemon does not tell
}

// A HookPart is what one part of the daemon contributed to the answer to a hook
// event, or why it did not.
type HookPart struct {
	Name       string `json:"name"`                 // policy, diagnostics, …
	Decided    bool   `json:"decided,omitempty"`    // the event by an output of its own
	Characters int    `json:"characters,omitempty"` // of its context that the model reads, in UTF-16 units
	Cut        int    `json:"cut,omitempty"`        // of its context that the model does not read: all parts share [MaxHookText]
	Failed     string `json:"failed,omitempty"`     // why it contributed nothing, for a person
}

// A SettingsState is which settings are in effect.
type SettingsState struct {
	LoadedAt string   `json:"loaded_at"`         // RFC 3339
	Ignored  []string `json:"ignored,omitempty"` // what is wrong with newer settings, which have no effect therefore
	Refused  []string `json:"refused,omitempty"` // settings without effect, because their file may have come with the project
	Restart  []string `json:"restart,omitempty"` // changed keys that take effect at the next start
}
