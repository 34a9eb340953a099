package session

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
)

// answer sends a request as a server might and returns the reply.
func answer(t *testing.T, s *Session, method, params string) (string, error) {
	t.Helper()
	left, right := jsonrpc2.NewChannelStreamPair(1)
	client, server := jsonrpc2.NewConn(left, jsonrpc2.WithCodec(codec{})), jsonrpc2.NewConn(right, jsonrpc2.WithCodec(codec{}))
	client.Go(t.Context(), s.handle)
	server.Go(t.Context(), jsonrpc2.MethodNotFoundHandler)
	defer server.Close()
	defer client.Close()
	var result json.RawMessage
	_, err := server.Call(t.Context(), method, json.RawMessage(params), &result)
	return string(result), err
}

func TestServersRequests(t *testing.T) {
	language := reporting()
	language.Settings = map[string]any{"symbolStyle": "Full"}
	s := &Session{Launch: Launch{Language: &language, Dir: "/a project"}, Progress: newProgress(&language)}
	tests := []struct{ method, params, want string }{
		{protocol.MethodWorkspaceConfiguration, `{"items":[{"section":"gopls","scopeUri":"file:///x"},{"section":"other"}]}`, `[{"symbolStyle":"Full"},null]`},
		{protocol.MethodWorkspaceWorkspaceFolders, `null`, `[{"name":"a project","uri":"file:///a%20project"}]`},
		{protocol.MethodWorkspaceApplyEdit, `{"edit":{}}`, `{"applied":false,"failureReason":"this client only reads"}`},
		{protocol.MethodWindowShowDocument, `{"uri":"https://example.com"}`, `{"success":false}`},
		{protocol.MethodWindowWorkDoneProgressCreate, `{"token":1}`, `null`},
		{protocol.MethodClientRegisterCapability, `{"registrations":[]}`, `null`},
		{protocol.MethodWindowShowMessageRequest, `{"type":1,"message":"Sure?"}`, `null`},
	}
	for _, test := range tests {
		got, err := answer(t, s, test.method, test.params)
		if err != nil || !sameJSON(t, got, test.want) {
			t.Errorf("%s: %s, %v; want %s", test.method, got, err, test.want)
		}
	}
	if _, err := answer(t, s, "something/unheardOf", `{}`); !errors.Is(err, jsonrpc2.ErrMethodNotFound) {
		t.Errorf("unknown request: %v", err)
	}
}

func sameJSON(t *testing.T, a, b string) bool {
	t.Helper()
	var x, y any
	if json.Unmarshal([]byte(a), &x) != nil || json.Unmarshal([]byte(b), &y) != nil {
		return false
	}
	return cmp.Equal(x, y)
}

// FuzzHear feeds notifications that no server should send: none may end the connection or panic.
func FuzzHear(f *testing.F) {
	for _, method := range []string{protocol.MethodProgress, protocol.MethodTextDocumentPublishDiagnostics, protocol.MethodWindowShowMessage, "x"} {
		f.Add(method, `{"token":1,"value":{"kind":"begin","title":"x"},"uri":"file:///a","diagnostics":[{"severity":1}],"type":1,"message":"m"}`)
		f.Add(method, `{"token":null,"value":[],"uri":7,"diagnostics":{},"type":"x"}`)
		f.Add(method, ``)
	}
	language := reporting()
	f.Fuzz(func(t *testing.T, method, params string) {
		s := &Session{Launch: Launch{Language: &language}, Progress: newProgress(&language)}
		s.handleNotification(method, []byte(params))
	})
}

// A warning that says nothing to people is not what a person is shown.
func TestTrivialWarnings(t *testing.T) {
	language := Language{Trivial: func(warning string) bool { return strings.Contains(warning, "<default>") }}
	s := &Session{Launch: Launch{Language: &language}, Progress: newProgress(&language)}
	for _, said := range []struct{ warning, want string }{
		{"<default> is not there", ""}, {"no cycles", "no cycles"}, {"nothing in <default>", "no cycles"},
	} {
		s.handleNotification(protocol.MethodWindowLogMessage, []byte(`{"type":1,"message":"`+said.warning+`"}`))
		if got := s.LastMessage(); got != said.want {
			t.Errorf("after %s: %q, want %q", said.warning, got, said.want)
		}
	}
}
