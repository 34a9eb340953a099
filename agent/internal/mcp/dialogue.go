package mcp

import (
	"context"
	"encoding/json"
	"sync"
	"time"

	"tidepool/agent/internal/client"
	"tidepool/protocol"
)

// A dialogue is one call on its connection to the daemon.
type dialogue struct {
	server   *server
	session  *client.Session
	params   *callParams
	era      era
	progress progress
}

// openDialogue sends a call over a connection of its own, and once more if the
// daemon has left without taking it.
func (s *server) openDialogue(ctx context.Context, params *callParams, of era) (*dialogue, error) {
	d, err := s.sendCall(ctx, params, of)
	if client.IsUnread(err) && ctx.Err() == nil {
		return s.sendCall(ctx, params, of)
	}
	return d, err
}

func (s *server) sendCall(ctx context.Context, params *callParams, of era) (*dialogue, error) {
	session, err := s.openPatiently(ctx)
	if err != nil {
		return nil, err
	}
	d := &dialogue{server: s, session: session, params: params, era: of}
	d.progress = progress{server: s, token: params.Meta.ProgressToken}
	if err := session.Send(s.newCall(params, of)); err != nil {
		d.close()
		return nil, err
	}
	return d, nil
}

// close hangs up, which cancels the call if it still runs.
func (d *dialogue) close() { d.session.Close() }

// follow reads the connection until the call ends, and closes it; or until a
// call of the modern era needs input, and leaves it open. Dialogs of the legacy
// era are gone when it returns.
func (d *dialogue) follow(ctx context.Context) (*protocol.MCPToolResponse, *suspended, error) {
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
				return nil, &suspended{dialogue: d, question: response.Question, since: time.Now()}, nil
			}
			dialogs.Go(func() { d.server.elicit(showing, response.Question) })
		}
	}
}

// openPatiently gives a daemon that is not there a moment to come back. One that
// could not be started does not.
func (s *server) openPatiently(ctx context.Context) (*client.Session, error) {
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

// progress passes on how far a call is, if the client gave a token for that.
type progress struct {
	server *server
	token  json.RawMessage
	any    bool
	last   float64
}

// report sends one notification. MCP wants progress to grow with each.
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
