package lsp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
)

// handshakeTimeout bounds the initialize request. Servers answer it before they load anything.
const handshakeTimeout = time.Minute

// A session is one life of a language server: a process, the connection to it, what it has said about its
// work, and the documents it holds open for us.
// Goroutines: those of the process; the connection's reader, which ends when the process has; and, of a language with
// a Probe, probe, which its server's run starts and ends. The reader calls handle for one message after the other, so
// progress and diagnostics keep their order.
type session struct {
	language  *Language
	server    *server
	root      string
	ctx       context.Context // ended when the process has
	end       context.CancelFunc
	process   *process
	wire      *wire
	conn      jsonrpc2.Conn
	progress  *progress
	documents documents
	abilities protocol.LSPAny // the result of initialize
	messages  messages
	sayings   sayings
	plain     plain         // of files with errors
	own       any           // what the language's entry keeps of it, made by its Environ
	gone      chan struct{} // closed by the server's run when the process has ended and err is set
	err       error         // why the session ended
}

// openSession starts the server and shakes hands. On failure nothing is left running.
func openSession(ctx context.Context, path string, of *server) (*session, error) {
	s := &session{
		language:  of.language,
		server:    of,
		root:      of.project.root,
		progress:  newProgress(of.language),
		documents: newDocuments(),
		gone:      make(chan struct{}),
	}
	env, err := s.environ()
	if err != nil {
		return nil, fmt.Errorf("preparing %s: %w", path, err)
	}
	p, err := launch(path, s.language.Command[1:], s.root, env, &s.sayings)
	if err != nil {
		return nil, fmt.Errorf("starting %s: %w", path, err)
	}
	s.process = p
	s.ctx, s.end = context.WithCancel(context.Background())
	s.wire = newWire(pipe{p}, s)
	s.conn = jsonrpc2.NewConn(s.wire, jsonrpc2.WithCodec(codec{}))
	// The connection outlives ctx, which bounds the handshake: it ends with the process.
	s.conn.Go(context.WithoutCancel(ctx), s.handle)
	if err := s.handshake(ctx); err != nil {
		s.end()
		s.process.kill()
		<-s.conn.Done()
		return nil, s.explain(err)
	}
	return s, nil
}

// pipe joins both directions of a process into the stream of a connection.
type pipe struct{ *process }

func (p pipe) Read(b []byte) (int, error)  { return p.out.Read(b) }
func (p pipe) Write(b []byte) (int, error) { return p.in.Write(b) }
func (p pipe) Close() error                { return p.in.Close() }

// codec encodes payloads as the protocol package does, which knows the protocol's unions.
type codec struct{}

func (codec) Marshal(v any) ([]byte, error)      { return protocol.Marshal(v) }
func (codec) Unmarshal(data []byte, v any) error { return protocol.Unmarshal(data, v) }

func (s *session) handshake(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, handshakeTimeout)
	defer cancel()
	params, err := json.Marshal(withGuests(s.introduction()))
	if err != nil {
		return fmt.Errorf("settings of %s: %w", s.language.Name, err)
	}
	if err := protocol.Call(ctx, s.conn, protocol.MethodInitialize, protocol.LSPAny(params), &s.abilities); err != nil {
		return err
	}
	return s.conn.Notify(ctx, protocol.MethodInitialized, protocol.InitializedParams{})
}

// environ is the environment of the server.
func (s *session) environ() ([]string, error) {
	env := s.server.project.env
	if s.language.Environ == nil {
		return env, nil
	}
	more, err := s.language.Environ(s)
	return append(slices.Clone(env), more...), err
}

