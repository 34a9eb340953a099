package mcpsource

import (
	"context"
	"fmt"
	"strings"

	"tidepool/internal/mcpfeature"
	"tidepool/internal/ref"
	"tidepool/internal/session"
	"tidepool/protocol"
)

// A Caller returns the conversation that a request comes from, as far as it is known.
type Caller func(context.Context, *protocol.CallMeta) session.Conversation

// sessionOf returns the session of a request; "" if nobody says it.
func (c Caller) sessionOf(ctx context.Context, meta *protocol.CallMeta) string {
	if meta == nil {
		return ""
	}
	return c(ctx, meta).Session
}

// References are the outputs that are kept for the caller's session. Of other sessions nothing is listed.
type References struct {
	Caller Caller
	// Kept returns what is kept for a session, the latest first.
	Kept func(session string) ([]ref.Entry, error)
}

// List returns those whose reference begins with the text.
func (r *References) List(ctx context.Context, q mcpfeature.Query) (mcpfeature.Found, error) {
	session := r.Caller.sessionOf(ctx, q.Caller)
	if session == "" {
		return mcpfeature.Found{}, nil
	}
	kept, err := r.Kept(session)
	if err != nil {
		return mcpfeature.Found{}, err
	}
	var found mcpfeature.Found
	for _, k := range kept {
		if !strings.HasPrefix(k.ID, q.Text) {
			continue
		}
		if found.Total++; found.Total <= q.Limit {
			found.Items = append(found.Items, mcpfeature.Item{
				ID: k.ID, Title: fmt.Sprintf("Whole output of %d bytes", k.Bytes), About: "kept at " + k.Made.Local().Format("15:04:05"), At: k.Made,
			})
		}
	}
	return found, nil
}
