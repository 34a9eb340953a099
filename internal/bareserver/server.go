// Package bareserver runs a language server on a bare connection, with nothing of ours around it, for programs that measure: what
// tidepool's answers cost is compared with what the same server takes alone.
package bareserver

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
	"go.lsp.dev/uri"

	"tidepool/lsp"
)

// A Server is a language server that this program has started, as a process group of its own. Only one goroutine may use it at a
// time. Goroutines: the connection's reader, which ends with the process; Stop waits for it.
type Server struct {
	language lsp.Language
	dir      string
	cmd      *exec.Cmd
	conn     jsonrpc2.Conn
	versions map[string]int  // of the documents that were opened, by slash path below dir
	open     map[string]bool // the documents that the server holds open

	mu      sync.Mutex
	running map[string]string // titles of tasks by token
	ended   map[string]int    // tasks by title
	lines   []string          // of its log and standard error
	changed chan struct{}     // closed when something above changes
}

type stdio struct {
	io.Reader
	io.WriteCloser
}

type object = map[string]any

// Start runs the server of a language in a directory, with an environment, and shakes hands as lsp does. language.Command[0] is a path.
func Start(ctx context.Context, language lsp.Language, dir string, env []string) (*Server, error) {
	s := &Server{
		language: language, dir: dir, versions: map[string]int{}, open: map[string]bool{},
		running: map[string]string{}, ended: map[string]int{}, changed: make(chan struct{}),
	}
	s.cmd = exec.Command(language.Command[0], language.Command[1:]...)
	s.cmd.Dir, s.cmd.Env = dir, env
	s.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	s.cmd.Stderr = said{s}
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
	if err := s.initialize(ctx); err != nil {
		s.Stop()
		return nil, fmt.Errorf("starting a bare %s: %w", language.Command[0], err)
	}
	return s, nil
}

func (s *Server) initialize(ctx context.Context) error {
	root := string(uri.File(s.dir))
	capabilities := object{
		"window":    object{"workDoneProgress": true},
		"workspace": object{"configuration": true, "workspaceFolders": true, "didChangeWatchedFiles": object{"dynamicRegistration": true}},
		"textDocument": object{
			"publishDiagnostics": object{}, "references": object{}, "hover": object{},
			"documentSymbol": object{"hierarchicalDocumentSymbolSupport": true},
		},
	}
	merge(capabilities, s.language.Capabilities)
	_, err := s.conn.Call(ctx, "initialize", object{
		"processId": os.Getpid(), "rootUri": root, "workspaceFolders": []object{{"uri": root, "name": filepath.Base(s.dir)}},
		"initializationOptions": s.language.Settings, "capabilities": capabilities,
	}, nil)
	if err != nil {
		return err
	}
	return s.conn.Notify(ctx, "initialized", object{})
}

// merge puts what a language declares of its client beside what every client declares.
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

// PID returns the server's process, which leads its process group.
func (s *Server) PID() int { return s.cmd.Process.Pid }

// Stop kills the server with all that it has started, and waits for its end.
func (s *Server) Stop() {
	_ = syscall.Kill(-s.cmd.Process.Pid, syscall.SIGKILL) // it may have ended
	<-s.conn.Done()
	_ = s.cmd.Wait()
}

// handle answers the server's requests and takes its notifications.
func (s *Server) handle(_ context.Context, req *jsonrpc2.Request) (any, error) {
	switch req.Method() {
	case "$/progress":
		s.progress(req.Params())
	case "window/logMessage":
		var message struct {
			Message string `json:"message"`
		}
		if json.Unmarshal(req.Params(), &message) == nil {
			_, _ = said{s}.Write([]byte(message.Message + "\n"))
		}
	case "workspace/configuration":
		return s.configuration(req.Params())
	}
	return nil, nil
}

func (s *Server) configuration(params []byte) (any, error) {
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

// said takes the lines of a server's standard error and of its log.
type said struct{ *Server }

// Write keeps the lines.
func (s said) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.lines = append(s.lines, strings.Split(strings.TrimSpace(string(p)), "\n")...)
	s.announce()
	return len(p), nil
}
