package lsp

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"

	"tidepool/lsp/internal/disk"
	"tidepool/lsp/internal/process"
	"tidepool/lsp/internal/text"
)

// A session is one life of a language server: a process, the connection to it, what it has said about its
// work, and the documents it holds open for us.
// Goroutines: those of the process; the connection's reader, which ends when the process has; and, of a language with
// a Probe, probe, which its server's run starts and ends. The reader calls handle for one message after the other, so
// progress and diagnostics keep their order.
type session struct {
	language  *Language
	server    *server
	root      string // the directory that it works in
	temporary temporary
	ctx       context.Context // ended when the process has
	end       context.CancelFunc
	process   *process.Process
	wire      *wire
	conn      jsonrpc2.Conn
	progress  *progress
	documents documents
	abilities protocol.LSPAny // the result of initialize
	messages  messages
	sayings   sayings
	plain     text.ASCII    // of files with errors
	trusted   bool          // what the project brings along may run
	restraint restraint     // the zero one: none
	own       any           // what the language's entry keeps of it, made by its Environ
	born      time.Time     // when it had shaken hands
	gone      chan struct{} // closed by the server's run when the process has ended and err is set
	err       error         // why the session ended

	placing sync.Mutex
	roots   []string // the roots that the server knows of
}

// openSession starts the server and shakes hands. On failure nothing is left running.
func openSession(ctx context.Context, path string, of *server) (*session, error) {
	s := &session{
		language:  of.language,
		server:    of,
		root:      of.root(),
		roots:     of.roots(),
		temporary: of.project.newTemporary(),
		progress:  newProgress(of.language),
		documents: newDocuments(),
		gone:      make(chan struct{}),
	}
	s.progress.onCaughtUp = of.project.settled
	if err := s.begin(ctx, path); err != nil {
		s.temporary.remove()
		return nil, err
	}
	return s, nil
}

// begin is openSession without what stands before the program.
func (s *session) begin(ctx context.Context, path string) error {
	if err := s.restrain(); err != nil {
		return err
	}
	env, err := s.environ()
	if err != nil {
		return fmt.Errorf("preparing %s: %w", path, err)
	}
	p, err := process.Launch(path, s.language.Command[1:], s.root, env, &s.sayings)
	if err != nil {
		return fmt.Errorf("starting %s: %w", path, err)
	}
	s.process = p
	ledger := s.server.project.ledger
	ledger.Enter(p.PID())
	s.progress.expect(s.workspace())
	s.ctx, s.end = context.WithCancel(context.Background())
	s.wire = newWire(pipe{p}, s)
	s.conn = jsonrpc2.NewConn(s.wire, jsonrpc2.WithCodec(codec{}))
	// The connection outlives ctx, which bounds the handshake: it ends with the process.
	s.conn.Go(context.WithoutCancel(ctx), s.handle)
	if err := s.handshake(ctx); err != nil {
		s.end()
		s.process.Kill()
		ledger.Strike(p.PID())
		<-s.conn.Done()
		return s.explain(err)
	}
	s.born = time.Now()
	return nil
}

// pipe joins both directions of a process into the stream of a connection.
type pipe struct{ *process.Process }

func (p pipe) Read(b []byte) (int, error)  { return p.Out().Read(b) }
func (p pipe) Write(b []byte) (int, error) { return p.In().Write(b) }
func (p pipe) Close() error                { return p.In().Close() }

// codec encodes payloads as the protocol package does, which knows the protocol's unions, and decodes so what does not do
// it by itself.
type codec struct{}

func (codec) Marshal(v any) ([]byte, error) { return protocol.Marshal(v) }

func (codec) Unmarshal(data []byte, v any) error {
	if own, ok := v.(interface{ Decode(data []byte) error }); ok {
		return own.Decode(data)
	}
	return protocol.Unmarshal(data, v)
}

// environ is the environment of the server.
func (s *session) environ() ([]string, error) {
	env := s.server.project.env
	if !s.trusted {
		env = s.server.installed()
	}
	env = slices.Concat(env, s.temporary.environ(), s.restraint.env)
	if s.language.Environ == nil {
		return env, nil
	}
	more, err := s.language.Environ(s)
	return append(env, more...), err
}

