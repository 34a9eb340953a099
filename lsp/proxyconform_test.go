package lsp

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"

	"tidepool/lsp/internal/session"
	"tidepool/lsp/internal/text"
)

const conformSource = `package shop

import "strings"

// Greet greets.
func Greet(who string) string { return strings.ToUpper(who) }

func hello() string { return Greet("ü😀") + Greet("b") }

type Shape interface{ Area() int }

type Square struct{ Side int }

func (s Square) Area() int { return s.Side * s.Side }
`

func greeter(t testing.TB) (p *Project, path string) {
	t.Helper()
	p, dir := project(t, "-- go.mod --\nmodule example.com/shop\n\ngo 1.26\n-- shop.go --\n"+conformSource)
	if err := p.WaitReady(t.Context()); err != nil {
		t.Fatal(err)
	}
	return p, filepath.Join(dir, "shop.go")
}

// What a server answers reaches the client byte for byte: every operation of Claude Code's LSP tool, and some more.
func TestProxyPassesResultsWhole(t *testing.T) {
	t.Parallel()
	p, path := greeter(t)
	c := greeted(t, p)
	c.open(path, conformSource)
	at := func(line, character int) string { return placed(path, line, character) }
	items := c.call("textDocument/prepareCallHierarchy", at(5, 6))
	item := strings.TrimSuffix(strings.TrimPrefix(items, "["), "]")
	for method, params := range map[string]string{
		"textDocument/definition":           at(7, 30),
		"textDocument/references":           at(5, 6),
		"textDocument/hover":                at(7, 30),
		"textDocument/documentSymbol":       at(0, 0),
		"workspace/symbol":                  `{"query":"Greet"}`,
		"textDocument/implementation":       at(9, 6),
		"textDocument/prepareCallHierarchy": at(5, 6),
		"callHierarchy/incomingCalls":       `{"item":` + item + `}`,
		"callHierarchy/outgoingCalls":       `{"item":` + item + `}`,
		"textDocument/semanticTokens/full":  at(0, 0),
	} {
		want, err := session.Ask[protocol.LSPAny](t.Context(), current(p), method, protocol.LSPAny(params))
		if err != nil {
			t.Fatal(err)
		}
		if got := c.call(method, params); got != string(want) || len(got) < len("[{}]") {
			t.Errorf("%s:\ngot  %s\nwant %s", method, got, want)
		}
	}
}

// A typed client of another make gets what it expects, strictly decoded.
func TestProxyTypedClient(t *testing.T) {
	t.Parallel()
	p, path := greeter(t)
	ctx, cancel := context.WithTimeout(t.Context(), peerPatience)
	defer cancel()
	client := &typedClient{edits: make(chan *protocol.ApplyWorkspaceEditParams, 1), progress: make(chan *protocol.ProgressParams, 100)}
	server := client.connect(t, p)
	result, err := server.Initialize(ctx, &protocol.InitializeParams{
		Capabilities: protocol.ClientCapabilities{Workspace: &protocol.WorkspaceClientCapabilities{ApplyEdit: new(true)}},
	})
	must(t, err)
	if result.Capabilities.HoverProvider == nil || result.Capabilities.DiagnosticProvider != nil {
		t.Errorf("capabilities: %+v", result.Capabilities)
	}
	must(t, server.Initialized(ctx, &protocol.InitializedParams{}))
	document := protocol.TextDocumentIdentifier{URI: text.URI(path)}
	must(t, server.DidOpen(ctx, &protocol.DidOpenTextDocumentParams{
		TextDocument: protocol.TextDocumentItem{URI: text.URI(path), LanguageID: "go", Version: 3, Text: conformSource},
	}))
	greet := protocol.TextDocumentPositionParams{TextDocument: document, Position: protocol.Position{Line: 5, Character: 6}}
	hover, err := server.Hover(ctx, &protocol.HoverParams{TextDocumentPositionParams: greet})
	must(t, err)
	if text, ok := hover.Contents.(*protocol.MarkupContent); !ok || !strings.Contains(text.Value, "Greet greets") {
		t.Errorf("hover: %+v", hover.Contents)
	}
	edit, err := server.Rename(ctx, &protocol.RenameParams{TextDocumentPositionParams: greet, NewName: "Welcome"})
	must(t, err)
	isForVersion(t, edit, path, 3)
	symbols, err := server.Symbols(ctx, &protocol.WorkspaceSymbolParams{Query: "Square"})
	must(t, err)
	if list, ok := symbols.(protocol.SymbolInformationSlice); !ok || len(list) == 0 {
		t.Errorf("symbols: %+v", symbols)
	}
	client.command(t, ctx, server, path)
	must(t, server.Shutdown(ctx))
	must(t, server.Exit(ctx))
}

