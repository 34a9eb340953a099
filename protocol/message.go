package protocol

import "encoding/json"

// A Request is a message that a client sends: a pointer to one of the types in
// the table requests. The unexported method closes the set.
type Request interface{ requestType() string }

// A Response is a message that the daemon sends: a pointer to one of the types
// in the table responses.
type Response interface{ responseType() string }

// requests and responses are the decode tables, by the names on the wire. They
// are never written to.
var (
	requests = map[string]func() Request{
		"HookEvent":        func() Request { return new(HookEvent) },
		"MCPToolCall":      func() Request { return new(MCPToolCall) },
		"MCPRequest":       func() Request { return new(MCPRequest) },
		"ToolsListRequest": func() Request { return new(ToolsListRequest) },
		"Ping":             func() Request { return new(Ping) },
		"StatusRequest":    func() Request { return new(StatusRequest) },
		"Attach":           func() Request { return new(Attach) },
		"LSPAttach":        func() Request { return new(LSPAttach) },
		"QuestionsRequest": func() Request { return new(QuestionsRequest) },
		"AnswerRequest":    func() Request { return new(AnswerRequest) },
		"Watch":            func() Request { return new(Watch) },
		"ScrubText":        func() Request { return new(ScrubText) },
	}
	responses = map[string]func() Response{
		"HookResponse":      func() Response { return new(HookResponse) },
		"MCPToolResponse":   func() Response { return new(MCPToolResponse) },
		"MCPResult":         func() Response { return new(MCPResult) },
		"MCPToolProgress":   func() Response { return new(MCPToolProgress) },
		"ToolsListResponse": func() Response { return new(ToolsListResponse) },
		"QuestionsResponse": func() Response { return new(QuestionsResponse) },
		"AnswerResponse":    func() Response { return new(AnswerResponse) },
		"MCPToolQuestion":   func() Response { return new(MCPToolQuestion) },
		"Happening":         func() Response { return new(Happening) },
		"Pong":              func() Response { return new(Pong) },
		"StatusResponse":    func() Response { return new(StatusResponse) },
		"Attached":          func() Response { return new(Attached) },
		"LogMessage":        func() Response { return new(LogMessage) },
		"LSPAttached":       func() Response { return new(LSPAttached) },
		"ScrubbedText":      func() Response { return new(ScrubbedText) },
		"ErrorResponse":     func() Response { return new(ErrorResponse) },
	}
)

// A HookEvent carries one hook of the client, whole.
type HookEvent struct {
	Input   json.RawMessage // the object on the hook's stdin, unchanged; required
	Runtime string          // whose hook it is, see [IsRuntime]; "" means "claude"
	// Event is the event for which the client has installed the hook. It wins over
	// the input's hook_event_name. "" leaves it to the input.
	Event Event
	// NoRecall keeps the event out of what is remembered, and memories out of the
	// answer: the session's user has set TIDEPOOL_RECALL=0.
	NoRecall bool
	// Fingerprints describe values that the session's user keeps secret, a JSON array of
	// package fingerprint's Prints. They contain no value. nil = none are sent.
	Fingerprints json.RawMessage
}

// IsRuntime reports whether hooks of a client are understood: "claude" (Claude Code), "codex", "cursor" or "gemini".
func IsRuntime(name string) bool {
	switch name {
	case "claude", "codex", "cursor", "gemini":
		return true
	}
	return false
}

// A HookResponse is what the hook's process must print, and its exit status.
type HookResponse struct {
	Output   json.RawMessage // see [EncodeHookOutput]; nil means {"continue":true}
	ExitCode int             // the exit status of the hook's process
}

// An MCPToolCall runs one tool.
type MCPToolCall struct {
	ID        string          // chosen by the client, echoed in every reply to this call
	ToolName  string          // required
	Arguments json.RawMessage // an object; nil and null mean {}
	Progress  bool            // the client wants MCPToolProgress lines
	Elicit    bool            // the client can show questions to its user, and wants MCPToolQuestion lines
	Stays     bool            // only its user can close a dialog that it shows: the daemon cannot
	TimeoutMS int64           // milliseconds; 0 = the daemon's default, which is also the maximum
	Meta      *CallMeta       // nil if the client sends none
}

// CallMeta identifies the origin of a call. Each part may be "".
type CallMeta struct {
	ToolUseID string `json:"tool_use_id,omitempty"` // joins the call to its hooks
	Cwd       string `json:"cwd,omitempty"`         // the client's working directory, absolute
	Client    string `json:"client,omitempty"`      // name and version of the MCP client

	// Session is the session that the caller says it is of. It counts if no hook names one.
	Session string `json:"session,omitempty"`
}

// An MCPToolResponse ends a call. Result and Error are both on the wire, and one
// of them is null.
type MCPToolResponse struct {
	ID     string
	Result json.RawMessage // nil when Error is set
	Error  *Error
	Text   string // the result, or the error, rendered for a model; "" = none
}

// An MCPToolProgress reports how far a call is. Done grows with each message.
type MCPToolProgress struct {
	ID      string  `json:"id"`
	Done    float64 `json:"done"`
	Total   float64 `json:"total,omitempty"` // 0 = unknown
	Message string  `json:"message,omitempty"`
}