// call waits for the answer to a request until ctx ends; then the server is told to stop, if it bears that.
func (s *session) call(ctx context.Context, method string, params, result any) error {
	var err error
	if method == s.language.Unstoppable {
		_, err = s.conn.Call(ctx, method, params, result)
	} else {
		err = protocol.Call(ctx, s.conn, method, params, result)
	}
	if err != nil && ctx.Err() != nil {
		s.wire.silence.giveUp()
	}
	return err
}

// ask makes one request. ctx bounds it alone.
func ask[R any](ctx context.Context, s *session, method string, params any) (R, error) {
	defer s.documents.claim()()
	countRequest(ctx)
	defer s.turn(ctx)()
	var result R
	err := s.call(ctx, method, params, &result)
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

// idle waits until the server has loaded a part and looked at everything that it was told of, or ctx ends. It calls
// tell whenever there may be news.
func (s *session) idle(ctx context.Context, of part, tell func()) error {
	defer s.documents.claim()()
	for {
		busy, changed := s.progress.indexing(of)
		if !busy {
			return nil
		}
		tell()
		if err := s.unstray(ctx); err != nil {
			return s.because(ctx, err)
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

// unstray gives the server the files as on the disk if a client has just made it look at others.
func (s *session) unstray(ctx context.Context) error {
	if !s.progress.astray() {
		return nil
	}
	return s.onDisk(ctx)
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
func (s *session) program() string { return s.language.program() }

// explain says why the session ended. Only after the process has.
func (s *session) explain(err error) error {
	cause := s.process.Cause()
	if err != nil {
		cause += " (" + err.Error() + ")"
	}
	return &ExitError{Command: s.program(), Cause: cause, Stderr: s.process.Stderr()}
}

// watch returns when the process has ended, and sees to it that it does when the connection has broken.
func (s *session) watch(steps ladder) {
	select {
	case <-s.process.Exited():
	case <-s.conn.Done():
		// It has closed its output or sent what cannot be read: no use to anybody any more.
		steps.Exit = 0
		s.process.End(context.Background(), steps.Ladder, func() {})
	}
	<-s.conn.Done()
}

// A ladder says how long a server may take at each step of its end before the next is taken.
type ladder struct {
	shutdown time.Duration // to answer the shutdown request
	process.Ladder
}

func patience() ladder {
	return ladder{2 * time.Second, process.Ladder{Exit: time.Second, Stdin: time.Second, Term: 2 * time.Second}}
}

// stop ends the session by the ladder.
func (s *session) stop(ctx context.Context, steps ladder) {
	s.process.End(ctx, steps.Ladder, func() {
		asked, cancel := context.WithTimeout(ctx, steps.shutdown)
		defer cancel()
		if protocol.Call(asked, s.conn, protocol.MethodShutdown, nil, nil) == nil {
			s.conn.Notify(ctx, protocol.MethodExit, nil)
		}
	})
}

// sources are the source files of the language in all trees that the server serves, sorted, as of the last walk.
func (s *session) sources() []string {
	var paths []string
	for _, t := range s.server.trees() {
		paths = append(paths, t.of(s.language).sources...)
	}
	slices.Sort(paths)
	return paths
}

// folders are the roots that the server knows of.
func (s *session) folders() []string {
	s.placing.Lock()
	defer s.placing.Unlock()
	return slices.Clone(s.roots)
}

// place takes note that the server is told of these roots, and returns those that have come and gone.
func (s *session) place(now []string) (come, gone []string) {
	s.placing.Lock()
	defer s.placing.Unlock()
	come = slices.DeleteFunc(slices.Clone(now), func(dir string) bool { return slices.Contains(s.roots, dir) })
	gone = slices.DeleteFunc(slices.Clone(s.roots), func(dir string) bool { return slices.Contains(now, dir) })
	s.roots = now
	return come, gone
}

// change is how a session hears of changes on the disk unless its language does it otherwise.
func (s *session) change(changes []disk.Change) error {
	if err := s.refresh(changes); err != nil {
		return err
	}
	s.progress.notify(true)
	return s.tell(protocol.MethodWorkspaceDidChangeWatchedFiles, watched(changes))
}

// watched is how changes are told on the wire.
func watched(changes []disk.Change) *protocol.DidChangeWatchedFilesParams {
	events := make([]protocol.FileEvent, len(changes))
	for i, c := range changes {
		events[i] = protocol.FileEvent{URI: text.URI(c.Path), Type: protocol.FileChangeType(c.Kind)}
	}
	return &protocol.DidChangeWatchedFilesParams{Changes: events}
}
