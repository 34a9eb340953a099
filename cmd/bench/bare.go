package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"tidepool/lsp"
)

// A bareServer is a language server with nothing of ours around it: what its own time is measured by.
// Goroutines: the connection's reader, which ends with the process.
type bareServer struct {
	language lsp.Language
	dir      string
	cmd      *exec.Cmd
	conn     jsonrpc2.Conn
	versions map[string]int // of the documents that it holds open

	mu      sync.Mutex
	running map[string]string // titles of tasks by token
	begun   map[string]int    // tasks by title
	ended   map[string]int
	lines   []string // of its log
	changed chan struct{}
}

type stdio struct {
	io.Reader
	io.WriteCloser
}

type object = map[string]any

// startBare starts a server as lsp does and shakes hands.
func startBare(ctx context.Context, language lsp.Language, dir string, env []string) (*bareServer, error) {
	s := &bareServer{language: language, dir: dir, versions: map[string]int{}, running: map[string]string{},
		begun: map[string]int{}, ended: map[string]int{}, changed: make(chan struct{})}
	s.cmd = exec.Command(language.Command[0], language.Command[1:]...)
	s.cmd.Dir, s.cmd.Env = dir, env
	s.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	s.cmd.Stderr = s
	in, err := s.cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := s.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := s.cmd.Start(); err != nil {
		return nil, err
	}
	s.conn = jsonrpc2.NewConn(jsonrpc2.NewHeaderStream(stdio{out, in}))
	s.conn.Go(context.WithoutCancel(ctx), s.handle)
	root := string(uri.File(dir))
	capabilities := object{
		"window":    object{"workDoneProgress": true},
		"workspace": object{"configuration": true, "workspaceFolders": true, "didChangeWatchedFiles": object{"dynamicRegistration": true}},
		"textDocument": object{
			"publishDiagnostics": object{}, "references": object{}, "hover": object{},
			"documentSymbol": object{"hierarchicalDocumentSymbolSupport": true},
		},
	}
	merge(capabilities, language.Capabilities)
	_, err = s.conn.Call(ctx, "initialize", object{
		"processId": os.Getpid(), "rootUri": root, "workspaceFolders": []object{{"uri": root, "name": filepath.Base(dir)}},
		"initializationOptions": language.Settings, "capabilities": capabilities,
	}, nil)
	if err == nil {
		err = s.conn.Notify(ctx, "initialized", object{})
	}
	if err != nil {
		s.stop()
		return nil, fmt.Errorf("starting a bare %s: %w", language.Command[0], err)
	}
	return s, nil
}

// merge puts what a language says of us beside what is always said.
func merge(into, more object) {
	for key, value := range more {
		below, nested := value.(object)
		if known, ok := into[key].(object); nested && ok {
			merge(known, below)
		} else {
			into[key] = value
		}
	}
}

// stop ends the server and all that it has started.
func (s *bareServer) stop() {
	_ = syscall.Kill(-s.cmd.Process.Pid, syscall.SIGKILL)
	<-s.conn.Done()
	_ = s.cmd.Wait()
}

func (s *bareServer) handle(_ context.Context, req *jsonrpc2.Request) (any, error) {
	switch {
	case req.Method() == "$/progress":
		s.hearProgress(req.Params())
	case req.Method() == "window/logMessage":
		var said struct {
			Message string `json:"message"`
		}
		if json.Unmarshal(req.Params(), &said) == nil {
			_, _ = s.Write([]byte(said.Message + "\n"))
		}
	case req.Method() == "workspace/configuration":
		return s.configuration(req.Params())
	case req.IsCall():
		return nil, nil
	}
	return nil, nil
}

func (s *bareServer) configuration(params []byte) (any, error) {
	var asked struct {
		Items []struct {
			Section string `json:"section"`
		} `json:"items"`
	}
	if err := json.Unmarshal(params, &asked); err != nil {
		return nil, err
	}
	answers := make([]any, len(asked.Items))
	for i, item := range asked.Items {
		if item.Section == s.language.Section {
			answers[i] = s.language.Settings
		}
	}
	return answers, nil
}