// command has the server execute something: its edit comes to the client that asked, and its progress under the name
// that this one gave.
func (c *typedClient) command(t *testing.T, ctx context.Context, server protocol.Server, path string) {
	t.Helper()
	argument := fmt.Sprintf(`{"ImportPath":"os","URI":%q}`, text.URI(path))
	_, err := server.ExecuteCommand(ctx, &protocol.ExecuteCommandParams{
		Command: "gopls.add_import", Arguments: []protocol.LSPAny{protocol.LSPAny(argument)},
	})
	must(t, err)
	isForVersion(t, &(<-c.edits).Edit, path, 3)
	token := protocol.String("mine")
	tidy := &protocol.ExecuteCommandParams{Command: "gopls.tidy", Arguments: []protocol.LSPAny{protocol.LSPAny(fmt.Sprintf(`{"URIs":[%q]}`, text.URI(filepath.Join(filepath.Dir(path), "go.mod"))))}}
	tidy.WorkDoneToken = token
	_, err = server.ExecuteCommand(ctx, tidy)
	must(t, err)
	for {
		select {
		case said := <-c.progress:
			var value struct{ Kind string }
			must(t, json.Unmarshal(said.Value, &value))
			if said.Token != token {
				t.Errorf("progress of %v", said.Token)
			}
			if value.Kind == "end" {
				return
			}
		case <-ctx.Done():
			t.Fatal("no end of the progress")
		}
	}
}

// isForVersion fails the test unless an edit is one of a document in a version of the client's.
func isForVersion(t *testing.T, edit *protocol.WorkspaceEdit, path string, version int32) {
	t.Helper()
	if len(edit.DocumentChanges) != 1 {
		t.Fatalf("edit: %+v", edit)
	}
	change, ok := edit.DocumentChanges[0].(*protocol.TextDocumentEdit)
	if !ok || text.Path(change.TextDocument.URI) != path || change.TextDocument.Version == nil || *change.TextDocument.Version != version {
		t.Errorf("edit: %+v", edit.DocumentChanges[0])
	}
}

// A typedClient is a client of the Language Server Protocol by go.lsp.dev/protocol.
type typedClient struct {
	protocol.UnimplementedClient
	edits    chan *protocol.ApplyWorkspaceEditParams
	progress chan *protocol.ProgressParams
}

func (c *typedClient) ApplyEdit(_ context.Context, params *protocol.ApplyWorkspaceEditParams) (*protocol.ApplyWorkspaceEditResult, error) {
	c.edits <- params
	return &protocol.ApplyWorkspaceEditResult{Applied: true}, nil
}

func (c *typedClient) Progress(_ context.Context, params *protocol.ProgressParams) error {
	c.progress <- params
	return nil
}

func (c *typedClient) LogMessage(context.Context, *protocol.LogMessageParams) error   { return nil }
func (c *typedClient) ShowMessage(context.Context, *protocol.ShowMessageParams) error { return nil }
func (c *typedClient) PublishDiagnostics(context.Context, *protocol.PublishDiagnosticsParams) error {
	return nil
}

// connect has a client served, to the end of the test.
func (c *typedClient) connect(t *testing.T, p *Project) protocol.Server {
	t.Helper()
	shared, err := p.Proxy(ProxyOptions{Language: "go"})
	must(t, err)
	near, far := net.Pipe()
	served := make(chan error, 1)
	go func() { served <- shared.Serve(context.Background(), far) }()
	conn := jsonrpc2.NewConn(jsonrpc2.NewHeaderStream(near), jsonrpc2.WithCodec(protocolCodec{}))
	conn.Go(context.Background(), protocol.ClientHandler(c, jsonrpc2.MethodNotFoundHandler))
	t.Cleanup(func() {
		near.Close()
		<-conn.Done()
		select {
		case err := <-served:
			must(t, err)
		case <-time.After(peerPatience):
			t.Error("Serve does not return")
		}
	})
	return protocol.ServerDispatcher(conn)
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// BenchmarkProxy compares one request with the same over the session's own connection.
func BenchmarkProxy(b *testing.B) {
	p, path := greeter(b)
	c := greeted(b, p)
	c.open(path, conformSource)
	params := placed(path, 5, 6)
	for _, method := range []string{"textDocument/hover", "textDocument/references"} {
		c.call(method, params)
		b.Run(method+"/proxy", func(b *testing.B) {
			for b.Loop() {
				c.call(method, params)
			}
		})
		b.Run(method+"/direct", func(b *testing.B) {
			for b.Loop() {
				if _, err := session.Ask[protocol.LSPAny](b.Context(), current(p), method, protocol.LSPAny(params)); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// protocolCodec encodes as the protocol package does.
type protocolCodec struct{}

func (protocolCodec) Marshal(v any) ([]byte, error)      { return protocol.Marshal(v) }
func (protocolCodec) Unmarshal(data []byte, v any) error { return protocol.Unmarshal(data, v) }
