// Package mcpfeature answers what the Model Context Protocol has beside tools: prompts, resources, and the completion of their
// arguments.
//
// A prompt is a short text that tells a model which tools to call; people use it as a command. Arguments are quoted in it, on one line
// and of bounded length, so that they cannot pass for a part of the text.
//
// A resource is what a tool reads, under a URI; people mention it by @. The tool reads it, so its limits and its search for secrets
// count. Titles in lists are foreign text, and are quoted as stored text is.
//
// The package makes nothing before its first request, and starts no goroutine.
package mcpfeature

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"tidepool/internal/wording"
	"tidepool/protocol"
)

// A Service answers requests by their methods. It is safe for concurrent use.
type Service struct{ Options }

// Options are what a Service answers from. Of what is nil there is nothing.
type Options struct {
	References    Source                                    // outputs that are kept for the caller's session
	Conversations Source                                    // earlier sessions
	Memories      Source                                    // of the project
	Symbols       Source                                    // declarations in the code
	Reader        Reader                                    // reads all of them but symbols
	Status        func(ctx context.Context) (string, error) // the daemon's state, for a model
}

// New returns a Service.
func New(o Options) *Service { return &Service{o} }

// Request answers one request with MCP's result. An error about the request itself is a *protocol.Error.
func (s *Service) Request(ctx context.Context, r *protocol.MCPRequest) (json.RawMessage, error) {
	switch r.Method {
	case "prompts/list":
		return listPrompts(r.Params)
	case "prompts/get":
		return getPrompt(r.Params)
	case "resources/list":
		return s.listResources(ctx, r)
	case "resources/templates/list":
		return listTemplates(r.Params)
	case "resources/read":
		return s.readResource(ctx, r)
	case "completion/complete":
		return s.complete(ctx, r)
	}
	return nil, &protocol.Error{
		Code:    protocol.CodeMethodNotFound,
		Message: fmt.Sprintf("this daemon does not answer %q: it is older or newer than its client, so restart the one that is older", foreign(r.Method)),
	}
}

// decode returns params as a struct. Members that it does not have are ignored.
func decode[T any](method string, params json.RawMessage) (T, error) {
	var p T
	if len(params) == 0 {
		return p, nil
	}
	if err := json.Unmarshal(params, &p); err != nil {
		return p, invalid("%s: the params do not fit: %s", method, wording.Line(wording.Visible(err.Error()), 200))
	}
	return p, nil
}

// invalid returns an error about params.
func invalid(format string, args ...any) *protocol.Error {
	return &protocol.Error{Code: protocol.CodeInvalidParams, Message: fmt.Sprintf(format, args...)}
}

// foreign returns a name of the client's for an error.
func foreign(name string) string { return wording.Line(wording.Visible(name), 60) }

// encode returns a result. It does not escape angle brackets: a model reads the texts.
func encode(result any) (json.RawMessage, error) {
	var text strings.Builder
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(result); err != nil {
		return nil, fmt.Errorf("encoding the result: %w", err)
	}
	return json.RawMessage(strings.TrimSuffix(text.String(), "\n")), nil
}
