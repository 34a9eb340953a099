package session

import (
	"context"
	"encoding/json"
	"fmt"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"tidepool/lsp/internal/text"
)

// handle answers what the server sends. It runs on the connection's reader, in the order of the stream, and
// must not wait for anything. It never returns an error for a notification: that would close the connection.
func (s *Session) handle(_ context.Context, req *jsonrpc2.Request) (any, error) {
	if !req.IsCall() {
		s.handleNotification(req.Method(), req.Params())
		return nil, nil
	}
	switch req.Method() {
	case protocol.MethodWindowWorkDoneProgressCreate, protocol.MethodClientRegisterCapability,
		protocol.MethodClientUnregisterCapability, protocol.MethodWindowShowMessageRequest:
		return nil, nil
	case protocol.MethodWorkspaceConfiguration:
		return s.configuration(req.Params())
	case protocol.MethodWorkspaceWorkspaceFolders:
		return WireFolders(s.workspace()), nil
	case protocol.MethodWorkspaceApplyEdit:
		return map[string]any{"applied": false, "failureReason": "this client only reads"}, nil
	case protocol.MethodWindowShowDocument:
		return map[string]any{"success": false}, nil
	}
	return nil, jsonrpc2.ErrMethodNotFound
}

// handleNotification takes in a notification. The types are our own, because those of the protocol package refuse a whole
// message for one member that they do not expect.
func (s *Session) handleNotification(method string, params []byte) {
	switch method {
	case protocol.MethodProgress:
		s.handleProgress(params)
	case protocol.MethodTextDocumentPublishDiagnostics:
		s.handleDiagnostics(params)
	case protocol.MethodWindowShowMessage, protocol.MethodWindowLogMessage:
		var message struct {
			Type    protocol.MessageType `json:"type"`
			Message string               `json:"message"`
		}
		if json.Unmarshal(params, &message) != nil {
			break
		}
		s.log.add(message.Message)
		if message.Type <= protocol.MessageTypeWarning && (s.Language.Trivial == nil || !s.Language.Trivial(message.Message)) {
			s.messages.add(message.Message)
		}
	}
	if s.Language.Notified != nil && method != protocol.MethodProgress {
		s.Language.Notified(s, method, params)
	}
}

func (s *Session) handleProgress(params []byte) {
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
		s.Progress.begin(token, Task{Title: value.Title, message: value.Message, percent: value.Percentage})
	case "report":
		s.Progress.report(token, value.Message, value.Percentage)
	case "end":
		s.Progress.end(token, value.Message)
	}
}

func (s *Session) handleDiagnostics(params []byte) {
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
	seen := s.Shown(path, message.Version)
	var found FileErrors
	for _, d := range message.Diagnostics {
		if d.Severity != protocol.DiagnosticSeverityError {
			continue
		}
		start := protocol.Position{Line: d.Range.Start.Line, Character: d.Range.Start.Character}
		found.Add(Problem{Path: path, At: seen.Of(path).Position(start), Message: fmt.Sprint(d.Message)}, s.ErrorsKept)
	}
	s.Progress.found(path, found)
}

// Shown are texts to read places in that the server speaks of: the file is as it was shown in a version, nil for the
// last.
func (s *Session) Shown(path string, version *int32) text.Files {
	seen := text.NewFiles(nil)
	if open, ok := s.Documents.Version(path, version); ok && open.Overlaid {
		seen.Put(path, text.New(open.Text))
	}
	return seen
}

// configuration answers workspace/configuration: the settings for the language's own section, null for others.
func (s *Session) configuration(params []byte) (any, error) {
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
		case item.Section != s.Language.Section:
		case s.Language.Configured != nil:
			answers[i] = s.Language.Configured(s, text.Path(item.ScopeURI))
		default:
			answers[i] = s.Language.Settings
		}
	}
	return answers, nil
}
