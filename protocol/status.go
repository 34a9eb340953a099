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
	Ready           bool             `json:"ready"`      // every language server is complete
	Completeness    string           `json:"completeness"`
	LanguageServers []LanguageServer `json:"language_servers"`
	Clients         int              `json:"clients"` // attached now
	CallsInFlight   int              `json:"calls_in_flight"`
	Calls           int64            `json:"calls"` // tool calls since the start
	Hooks           map[string]int64 `json:"hooks"` // hook events since the start, by name
}

// A LanguageServer is one row of the status.
type LanguageServer struct {
	Language string `json:"language"`
	Command  string `json:"command"`       // the program, without its arguments
	PID      int    `json:"pid,omitempty"` // 0 = not running
	State    string `json:"state"`         // starting, indexing, ready, partial, backoff, missing, failed
	Since    string `json:"since"`         // RFC 3339, of the state
	Done     int    `json:"done,omitempty"`
	Total    int    `json:"total,omitempty"`
	Restarts int    `json:"restarts"`
	Message  string `json:"message,omitempty"` // why, and what to do
}
