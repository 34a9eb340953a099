package lsptest

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"
)

// A server serves one connection. Goroutines: the connection's reader, which calls handle, one task of
// progress at a time (report), and handlers that hang.
type server struct {
	behaviours map[Behaviour]bool
	conn       jsonrpc2.Conn
	folders    []protocol.WorkspaceFolder // that it begins with
	project    *project
	tokens     int
	published  map[string]bool // files whose diagnostics the client has heard of
	cancelled  chan struct{}
	tasks      chan func()     // what report does, in order
	released   context.Context // ended by SIGUSR1
	parts      []part          // what it has to play
	ballast    [][]byte        // memory that it occupies for nothing
}

type stdio struct {
	io.Reader
	io.WriteCloser
}

type codec struct{}

func (codec) Marshal(v any) ([]byte, error)      { return protocol.Marshal(v) }
func (codec) Unmarshal(data []byte, v any) error { return protocol.Unmarshal(data, v) }

// serve returns the exit status.
func serve(behaviours map[Behaviour]bool) int {
	if behaviours[IgnoreTerm] {
		signal.Ignore(syscall.SIGTERM)
	}
	if behaviours[DiesEarly] {
		fmt.Fprintln(os.Stderr, "toy: no licence")
		return 3
	}
	s := &server{behaviours: behaviours, published: map[string]bool{},
		cancelled: make(chan struct{}, 1), tasks: make(chan func(), 1000)}
	s.released, _ = signal.NotifyContext(context.Background(), syscall.SIGUSR1)
	s.conn = jsonrpc2.NewConn(jsonrpc2.NewHeaderStream(stdio{os.Stdin, os.Stdout}), jsonrpc2.WithCodec(codec{}))
	if path := argument(behaviours, "plays"); path != "" {
		s.parts = readParts(path)
	}
	s.occupy("occupies")
	go s.report()
	s.conn.Go(context.Background(), s.handle)
	<-s.conn.Done()
	if behaviours[IgnoreEOF] {
		select {}
	}
	return 0
}

// report does tasks one after the other; a task may make requests of the client.
func (s *server) report() {
	for task := range s.tasks {
		task()
	}
}

func (s *server) handle(ctx context.Context, req *jsonrpc2.Request) (any, error) {
	switch req.Method() {
	case argument(s.behaviours, "dies-on"):
		fmt.Fprintln(os.Stderr, "toy: cannot bear "+req.Method())
		os.Exit(3)
	case argument(s.behaviours, "hangs-on"):
		jsonrpc2.Async(ctx)
		<-s.cancelled
		s.conn.Notify(ctx, protocol.MethodWindowShowMessage, &protocol.ShowMessageParams{
			Type: protocol.MessageTypeWarning, Message: "cancelled"})
		return nil, protocol.ErrRequestCancelled
	case argument(s.behaviours, "ignores"):
		jsonrpc2.Async(ctx)
		for range s.cancelled {
		}
	case argument(s.behaviours, "refuses"):
		return nil, jsonrpc2.Errorf(-32001, "invalid AST")
	case argument(s.behaviours, "stops-reading"):
		select {}
	}
	if answer, ok := s.played(req); ok {
		return answer, nil
	}
	if req.IsCall() {
		return s.answer(req)
	}
	s.hear(req)
	return nil, nil
}

func (s *server) hear(req *jsonrpc2.Request) {
	switch req.Method() {
	case protocol.MethodInitialized:
		s.load(s.folders)
	case protocol.MethodWorkspaceDidChangeWorkspaceFolders:
		event := decode[protocol.DidChangeWorkspaceFoldersParams](req).Event
		for _, folder := range event.Removed {
			s.project.leave(uri.URI(folder.URI).FsPath())
		}
		s.load(event.Added)
	case protocol.MethodCancelRequest:
		s.cancelled <- struct{}{}
	case protocol.MethodExit:
		if !s.behaviours[IgnoreExit] {
			os.Exit(0)
		}
	case protocol.MethodTextDocumentDidOpen:
		params := decode[protocol.DidOpenTextDocumentParams](req)
		s.project.open[params.TextDocument.URI.FsPath()] = params.TextDocument.Text
		s.check("diagnosing opened files")
	case protocol.MethodTextDocumentDidChange:
		params := decode[protocol.DidChangeTextDocumentParams](req)
		for _, c := range params.ContentChanges {
			s.project.open[params.TextDocument.URI.FsPath()] = c.(*protocol.TextDocumentContentChangeWholeDocument).Text
		}
		s.check("diagnosing changed files")
	case protocol.MethodTextDocumentDidClose:
		delete(s.project.open, decode[protocol.DidCloseTextDocumentParams](req).TextDocument.URI.FsPath())
		s.check("diagnosing close files")
	case protocol.MethodWorkspaceDidChangeWatchedFiles:
		for _, c := range decode[protocol.DidChangeWatchedFilesParams](req).Changes {
			s.project.read(c.URI.FsPath())
		}
		s.check("diagnosing files changed on disk")
	}
}

