package serve

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"tidepool/controlserver/internal/questions"
	"tidepool/internal/ancestry"
	"tidepool/internal/hook"
	"tidepool/internal/server"
	"tidepool/internal/session"
	"tidepool/internal/session/program"
	"tidepool/protocol"
	"tidepool/tools"
	"tidepool/tools/catalogue"
	codetools "tidepool/tools/code"
	conversationtools "tidepool/tools/conversation"
	executiontools "tidepool/tools/execution"
	journaltools "tidepool/tools/journal"
	memorytools "tidepool/tools/memory"
	"tidepool/tools/oldnames"
	peopletools "tidepool/tools/people"
	policytools "tidepool/tools/policy"
	scouttools "tidepool/tools/scout"
	skilltools "tidepool/tools/skill"
	teachtools "tidepool/tools/teach"
	worktools "tidepool/tools/work"
)

// A toolbox offers a registry's tools to the socket server.
type toolbox struct {
	callers
	registry    *tools.Registry
	old         *tools.Registry // under the names that older clients know; only for calls over HTTP
	definitions []protocol.ToolDefinition
	codeTools   []string // names of those that answer about the code
	clients     session.Clients[ancestry.Process]
	programs    *program.Sessions // told which sessions calls over HTTP name; set before the first
}

// callers know who calls tools.
type callers struct {
	conversations *session.Conversations // asked which conversation a call comes from
	record        *hook.Record           // told when a call has ended
	questions     *questions.Service     // told when a call's client shows a question
}

// newToolbox discovers the tools of all toolsets, of which code are those about the code. A model has those in alwaysLoad without
// searching for them, and does not see those of old.
func newToolbox(callers callers, alwaysLoad []string, old tools.Toolset, code []tools.Toolset, others ...tools.Toolset) (*toolbox, error) {
	b := &toolbox{callers: callers, registry: tools.NewRegistry(), old: tools.NewRegistry()}
	if err := b.old.Discover(old); err != nil {
		return nil, err
	}
	if err := b.discover(code); err != nil {
		return nil, err
	}
	for _, d := range b.registry.Definitions() {
		b.codeTools = append(b.codeTools, d.Name)
	}
	if err := b.discover(others); err != nil {
		return nil, err
	}
	var known []string
	for _, d := range b.registry.Definitions() {
		known = append(known, d.Name)
		d.Meta.AlwaysLoad = slices.Contains(alwaysLoad, d.Name)
		definition, err := onWire(d)
		if err != nil {
			return nil, fmt.Errorf("describing tool %s: %w", d.Name, err)
		}
		b.definitions = append(b.definitions, definition)
	}
	for _, name := range alwaysLoad {
		if !slices.Contains(known, name) {
			return nil, fmt.Errorf("tools.always_load: there is no tool %q, only %s", name, strings.Join(known, ", "))
		}
	}
	return b, nil
}

func (b *toolbox) discover(toolsets []tools.Toolset) error {
	for _, set := range toolsets {
		if err := b.registry.Discover(set); err != nil {
			return err
		}
	}
	return nil
}

func onWire(d tools.Definition) (protocol.ToolDefinition, error) {
	annotations, err := json.Marshal(d.Annotations)
	if err != nil {
		return protocol.ToolDefinition{}, err
	}
	wire := protocol.ToolDefinition{Name: d.Name, Description: d.Description, InputSchema: d.InputSchema, Annotations: annotations}
	if d.Meta != (tools.Meta{}) {
		wire.Meta, err = json.Marshal(d.Meta)
	}
	return wire, err
}

// Catalogue describes the tools that a daemon has, without one.
func Catalogue() (*catalogue.Catalogue, error) {
	r := tools.NewRegistry()
	for _, set := range []tools.Toolset{
		&codetools.Toolset{}, &scouttools.Toolset{}, &teachtools.Toolset{}, &peopletools.Toolset{}, &worktools.Toolset{}, &conversationtools.Toolset{},
		&memorytools.Toolset{}, &journaltools.Toolset{}, &executiontools.Toolset{}, &skilltools.Toolset{}, &policytools.Toolset{},
	} {
		if err := r.Discover(set); err != nil {
			return nil, err
		}
	}
	return catalogue.New(r.Definitions(), catalogueIntro), nil
}

// catalogueIntro is above the list of tools.
const catalogueIntro = "Call one: agent call NAME ARGUMENTS; agent tools NAME describes it. On the socket: POST /tools/NAME, its arguments as JSON, and GET /tools/NAME; GET /guide: programs."

// routes answers HTTP requests for the list of tools, and calls them as a line would.
func (b *toolbox) routes() map[string]http.Handler {
	site := catalogue.Handler(catalogue.New(b.registry.Definitions(), catalogueIntro), overSocket)
	routes := map[string]http.Handler{}
	for _, pattern := range catalogue.Routes() {
		routes[pattern] = site
	}
	return routes
}

// overSocket calls a tool for an HTTP request.
func overSocket(ctx context.Context, tool string, arguments json.RawMessage) (tools.Result, error) {
	switch r := server.Do(ctx, &protocol.MCPToolCall{ToolName: tool, Arguments: arguments, Meta: &protocol.CallMeta{Client: "HTTP"}}).(type) {
	case *protocol.MCPToolResponse:
		if r.Error != nil {
			return tools.Result{}, r.Error
		}
		return tools.Result{JSON: r.Result, Text: r.Text}, nil
	case *protocol.ErrorResponse:
		return tools.Result{}, r.Error
	default:
		return tools.Result{}, fmt.Errorf("the daemon answered with %T", r)
	}
}

