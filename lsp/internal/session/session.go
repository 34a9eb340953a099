package session

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"

	"tidepool/lsp/internal/process"
)

// A Session is one life of a language server: a process, the connection to it, what it has said about its
// work, and the documents it holds open for us.
// Goroutines: those of the process; the connection's reader, which ends when the process has; and, of a language with
// a Probe, RunProbe, which the caller of Open starts and which ends with the process. The caller of Open must call Wait,
// which returns when nothing of the session is left.
type Session struct {
	Launch
	temporary    temporary
	ctx          context.Context // ended when the process has
	end          context.CancelFunc
	process      *process.Process
	wire         *wire
	conn         jsonrpc2.Conn
	Progress     *Progress
	Documents    Documents
	Capabilities protocol.LSPAny // the result of initialize
	messages     messages
	log          serverLog
	Turns        *turns        // of a language that takes them
	Own          any           // what the language's entry keeps of it, made by its Environ
	born         time.Time     // when it had shaken hands
	gone         chan struct{} // closed by Finish
	err          error         // why the session ended

	placing sync.Mutex
	roots   []string // the roots that the server knows of
}

// Open starts the server and shakes hands. On failure nothing is left running.
func Open(ctx context.Context, l Launch) (*Session, error) {
	s := &Session{
		Launch:    l,
		roots:     l.Roots,
		temporary: newTemporary(l.Scratch),
		Progress:  newProgress(l.Language),
		Documents: newDocuments(),
		Turns:     newTurns(),
		gone:      make(chan struct{}),
	}
	s.Progress.onCaughtUp = l.Host.CaughtUp
	if err := s.begin(ctx); err != nil {
		s.temporary.remove()
		return nil, err
	}
	return s, nil
}

// begin starts the program and shakes hands.
func (s *Session) begin(ctx context.Context) error {
	s.restrain()
	env, err := s.environ()
	if err != nil {
		return fmt.Errorf("preparing %s: %w", s.Path, err)
	}
	p, err := process.Launch(process.Program{Path: s.Path, Args: s.Language.Command[1:], Dir: s.Dir, Env: env, Session: s.Language.Session}, &s.log)
	if err != nil {
		return fmt.Errorf("starting %s: %w", s.Path, err)
	}
	s.process = p
	s.Ledger.Enter(p.PID())
	s.Progress.expect(s.workspace())
	s.ctx, s.end = context.WithCancel(context.Background())
	s.wire = newWire(pipe{p}, s)
	s.conn = jsonrpc2.NewConn(s.wire, jsonrpc2.WithCodec(codec{}))
	// The connection outlives ctx, which bounds the handshake: it ends with the process.
	s.conn.Go(context.WithoutCancel(ctx), s.handle)
	if err := s.handshake(ctx); err != nil {
		s.end()
		s.process.Kill()
		s.Ledger.Strike(p.PID())
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

// environ returns the environment of the server.
func (s *Session) environ() ([]string, error) {
	env := slices.Concat(s.Env, s.temporary.environ(), s.Restraint.Env)
	if s.Language.Environ == nil {
		return env, nil
	}
	more, err := s.Language.Environ(s)
	return append(env, more...), err
}

// Program returns what people call the server.
func (s *Session) Program() string { return s.Language.Program() }

// PID returns the id of the process and of its group.
func (s *Session) PID() int { return s.process.PID() }