// An MCPRequest is a request of the Model Context Protocol that the daemon answers
// itself: about prompts, resources and the completion of their arguments.
type MCPRequest struct {
	ID     string          // chosen by the client, echoed in the result
	Method string          // as MCP names it, such as "prompts/get"; required
	Params json.RawMessage // MCP's params, an object; nil and null mean {}
	Meta   *CallMeta       // nil if the client sends none
}

// An MCPResult answers an [MCPRequest]. Result and Error are both on the wire, and
// one of them is null.
type MCPResult struct {
	ID     string
	Result json.RawMessage // MCP's result, an object without _meta; nil when Error is set
	Error  *Error
}

// A ToolsListRequest asks for the tools.
type ToolsListRequest struct{}

// A ToolsListResponse lists the tools in a stable order.
type ToolsListResponse struct {
	Tools        []ToolDefinition `json:"tools"`
	Instructions string           `json:"instructions,omitempty"` // for a model: when to prefer the tools; "" = none
}

// A ToolDefinition describes one tool.
type ToolDefinition struct {
	Name        string          `json:"tdName"`
	Description string          `json:"tdDescription"`
	InputSchema json.RawMessage `json:"tdInputSchema"`           // a JSON schema of type object
	Annotations json.RawMessage `json:"tdAnnotations,omitempty"` // MCP's ToolAnnotations; nil = none
	Meta        json.RawMessage `json:"tdMeta,omitempty"`        // MCP's _meta of the tool, an object; nil = none
}

// A Ping asks whether the socket answers.
type Ping struct{}

// A Pong answers a [Ping].
type Pong struct{}

// An Attach makes its connection count as an attached client until it is
// closed. The daemon stays while a client is attached.
type Attach struct {
	Client string `json:"client,omitempty"` // name and version, for the status
	PID    int    `json:"pid,omitempty"`
	// Build is the [Build] of the daemon that this client would start. A daemon of
	// another build that was started by a client hands over to it. "" asks for no
	// handover.
	Build string `json:"build,omitempty"`
	// Messages asks for [LogMessage] lines until the connection ends.
	Messages bool `json:"messages,omitempty"`
}

// Attached confirms an [Attach].
type Attached struct {
	PID     int    `json:"pid"`     // the daemon's
	Version string `json:"version"` // the daemon's
	// Leaving means that this daemon has released its lock and its socket. It
	// finishes the calls it has, and another one may be started at once.
	Leaving bool `json:"leaving,omitempty"`
}

// A LogMessage is something that the client of an [Attach] may want to show: a
// language server has ended, a setting is refused. It holds nothing of a prompt, of a
// file or of what a session does.
type LogMessage struct {
	Level  string `json:"level"`  // as MCP has them: debug, info, notice, warning, error, critical, alert, emergency
	Logger string `json:"logger"` // the part of the daemon that it is about
	Text   string `json:"text"`   // one line of at most 300 characters, for a person
}

// An LSPAttach hands its connection to a language server of the project. The
// connection counts as an attached client. It must have no unanswered request.
type LSPAttach struct {
	Language string `json:"language"`         // its id, such as "go" or "typescript"; required
	Cwd      string `json:"cwd,omitempty"`    // the client's working directory, absolute; "" = the project's
	Client   string `json:"client,omitempty"` // name and version, for the log
}

// LSPAttached confirms an [LSPAttach]. It is the last line on its connection:
// what follows, both ways, are messages of the Language Server Protocol.
type LSPAttached struct {
	PID     int    `json:"pid"`     // the daemon's
	Version string `json:"version"` // the daemon's
}

// An ErrorResponse is the reply to a request that failed and has no reply of its
// own to carry the error.
type ErrorResponse struct {
	Error *Error `json:"error"`
}

func (*HookEvent) requestType() string        { return "HookEvent" }
func (*MCPToolCall) requestType() string      { return "MCPToolCall" }
func (*MCPRequest) requestType() string       { return "MCPRequest" }
func (*ToolsListRequest) requestType() string { return "ToolsListRequest" }
func (*Ping) requestType() string             { return "Ping" }
func (*StatusRequest) requestType() string    { return "StatusRequest" }
func (*Attach) requestType() string           { return "Attach" }
func (*LSPAttach) requestType() string        { return "LSPAttach" }

func (*HookResponse) responseType() string      { return "HookResponse" }
func (*MCPToolResponse) responseType() string   { return "MCPToolResponse" }
func (*MCPResult) responseType() string         { return "MCPResult" }
func (*MCPToolProgress) responseType() string   { return "MCPToolProgress" }
func (*ToolsListResponse) responseType() string { return "ToolsListResponse" }
func (*Pong) responseType() string              { return "Pong" }
func (*StatusResponse) responseType() string    { return "StatusResponse" }
func (*Attached) responseType() string          { return "Attached" }
func (*LogMessage) responseType() string        { return "LogMessage" }
func (*LSPAttached) responseType() string       { return "LSPAttached" }
func (*ErrorResponse) responseType() string     { return "ErrorResponse" }