func (s *bareServer) hearProgress(params []byte) {
	var message struct {
		Token json.RawMessage `json:"token"`
		Value struct {
			Kind  string `json:"kind"`
			Title string `json:"title"`
		} `json:"value"`
	}
	if json.Unmarshal(params, &message) != nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	token := string(message.Token)
	switch message.Value.Kind {
	case "begin":
		s.running[token] = message.Value.Title
		s.begun[message.Value.Title]++
	case "end":
		s.ended[s.running[token]]++
		delete(s.running, token)
	}
	s.announce()
}

// Write takes in standard error, and the log.
func (s *bareServer) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.lines = append(s.lines, strings.Split(strings.TrimSpace(string(p)), "\n")...)
	s.announce()
	return len(p), nil
}

// announce wakes those who wait. Callers hold mu.
func (s *bareServer) announce() {
	close(s.changed)
	s.changed = make(chan struct{})
}

// until waits for something that the server says. is runs with mu held.
func (s *bareServer) until(ctx context.Context, is func() bool) error {
	for {
		s.mu.Lock()
		yes, changed := is(), s.changed
		s.mu.Unlock()
		if yes {
			return nil
		}
		select {
		case <-changed:
		case <-s.conn.Done():
			return fmt.Errorf("the bare %s has ended", s.language.Command[0])
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// open has the server open a file as it is on the disk.
func (s *bareServer) open(ctx context.Context, path string) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	relative, err := filepath.Rel(s.dir, path)
	if err != nil {
		return err
	}
	return s.write(ctx, filepath.ToSlash(relative), string(text))
}

// keepOpen opens a file unless it is open.
func (s *bareServer) keepOpen(ctx context.Context, path string) error {
	relative, err := filepath.Rel(s.dir, path)
	if err != nil || s.versions[filepath.ToSlash(relative)] > 0 {
		return err
	}
	return s.open(ctx, path)
}

// write gives the server a text of a file, which it opens if need be.
func (s *bareServer) write(ctx context.Context, path, text string) error {
	at := string(uri.File(filepath.Join(s.dir, path)))
	s.versions[path]++
	version := s.versions[path]
	if version == 1 {
		id := s.language.ID
		if s.language.LanguageID != nil {
			id = s.language.LanguageID(path)
		}
		return s.conn.Notify(ctx, "textDocument/didOpen", object{
			"textDocument": object{"uri": at, "languageId": id, "version": version, "text": text},
		})
	}
	return s.conn.Notify(ctx, "textDocument/didChange", object{
		"textDocument":   object{"uri": at, "version": version},
		"contentChanges": []object{{"text": text}},
	})
}

// references counts the uses of the name at a place, without its declaration.
func (s *bareServer) references(ctx context.Context, at lsp.Location) (int, error) {
	var found []protocol.Location
	_, err := s.conn.Call(ctx, "textDocument/references", object{
		"textDocument": object{"uri": string(uri.File(at.Path))},
		"position":     object{"line": at.Range.Start.Line - 1, "character": at.Range.Start.Column - 1},
		"context":      object{"includeDeclaration": false},
	}, &found)
	return len(found), err
}

func workspaceSymbols(ctx context.Context, s *bareServer, name string) (int, error) {
	if s.language.Exact != nil {
		name = s.language.Exact(name)
	}
	var found []any
	_, err := s.conn.Call(ctx, "workspace/symbol", object{"query": name}, &found)
	return len(found), err
}

// tsserverSearch asks about all projects, which workspace/symbol does not.
func tsserverSearch(ctx context.Context, s *bareServer, name string) (int, error) {
	var reply struct {
		Body []any `json:"body"`
	}
	arguments := []any{"navto", object{"searchValue": name, "maxResultCount": 2000}}
	_, err := s.conn.Call(ctx, "workspace/executeCommand", object{"command": "typescript.tsserverRequest", "arguments": arguments}, &reply)
	return len(reply.Body), err
}