func (s *server) answer(req *jsonrpc2.Request) (any, error) {
	switch req.Method() {
	case protocol.MethodInitialize:
		s.folders, _ = decode[protocol.InitializeParams](req).WorkspaceFolders.Get()
		s.project = newProject()
		return &protocol.InitializeResult{}, nil
	case protocol.MethodShutdown:
		return nil, nil
	case protocol.MethodWorkspaceSymbol:
		return s.symbols(decode[protocol.WorkspaceSymbolParams](req).Query), nil
	case protocol.MethodTextDocumentReferences:
		params := decode[protocol.ReferenceParams](req)
		return s.occurrences(params.TextDocumentPositionParams, func(w word) bool {
			return w.verb == "use" || w.verb == "def" && params.Context.IncludeDeclaration
		}), nil
	case protocol.MethodTextDocumentDefinition:
		params := decode[protocol.DefinitionParams](req)
		return s.occurrences(params.TextDocumentPositionParams, func(w word) bool { return w.verb == "def" }), nil
	case protocol.MethodTextDocumentHover:
		s.occupy("grows")
		if s.behaviours[Garbage] {
			os.Stdout.WriteString("Content-Length: nonsense\r\n\r\n")
		}
		name := s.project.at(decode[protocol.HoverParams](req).TextDocumentPositionParams)
		return &protocol.Hover{Contents: &protocol.MarkupContent{Kind: protocol.MarkupKindMarkdown, Value: "`" + name + "`"}}, nil
	}
	return nil, jsonrpc2.ErrMethodNotFound
}

// occupy takes the memory that a behaviour names, and writes to it.
func (s *server) occupy(behaviour string) {
	text := argument(s.behaviours, behaviour)
	if text == "" {
		return
	}
	megabytes, err := strconv.Atoi(text)
	if err != nil {
		panic(err) // a test cannot go on with another server than it has asked for
	}
	s.ballast = append(s.ballast, bytes.Repeat([]byte{1}, megabytes<<20))
}

func (s *server) symbols(query string) protocol.SymbolInformationSlice {
	list := protocol.SymbolInformationSlice{}
	for _, w := range s.project.find(func(w word) bool { return w.verb == "def" && strings.Contains(w.name, query) }) {
		if len(list) == Limit {
			break
		}
		list = append(list, protocol.SymbolInformation{
			BaseSymbolInformation: protocol.BaseSymbolInformation{Name: w.name, Kind: protocol.SymbolKindFunction},
			Location:              w.at,
		})
	}
	return list
}

func (s *server) occurrences(place protocol.TextDocumentPositionParams, match func(word) bool) protocol.LocationSlice {
	name, list := s.project.at(place), protocol.LocationSlice{}
	for _, w := range s.project.find(func(w word) bool { return w.name == name && match(w) }) {
		list = append(list, w.at)
	}
	return list
}

// load reads folders and reports it.
func (s *server) load(folders []protocol.WorkspaceFolder) {
	check := s.begin("diagnosing initial workspace load")
	for _, folder := range folders {
		load := s.begin("Setting up workspace")
		s.project.load(uri.URI(folder.URI).FsPath())
		switch {
		case s.behaviours[Stuck]:
			return
		case s.behaviours[LoadFails]:
			s.end(load, "Error loading packages: no toys")
		default:
			s.end(load, "Finished loading packages.")
		}
	}
	s.publish()
	s.end(check, "Done.")
}

// check reports that a notification's consequences have been looked at.
func (s *server) check(title string) {
	token := s.begin(title)
	if s.behaviours[HoldsCheck] {
		s.tasks <- func() { <-s.released.Done() }
	}
	s.publish()
	s.end(token, "Done.")
}

// publish sends the diagnostics of every file that is open or has some, or of which some were published before.
func (s *server) publish() {
	for path := range s.project.open {
		s.published[path] = true
	}
	for _, path := range s.project.paths() {
		if slices.ContainsFunc(s.project.words(path), func(w word) bool { return w.verb == "bad" }) {
			s.published[path] = true
		}
	}
	for path := range s.published {
		params := &protocol.PublishDiagnosticsParams{URI: uri.File(path), Diagnostics: []protocol.Diagnostic{}}
		for _, w := range s.project.words(path) {
			if w.verb == "bad" {
				params.Diagnostics = append(params.Diagnostics, protocol.Diagnostic{
					Range: w.at.Range, Severity: protocol.DiagnosticSeverityError, Message: protocol.String(w.name)})
			}
		}
		s.tasks <- func() {
			s.conn.Notify(context.Background(), protocol.MethodTextDocumentPublishDiagnostics, params)
		}
	}
}

func (s *server) begin(title string) int {
	s.tokens++
	token := s.tokens
	s.progress(token, &protocol.WorkDoneProgressBegin{Kind: "begin", Title: title})
	return token
}

func (s *server) end(token int, message string) {
	s.progress(token, &protocol.WorkDoneProgressEnd{Kind: "end", Message: &message})
}

func (s *server) progress(token int, value any) {
	if s.behaviours[Mute] {
		return
	}
	encoded, err := protocol.Marshal(value)
	if err != nil {
		panic(err)
	}
	s.tasks <- func() {
		params := &protocol.ProgressParams{Token: protocol.Integer(token), Value: encoded}
		s.conn.Notify(context.Background(), protocol.MethodProgress, params)
	}
}

// decode reads parameters that the client under test has made; a mistake in them is a failed test.
func decode[P any](req *jsonrpc2.Request) *P {
	params := new(P)
	if err := protocol.Unmarshal(req.Params(), params); err != nil {
		panic(err)
	}
	return params
}
