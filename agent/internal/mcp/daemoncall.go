package mcp

import (
	"context"
	"encoding/json"
	"sync"
	"time"

	"tidepool/agent/internal/client"
	"tidepool/protocol"
)

// A daemonCall is one tool call on its own connection to the daemon.
type daemonCall struct {
	server   *server
	session  *client.Session
	params   *callParams
	era      era
	progress progress
}

// openCall sends a call over its own connection, and once more if the daemon has
// exited without reading it.
func (s *server) openCall(ctx context.Context, params *callParams, of era) (*daemonCall, error) {
	d, err := s.sendCall(ctx, params, of)
	if client.IsUnread(err) && ctx.Err() == nil {
		return s.sendCall(ctx, params, of)
	}
	return d, err
}

func (s *server) sendCall(ctx context.Context, params *callParams, of era) (*daemonCall, error) {
	session, err := s.openWithRetry(ctx)
	if err != nil {
		return nil, err
	}
	d := &daemonCall{server: s, session: session, params: params, era: of}
	d.progress = progress{server: s, token: params.Meta.ProgressToken}
	if err := session.Send(s.newCall(params, of)); err != nil {
		d.close()
		return nil, err
	}
	return d, nil
}

// close hangs up, which cancels the call if it still runs.
func (d *daemonCall) close() { d.session.Close() }

// follow reads the connection until the call ends, and closes it. If a call of the
// modern era needs input, it returns with the connection open. Dialogs of the legacy
// era are closed when it returns.
func (d *daemonCall) follow(ctx context.Context) (*protocol.MCPToolResponse, *suspended, error) {
	hangUp := context.AfterFunc(ctx, d.close)
	defer hangUp()
	showing, done := context.WithCancel(ctx)
	var dialogs sync.WaitGroup
	defer dialogs.Wait()
	defer done()
	for {
		response, err := d.session.Receive()
		if err != nil {
			d.close()
			return nil, nil, err
		}
		switch response := response.(type) {
		case *protocol.MCPToolResponse:
			d.close()
			return response, nil, nil
		case *protocol.MCPToolProgress:
			if ctx.Err() == nil {
				d.progress.report(response)
			}
		case *protocol.MCPToolQuestion:
			if d.era.modern {
				return nil, &suspended{call: d, question: response.Question, since: time.Now()}, nil
			}
			dialogs.Go(func() { d.server.elicit(showing, response.Question) })
		}
	}
}

// openWithRetry gives a daemon that is gone a moment to come back. It does not wait
// for one that could not be started.
func (s *server) openWithRetry(ctx context.Context) (*client.Session, error) {
	giveUp := time.Now().Add(comebackLimit)
	for {
		session, err := s.open(time.Until(giveUp))
		if err == nil {
			err = session.SetDeadline(time.Time{}) // the daemon bounds its calls, the client cancels them
		}
		if !client.IsAbsent(err) || ctx.Err() != nil || time.Until(giveUp) < comebackRetry {
			return session, err
		}
		pause(ctx, comebackRetry)
	}
}

// progress forwards how far a call is, if the client sent a token for that.
type progress struct {
	server *server
	token  json.RawMessage
	any    bool
	last   float64
}

// report sends one notification. MCP requires progress to grow with each.
func (p *progress) report(r *protocol.MCPToolProgress) {
	if !isID(p.token) || p.any && r.Done <= p.last {
		return
	}
	p.any, p.last = true, r.Done
	p.server.notify("notifications/progress", struct {
		Token    json.RawMessage `json:"progressToken"`
		Progress float64         `json:"progress"`
		Total    float64         `json:"total,omitempty"`
		Message  string          `json:"message,omitempty"`
	}{p.token, r.Done, r.Total, r.Message})
}
