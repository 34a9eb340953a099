package session

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
)

// call waits for the answer to a request until ctx ends; then the server is told to stop, if it bears that.
func (s *Session) call(ctx context.Context, method string, params, result any) error {
	var err error
	if method == s.Language.Uncancellable {
		_, err = s.conn.Call(ctx, method, params, result)
	} else {
		err = protocol.Call(ctx, s.conn, method, params, result)
	}
	if err != nil && ctx.Err() != nil {
		s.wire.watchdog.giveUp()
	}
	return err
}

// Ask makes one request. ctx bounds it alone.
func Ask[R any](ctx context.Context, s *Session, method string, params any) (R, error) {
	defer s.Documents.claim()()
	countRequest(ctx)
	defer s.Turn(ctx)()
	var result R
	err := s.call(ctx, method, params, &result)
	if err == nil {
		return result, nil
	}
	program := s.Program()
	if cause := context.Cause(ctx); cause != nil {
		return result, fmt.Errorf("%s did not answer %s in time: %w", program, method, cause)
	}
	var refusal *jsonrpc2.Error
	if errors.As(err, &refusal) {
		return result, fmt.Errorf("%s: %s: %w", program, method, refusal)
	}
	return result, s.Because(ctx, fmt.Errorf("%s: %s: %w: %w", program, method, ErrBroken, err))
}

// requestCount is the key of the counter that CountRequests adds to a context.
type requestCount struct{}

// CountRequests has requests made under the context counted.
func CountRequests(ctx context.Context, n *atomic.Int64) context.Context {
	return context.WithValue(ctx, requestCount{}, n)
}

// countRequest counts a request made under the context.
func countRequest(ctx context.Context) {
	if n, ok := ctx.Value(requestCount{}).(*atomic.Int64); ok {
		n.Add(1)
	}
}

// Notify makes a notification. No context bounds it: it never blocks, and one that was dropped would leave the
// server with an old picture of the project.
func (s *Session) Notify(method string, params any) error {
	if err := s.conn.Notify(context.Background(), method, params); err != nil {
		return fmt.Errorf("%s: %s: %w: %w", s.Program(), method, ErrBroken, err)
	}
	return nil
}

// ErrBroken is in the error of every request and notification that a session could not send, or that it has no answer to
// because the server has gone.
var ErrBroken = errors.New("the connection is broken")

// Because replaces the error of a broken connection by the reason why the server has ended.
func (s *Session) Because(ctx context.Context, err error) error {
	if !errors.Is(err, ErrBroken) {
		return err
	}
	select {
	case <-s.gone:
		return s.err
	case <-ctx.Done():
		return err
	}
}

// Broken is the error of a failed notification as callers know it; others stay.
func (s *Session) Broken(err error) error {
	if !errors.Is(err, ErrBroken) {
		return err
	}
	return fmt.Errorf("%s: %w", s.Program(), err)
}

// Received returns how many messages the server has sent.
func (s *Session) Received() int { return s.wire.watchdog.received() }

// Ignored returns how many requests the server has received since it last said anything, and whether one of them was given up.
func (s *Session) Ignored() (requests int, givenUp bool) { return s.wire.watchdog.state() }

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