// introduction is our side of the initialize request.
func (s *session) introduction() map[string]any {
	type object = map[string]any
	root := wireURI(s.root)
	options := s.language.Settings
	if s.language.Options != nil {
		options = s.language.Options(s)
	}
	introduction := object{
		"processId":             os.Getpid(),
		"clientInfo":            object{"name": "tidepool"},
		"rootUri":               root,
		"workspaceFolders":      []object{{"uri": root, "name": filepath.Base(s.root)}},
		"initializationOptions": options,
		"capabilities": object{
			"general": object{"positionEncodings": []string{"utf-16"}},
			"window":  object{"workDoneProgress": true},
			"workspace": object{
				"configuration":         true,
				"workspaceFolders":      true,
				"didChangeWatchedFiles": object{"dynamicRegistration": true},
				"symbol":                object{},
			},
			"textDocument": object{
				"publishDiagnostics": object{},
				"documentSymbol":     object{"hierarchicalDocumentSymbolSupport": true},
				"hover":              object{"contentFormat": []string{"markdown", "plaintext"}},
				"definition":         object{"linkSupport": false},
				"typeDefinition":     object{"linkSupport": false},
				"implementation":     object{"linkSupport": false},
				"references":         object{},
				"callHierarchy":      object{},
			},
		},
	}
	overlay(introduction["capabilities"].(object), s.language.Capabilities)
	return introduction
}

// overlay puts more into base, object by object.
func overlay(base, more map[string]any) {
	for key, value := range more {
		inner, ok := value.(map[string]any)
		known, is := base[key].(map[string]any)
		if ok && is {
			overlay(known, inner)
			continue
		}
		base[key] = value
	}
}

// ask makes one request. ctx bounds it alone; when ctx ends first the server is told to stop working on it.
func ask[R any](ctx context.Context, s *session, method string, params any) (R, error) {
	var result R
	err := protocol.Call(ctx, s.conn, method, params, &result)
	if err == nil {
		return result, nil
	}
	program := s.program()
	if cause := context.Cause(ctx); cause != nil {
		return result, fmt.Errorf("%s did not answer %s in time: %w", program, method, cause)
	}
	var refusal *jsonrpc2.Error
	if errors.As(err, &refusal) {
		return result, fmt.Errorf("%s: %s: %w", program, method, refusal)
	}
	return result, s.because(ctx, fmt.Errorf("%s: %s: %w: %w", program, method, errBroken, err))
}

// tell makes a notification. No context bounds it: it never blocks, and one that was dropped would leave the
// server with an old picture of the project.
func (s *session) tell(method string, params any) error {
	if err := s.conn.Notify(context.Background(), method, params); err != nil {
		return fmt.Errorf("%s: %s: %w: %w", s.program(), method, errBroken, err)
	}
	return nil
}

// idle waits until the server has loaded the project and looked at everything that it was told of, or ctx ends.
func (s *session) idle(ctx context.Context) error {
	for {
		busy, changed := s.progress.indexing()
		if !busy {
			return nil
		}
		select {
		case <-changed:
		case <-s.gone:
			return s.err
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

var errBroken = errors.New("the connection is broken")

// because replaces the error of a broken connection by the reason why the server has ended.
func (s *session) because(ctx context.Context, err error) error {
	if !errors.Is(err, errBroken) {
		return err
	}
	select {
	case <-s.gone:
		return s.err
	case <-ctx.Done():
		return err
	}
}

// program is what people call the server.
func (s *session) program() string { return filepath.Base(s.language.Command[0]) }

// explain says why the session ended. Only after the process has.
func (s *session) explain(err error) error {
	cause := s.process.cause()
	if err != nil {
		cause += " (" + err.Error() + ")"
	}
	return &ExitError{Command: s.program(), Cause: cause, Stderr: s.process.stderr.lines()}
}

// watch returns when the process has ended, and sees to it that it does when the connection has broken.
func (s *session) watch(steps ladder) {
	select {
	case <-s.process.exited:
	case <-s.conn.Done():
		// It has closed its output or sent what cannot be read: no use to anybody any more.
		steps.exit = 0
		s.process.descend(context.Background(), steps, func() {})
	}
	<-s.conn.Done()
}

// stop ends the session by the ladder.
func (s *session) stop(ctx context.Context, steps ladder) {
	s.process.descend(ctx, steps, func() {
		asked, cancel := context.WithTimeout(ctx, steps.shutdown)
		defer cancel()
		if protocol.Call(asked, s.conn, protocol.MethodShutdown, nil, nil) == nil {
			s.conn.Notify(ctx, protocol.MethodExit, nil)
		}
	})
}
