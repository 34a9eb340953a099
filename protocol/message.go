package protocol

import "encoding/json"

// A Request is what a client sends: *[HookEvent], *[MCPToolCall],
// *[ToolsListRequest], *[Ping], *[StatusRequest], *[Attach] or *[LSPAttach].
type Request interface{ requestType() string }

// A Response is what the daemon sends: *[HookResponse], *[MCPToolResponse],
// *[MCPToolProgress], *[ToolsListResponse], *[Pong], *[StatusResponse],
// *[Attached], *[LSPAttached] or *[ErrorResponse].
type Response interface{ responseType() string }

// requests and responses are the decode tables: constants in all but name.
var (
	requests = map[string]func() Request{
		"HookEvent":        func() Request { return new(HookEvent) },
		"MCPToolCall":      func() Request { return new(MCPToolCall) },
		"ToolsListRequest": func() Request { return new(ToolsListRequest) },
		"Ping":             func() Request { return new(Ping) },
		"StatusRequest":    func() Request { return new(StatusRequest) },
		"Attach":           func() Request { return new(Attach) },
		"LSPAttach":        func() Request { return new(LSPAttach) },
		"QuestionsRequest": func() Request { return new(QuestionsRequest) },
		"AnswerRequest":    func() Request { return new(AnswerRequest) },
		"Watch":            func() Request { return new(Watch) },
	}
	responses = map[string]func() Response{
		"HookResponse":      func() Response { return new(HookResponse) },
		"MCPToolResponse":   func() Response { return new(MCPToolResponse) },
		"MCPToolProgress":   func() Response { return new(MCPToolProgress) },
		"ToolsListResponse": func() Response { return new(ToolsListResponse) },
		"QuestionsResponse": func() Response { return new(QuestionsResponse) },
		"AnswerResponse":    func() Response { return new(AnswerResponse) },
		"MCPToolQuestion":   func() Response { return new(MCPToolQuestion) },
		"Happening":         func() Response { return new(Happening) },
		"Pong":              func() Response { return new(Pong) },
		"StatusResponse":    func() Response { return new(StatusResponse) },
		"Attached":          func() Response { return new(Attached) },
		"LSPAttached":       func() Response { return new(LSPAttached) },
		"ErrorResponse":     func() Response { return new(ErrorResponse) },
	}
)

// A HookEvent carries one hook of the client, whole.
type HookEvent struct {
	Input   json.RawMessage // the object on the hook's stdin, unchanged; required
	Runtime string          // "claude" or "gemini"; "" means "claude"
	// Event is which event it is, where the input does not say so or names
	// another one than the client has installed the hook for. "" leaves it to the
	// input's hook_event_name.
	Event Event
}

// A HookResponse is what the hook's process shall do.
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
	Stays     bool            // its dialog, once shown, is closed by its user alone: the daemon cannot take it away
	TimeoutMS int64           // milliseconds; 0 = the daemon's default, which also is the most
	Meta      *CallMeta       // nil if the client tells nothing of itself
}

// CallMeta says where a call comes from.
type CallMeta struct {
	ToolUseID string `json:"tool_use_id,omitempty"` // joins the call to its hooks
	Cwd       string `json:"cwd,omitempty"`         // the client's working directory, absolute
	Client    string `json:"client,omitempty"`      // name and version of the MCP client
}

// An MCPToolResponse ends a call. Result and Error are both always on the
// wire, null when empty, and one of them is null.
type MCPToolResponse struct {
	ID     string
	Result json.RawMessage // nil when Error is set
	Error  *Error
	Text   string // the result, or the error, rendered for a model; "" = none
}

// An MCPToolProgress says how far a call is. Done grows with each message.
type MCPToolProgress struct {
	ID      string  `json:"id"`
	Done    float64 `json:"done"`
	Total   float64 `json:"total,omitempty"` // 0 = unknown
	Message string  `json:"message,omitempty"`
}

// A ToolsListRequest asks what may be called.
type ToolsListRequest struct{}

// A ToolsListResponse lists the tools in a stable order.
type ToolsListResponse struct {
	Tools        []ToolDefinition `json:"tools"`
	Instructions string           `json:"instructions,omitempty"` // when to prefer the tools, for a model; "" = none
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

// A Pong says that it does.
type Pong struct{}

// An Attach makes its connection count as a client that is present, until it
// is closed.
type Attach struct {
	Client string `json:"client,omitempty"` // name and version, for the status
	PID    int    `json:"pid,omitempty"`
	// Build is the [Build] of the daemon that this client would start. A daemon
	// that was started by a client, and is of another build, leaves for it. "" asks
	// nobody to leave.
	Build string `json:"build,omitempty"`
}

// Attached confirms an [Attach].
type Attached struct {
	PID     int    `json:"pid"`     // the daemon's
	Version string `json:"version"` // the daemon's
	// Leaving says that this daemon has given up its place: it finishes the
	// calls it has, and another one may be started at once.
	Leaving bool `json:"leaving,omitempty"`
}

// An LSPAttach turns its connection into one to a language server of the
// project, which counts as a client that is present. It must be alone: nothing
// that the connection asked for before may be unanswered.
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

// An ErrorResponse answers what could not be served as any other message.
type ErrorResponse struct {
	Error *Error `json:"error"`
}

func (*HookEvent) requestType() string        { return "HookEvent" }
func (*MCPToolCall) requestType() string      { return "MCPToolCall" }
func (*ToolsListRequest) requestType() string { return "ToolsListRequest" }
func (*Ping) requestType() string             { return "Ping" }
func (*StatusRequest) requestType() string    { return "StatusRequest" }
func (*Attach) requestType() string           { return "Attach" }
func (*LSPAttach) requestType() string        { return "LSPAttach" }

func (*HookResponse) responseType() string      { return "HookResponse" }
func (*MCPToolResponse) responseType() string   { return "MCPToolResponse" }
func (*MCPToolProgress) responseType() string   { return "MCPToolProgress" }
func (*ToolsListResponse) responseType() string { return "ToolsListResponse" }
func (*Pong) responseType() string              { return "Pong" }
func (*StatusResponse) responseType() string    { return "StatusResponse" }
func (*Attached) responseType() string          { return "Attached" }
func (*LSPAttached) responseType() string       { return "LSPAttached" }
func (*ErrorResponse) responseType() string     { return "ErrorResponse" }