// List returns the definitions.
func (b *toolbox) List() []protocol.ToolDefinition { return b.definitions }

// Call runs a tool. Calls that never reached one get the code that says so.
func (b *toolbox) Call(ctx context.Context, call *protocol.MCPToolCall, client server.Caller) (server.Result, error) {
	start := time.Now()
	b.meet(ctx, call.Meta)
	described := b.describe(ctx, call, client)
	b.noteSession(ctx, described, call.Arguments)
	result, err := b.run(ctx, described, call.Arguments)
	if call.Meta != nil {
		b.record.CallEnded(call.Meta.ToolUseID, time.Since(start), err != nil)
	}
	if err != nil {
		return server.Result{}, wireError(err)
	}
	return server.Result{JSON: result.JSON, Text: result.Text}, nil
}

// noteSession notes which session of a program a call over HTTP names, or has by MCP. The call that ends one does not use it.
func (b *toolbox) noteSession(ctx context.Context, call tools.Call, arguments json.RawMessage) {
	if server.FromHTTP(ctx) && call.Tool != "session_end" {
		b.programs.Use(ctx, cmp.Or(call.Caller.Session, oldnames.SessionOf(call.Tool, arguments)))
	}
}

// run runs the tool of a call. Over HTTP a tool has the names and the arguments that older clients know, too, and the errors of the
// journal are results: those clients look for them there.
func (b *toolbox) run(ctx context.Context, call tools.Call, arguments json.RawMessage) (tools.Result, error) {
	if !server.OverHTTP(ctx) {
		return b.registry.Call(ctx, call, arguments)
	}
	result, err := b.old.Call(ctx, call, arguments)
	if _, unknown := errors.AsType[*tools.UnknownToolError](err); unknown {
		result, err = b.registry.Call(ctx, call, oldnames.Arguments(call.Tool, arguments))
	}
	if kind, is := errors.AsType[kindError](err); is {
		return kindResult(kind)
	}
	return result, err
}

// A kindError has a name on the wire of older clients.
type kindError interface {
	error
	Kind() string
}

// kindResult returns an error as the result that older clients read it from.
func kindResult(err kindError) (tools.Result, error) {
	type wire struct {
		Type    string `json:"type"`
		Message string `json:"message"`
	}
	text, failed := json.Marshal(map[string]wire{"error": {err.Kind(), err.Error()}})
	return tools.Result{JSON: text}, failed
}

// describe returns a call as a tool sees it.
func (b *toolbox) describe(ctx context.Context, call *protocol.MCPToolCall, client server.Caller) tools.Call {
	described := tools.Call{
		Tool:     call.ToolName,
		Progress: func(p tools.Progress) { client.Progress(p.Done, p.Total, p.Message) },
		Show: func(q protocol.Question) {
			b.questions.Show(ctx, call, q.ID)
			client.Show(q)
		},
		Await: client.Await,
	}
	if call.Meta != nil {
		described.Caller, described.Client = b.caller(call.Meta), call.Meta.Client
	}
	return described
}

// caller returns the conversation that a call comes from. The hook of the call knows it better than the client, of which a
// whole session has one: subagents may work in worktrees of their own.
func (b *toolbox) caller(meta *protocol.CallMeta) session.Conversation {
	known := b.conversations.OfCall(meta.ToolUseID)
	if known.Session == "" {
		known.Session = meta.Session
	}
	if known.Dir == "" {
		known.Dir = meta.Cwd
	}
	return known
}

// meet remembers which session a client serves, if a hook has named it.
func (b *toolbox) meet(ctx context.Context, meta *protocol.CallMeta) {
	if meta == nil || meta.ToolUseID == "" {
		return
	}
	if known := b.conversations.OfCall(meta.ToolUseID); known.Session != "" {
		if client, err := ancestry.Find(server.PeerPID(ctx)); err == nil {
			b.clients.Note(client, known.Session)
		}
	}
}

// requester returns the conversation that a request about no tool comes from. No hook belongs to it, so it is of the session of the
// client's latest call, or else of the one that the client names, which /clear does not change.
func (b *toolbox) requester(ctx context.Context, meta *protocol.CallMeta) session.Conversation {
	known := b.caller(meta)
	if b.conversations.OfCall(meta.ToolUseID).Session != "" {
		return known
	}
	if client, err := ancestry.Find(server.PeerPID(ctx)); err == nil {
		known.Session = cmp.Or(b.clients.Of(client), known.Session)
	}
	return known
}

// A notFound is the error of a tool that was asked for what is not there.
type notFound interface {
	error
	Hint() string
	IsNotFound() bool
}

// wireError gives an error the code that says what kind of a failure it is, where the wire has one.
func wireError(err error) error {
	if unknown, ok := errors.AsType[*tools.UnknownToolError](err); ok {
		return &protocol.Error{Code: protocol.CodeMethodNotFound, Message: unknown.Error() + ": " + unknown.Hint()}
	}
	if wrong, ok := errors.AsType[*tools.ArgumentError](err); ok {
		return &protocol.Error{Code: protocol.CodeInvalidParams, Message: wrong.Error() + ": " + wrong.Hint()}
	}
	if missing, ok := errors.AsType[notFound](err); ok && missing.IsNotFound() {
		return &protocol.Error{Code: protocol.CodeNotFound, Message: err.Error() + ": " + missing.Hint()}
	}
	return err
}
