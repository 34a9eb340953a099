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

// A host is the workspace that a session serves. Its methods do not wait for the session.
type host interface {
	// Sources are the source files of the language in all trees that the session serves, sorted, as of the last walk.
	Sources() []string
	// RootOf is the root that a source file belongs to, "" if to none.
	RootOf(path string) string
	// Covers says whether the server finds errors in a source file by itself. Only in a session for drafts.
	Covers(path string) bool
	// Words are the words of the tree that a file lies in; those of all trees for "".
	Words(near string) []words
	// Relative is a path as a person writes it who works in the tree that it lies in.
	Relative(path string) string
	// Owns says whether the user has put there all that lies in a directory, so that none of it came with a project.
	Owns(dir string) bool
	// Cover takes note of what the server knows of the project.
	Cover(known coverage)
	// CaughtUp is called when the server has looked at everything that it was told.
	CaughtUp()
}

// words are an index of words and the source files that it is of: those of one language in one tree.
type words struct {
	index *text.Index
	files []string // sorted
}

// A launch is what is known of a session before it begins.
type launch struct {
	language   *Language
	path       string        // of the program
	dir        string        // that it works in
	roots      []string      // directories of the projects that it is to know
	env        []string      // of the program, as KEY=value
	trusted    bool          // what the project brings along may run
	restraint  restraint     // the zero one: none
	grace      time.Duration // how long a question waits for the turn of a client
	errorsKept int           // of one file
	ascii      *text.ASCII
	ledger     *process.Ledger
	scratch    *process.Scratch // for temporary files
	host       host
}

// A session is one life of a language server: a process, the connection to it, what it has said about its
// work, and the documents it holds open for us.
// Goroutines: those of the process; the connection's reader, which ends when the process has; and, of a language with
// a Probe, probe, which its server's run starts and ends. The reader calls handle for one message after the other, so
// progress and diagnostics keep their order.
type session struct {
	launch
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
	turns     *turns        // of a language that takes them
	own       any           // what the language's entry keeps of it, made by its Environ
	born      time.Time     // when it had shaken hands
	gone      chan struct{} // closed by finish
	err       error         // why the session ended

	placing sync.Mutex
	roots   []string // the roots that the server knows of
}

// openSession starts the server and shakes hands. On failure nothing is left running.
func openSession(ctx context.Context, l launch) (*session, error) {
	s := &session{
		launch:    l,
		roots:     l.roots,
		temporary: newTemporary(l.scratch),
		progress:  newProgress(l.language),
		documents: newDocuments(),
		turns:     newTurns(),
		gone:      make(chan struct{}),
	}
	s.progress.onCaughtUp = l.host.CaughtUp
	if err := s.begin(ctx); err != nil {
		s.temporary.remove()
		return nil, err
	}
	return s, nil
}

// begin is openSession without what stands before the program.
func (s *session) begin(ctx context.Context) error {
	s.restrain()
	env, err := s.environ()
	if err != nil {
		return fmt.Errorf("preparing %s: %w", s.path, err)
	}
	p, err := process.Launch(s.path, s.language.Command[1:], s.dir, env, &s.sayings)
	if err != nil {
		return fmt.Errorf("starting %s: %w", s.path, err)
	}
	s.process = p
	s.ledger.Enter(p.PID())
	s.progress.expect(s.workspace())
	s.ctx, s.end = context.WithCancel(context.Background())
	s.wire = newWire(pipe{p}, s)
	s.conn = jsonrpc2.NewConn(s.wire, jsonrpc2.WithCodec(codec{}))
	// The connection outlives ctx, which bounds the handshake: it ends with the process.
	s.conn.Go(context.WithoutCancel(ctx), s.handle)
	if err := s.handshake(ctx); err != nil {
		s.end()
		s.process.Kill()
		s.ledger.Strike(p.PID())
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
	env := slices.Concat(s.env, s.temporary.environ(), s.restraint.env)
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
	return s.exit(cause)
}

// exit is the error of a session that has ended, or is ended, for a cause.
func (s *session) exit(cause string) *ExitError {
	return &ExitError{Command: s.program(), Cause: cause, Stderr: s.process.Stderr()}
}

// watch returns when the process has ended and nothing is left of it, and sees to it that it does when the connection has
// broken.
func (s *session) watch(steps ladder) {
	select {
	case <-s.process.Exited():
	case <-s.conn.Done():
		// It has closed its output or sent what cannot be read: no use to anybody any more.
		steps.Exit = 0
		s.process.End(context.Background(), steps.Ladder, func() {})
	}
	<-s.conn.Done()
	s.end()
	s.temporary.remove()
	s.ledger.Strike(s.process.PID())
}

// retire records why nobody asks the session any more. The callers agree among themselves who may.
func (s *session) retire(reason error) { s.err = reason }

// retired is why nobody asks the session any more, nil if somebody does.
func (s *session) retired() error { return s.err }

// finish says to those who wait that the session has ended. Only after watch and retire.
func (s *session) finish() { close(s.gone) }

// ended is why the session ended. Only after watch.
func (s *session) ended() error { return s.explain(s.conn.Err()) }

// lived is for how long the session has been of use.
func (s *session) lived() time.Duration { return time.Since(s.born) }

// kill ends the process at once.
func (s *session) kill() { s.process.Kill() }

// pid is the id of the process and of its group.
func (s *session) pid() int { return s.process.PID() }

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

// news are what has changed on the disk since a session was last told.
type news struct {
	changes []disk.Change
	raced   bool                     // files have come, gone or been replaced while the server looked at earlier news
	entered map[string]bool          // source files that the server left out before, and may read now
	outside func(path string) string // why the server leaves out a source file, "" if it does not
}

// hearOf tells the server of news.
func (s *session) hearOf(what news) error {
	if s.language.Changed != nil {
		return s.language.Changed(s, what)
	}
	return s.change(what.changes)
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
