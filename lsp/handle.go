package lsp

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"sync"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"tidepool/lsp/internal/text"
)

// handle answers what the server sends. It runs on the connection's reader, in the order of the stream, and
// must not wait for anything. It never returns an error for a notification: that would close the connection.
func (s *session) handle(_ context.Context, req *jsonrpc2.Request) (any, error) {
	if !req.IsCall() {
		s.hear(req.Method(), req.Params())
		return nil, nil
	}
	switch req.Method() {
	case protocol.MethodWindowWorkDoneProgressCreate, protocol.MethodClientRegisterCapability,
		protocol.MethodClientUnregisterCapability, protocol.MethodWindowShowMessageRequest:
		return nil, nil
	case protocol.MethodWorkspaceConfiguration:
		return s.configuration(req.Params())
	case protocol.MethodWorkspaceWorkspaceFolders:
		return wireFolders(s.workspace()), nil
	case protocol.MethodWorkspaceApplyEdit:
		return map[string]any{"applied": false, "failureReason": "this client only reads"}, nil
	case protocol.MethodWindowShowDocument:
		return map[string]any{"success": false}, nil
	}
	return nil, jsonrpc2.ErrMethodNotFound
}

// hear takes in a notification. The types are our own, because those of the protocol package refuse a whole
// message for one member that they do not expect.
func (s *session) hear(method string, params []byte) {
	switch method {
	case protocol.MethodProgress:
		s.hearProgress(params)
	case protocol.MethodTextDocumentPublishDiagnostics:
		s.hearDiagnostics(params)
	case protocol.MethodWindowShowMessage, protocol.MethodWindowLogMessage:
		var message struct {
			Type    protocol.MessageType `json:"type"`
			Message string               `json:"message"`
		}
		if json.Unmarshal(params, &message) != nil {
			break
		}
		s.sayings.add(message.Message)
		if message.Type <= protocol.MessageTypeWarning && (s.language.Trivial == nil || !s.language.Trivial(message.Message)) {
			s.messages.add(message.Message)
		}
	}
	if s.language.Hear != nil && method != protocol.MethodProgress {
		s.language.Hear(s, method, params)
	}
}

func (s *session) hearProgress(params []byte) {
	var message struct {
		Token json.RawMessage `json:"token"`
		Value struct {
			Kind       string  `json:"kind"`
			Title      string  `json:"title"`
			Message    string  `json:"message"`
			Percentage float64 `json:"percentage"`
		} `json:"value"`
	}
	if json.Unmarshal(params, &message) != nil {
		return
	}
	token, value := string(message.Token), message.Value
	switch value.Kind {
	case "begin":
		s.progress.begin(token, task{title: value.Title, message: value.Message, percent: value.Percentage})
	case "report":
		s.progress.report(token, value.Message, value.Percentage)
	case "end":
		s.progress.end(token, value.Message)
	}
}

func (s *session) hearDiagnostics(params []byte) {
	var message struct {
		URI         uri.URI `json:"uri"`
		Version     *int32  `json:"version"`
		Diagnostics []struct {
			Range struct {
				Start struct {
					Line      uint32 `json:"line"`
					Character uint32 `json:"character"`
				} `json:"start"`
			} `json:"range"`
			Severity protocol.DiagnosticSeverity `json:"severity"`
			Message  any                         `json:"message"`
		} `json:"diagnostics"`
	}
	if json.Unmarshal(params, &message) != nil {
		return
	}
	path := text.Path(message.URI)
	seen := s.shown(path, message.Version)
	var found faults
	for _, d := range message.Diagnostics {
		if d.Severity != protocol.DiagnosticSeverityError {
			continue
		}
		start := protocol.Position{Line: d.Range.Start.Line, Character: d.Range.Start.Character}
		found.add(Problem{Path: path, At: seen.Of(path).Position(start), Message: fmt.Sprint(d.Message)}, s.errorsKept)
	}
	s.progress.found(path, found)
}

// shown are texts to read places in that the server speaks of: the file is as it was shown in a version, nil for the
// last.
func (s *session) shown(path string, version *int32) text.Files {
	seen := text.NewFiles(nil)
	if open, ok := s.documents.edition(path, version); ok && open.stray {
		seen.Put(path, text.New(open.text))
	}
	return seen
}

// configuration answers workspace/configuration: the settings for the language's own section, null for others.
func (s *session) configuration(params []byte) (any, error) {
	var asked struct {
		Items []struct {
			ScopeURI uri.URI `json:"scopeUri"`
			Section  string  `json:"section"`
		} `json:"items"`
	}
	if err := json.Unmarshal(params, &asked); err != nil {
		return nil, fmt.Errorf("%w: %w", jsonrpc2.ErrInvalidParams, err)
	}
	answers := make([]any, len(asked.Items))
	for i, item := range asked.Items {
		switch {
		case item.Section != s.language.Section:
		case s.language.Configured != nil:
			answers[i] = s.language.Configured(s, text.Path(item.ScopeURI))
		default:
			answers[i] = s.language.Settings
		}
	}
	return answers, nil
}

// messagesKept bounds what is remembered of a server's warnings.
const messagesKept = 8

// messages are the last warnings and errors that a server wanted a person to see.
type messages struct {
	mu   sync.Mutex
	last []string
}

func (m *messages) add(message string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.last = append(m.last, text.OneLine(message))
	m.last = slices.Delete(m.last, 0, max(0, len(m.last)-messagesKept))
}

// latest returns the last one, "" if there is none.
func (m *messages) latest() string {
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(m.last) == 0 {
		return ""
	}
	return m.last[len(m.last)-1]
}
