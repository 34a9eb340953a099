package main

import (
	"encoding/json"
	"fmt"
	"net/http"

	"tidepool/protocol"
)

// exchange sends a message to the agent, and what the agent says to it to the
// client: the answer alone as JSON, notifications before it as events.
func exchange(w http.ResponseWriter, r *http.Request, p *process, m message) {
	l := p.listen()
	defer p.leave(l)
	if err := p.send(m.raw); err != nil {
		refuse(w, m, protocol.CodeInternal, "the agent has ended")
		return
	}
	if m.ID == nil {
		w.WriteHeader(http.StatusAccepted)
		return
	}
	for streaming := false; ; {
		select {
		case line := <-l.lines:
			switch {
			case line.id == string(m.ID):
				answer(w, line, m, streaming)
				return
			case belongs(line, m):
				streaming = true
				event(w, line)
			}
		case <-r.Context().Done():
			return
		case <-p.ended:
			refuse(w, m, protocol.CodeInternal, "the agent has ended")
			return
		}
	}
}

// belongs reports whether a notification is part of the answer to m.
func belongs(l line, m message) bool {
	if m.stateless {
		return l.method != "" // the agent serves nothing else
	}
	return l.token != "" && l.token == string(m.Params.Meta.ProgressToken)
}

func answer(w http.ResponseWriter, l line, m message, streaming bool) {
	if streaming {
		event(w, l)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	if m.stateless {
		w.WriteHeader(status(l.code))
	}
	_, _ = w.Write(l.text)
}

// status returns what the transport wants for an error; only modern clients look.
func status(code int) int {
	switch code {
	case protocol.CodeMethodNotFound:
		return http.StatusNotFound
	case 0, protocol.CodeInternal:
		return http.StatusOK
	}
	return http.StatusBadRequest
}

// stream sends the client what belongs to none of its requests.
func stream(w http.ResponseWriter, r *http.Request, p *process) {
	l := p.listen()
	defer p.leave(l)
	w.Header().Set("Content-Type", "text/event-stream")
	w.WriteHeader(http.StatusOK)
	_ = http.NewResponseController(w).Flush()
	for {
		select {
		case line := <-l.lines:
			if line.method != "" && line.token == "" {
				event(w, line)
			}
		case <-r.Context().Done():
			return
		case <-p.ended:
			return
		}
	}
}

func event(w http.ResponseWriter, l line) {
	w.Header().Set("Content-Type", "text/event-stream")
	_, _ = fmt.Fprintf(w, "event: message\ndata: %s\n\n", l.text) // a client that is gone shows in its context
	_ = http.NewResponseController(w).Flush()
}

// refuse answers in the place of the agent.
func refuse(w http.ResponseWriter, m message, code int, why string) {
	id := m.ID
	if id == nil {
		id = json.RawMessage("null")
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status(code))
	_, _ = fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"error":{"code":%d,"message":%q}}`, id, code, why)
}
