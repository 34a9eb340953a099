package main

import (
	"bytes"
	"cmp"
	"crypto/rand"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"sync"

	"tidepool/protocol"
)

// A bridge offers `agent mcp` over the streamable HTTP transport of MCP, for
// programs that speak nothing else. A legacy session is one agent; a request of
// the modern era has an agent of its own, for it needs no session.
type bridge struct {
	agent, dir string

	mu       sync.Mutex
	sessions map[string]*process
}

// A message is what the bridge must know of a client's message.
type message struct {
	raw       json.RawMessage
	stateless bool            // belongs to no session
	ID        json.RawMessage `json:"id"`
	Method    string          `json:"method"`
	Params    struct {
		Meta struct {
			Version       string          `json:"io.modelcontextprotocol/protocolVersion"`
			ProgressToken json.RawMessage `json:"progressToken"`
		} `json:"_meta"`
	} `json:"params"`
}

const (
	sessionHeader = "Mcp-Session-Id"
	versionHeader = "MCP-Protocol-Version"
	modern        = "2026-07-28"

	codeHeaderMismatch = -32020
)

// ServeHTTP answers one request.
func (b *bridge) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if !isLocal(r) {
		http.Error(w, "this is for programs on this machine", http.StatusForbidden)
		return
	}
	id := r.Header.Get(sessionHeader)
	b.mu.Lock()
	session := b.sessions[id]
	b.mu.Unlock()
	switch {
	case id != "" && session == nil:
		http.Error(w, "no such session", http.StatusNotFound)
	case r.Method == http.MethodPost:
		b.post(w, r, session)
	case r.Method == http.MethodGet && session != nil:
		stream(w, r, session)
	case r.Method == http.MethodDelete && session != nil:
		b.mu.Lock()
		delete(b.sessions, id)
		b.mu.Unlock()
		session.end()
	default:
		w.WriteHeader(http.StatusMethodNotAllowed)
	}
}

// isLocal refuses what a web page in a browser may have been tricked to send.
func isLocal(r *http.Request) bool {
	origin, err := url.Parse(cmp.Or(r.Header.Get("Origin"), "http://"+r.Host))
	host, hostErr := url.Parse("http://" + r.Host)
	return err == nil && hostErr == nil && isLoopback(origin.Hostname()) && isLoopback(host.Hostname())
}

func isLoopback(host string) bool { return host == "localhost" || host == "127.0.0.1" || host == "::1" }

func (b *bridge) post(w http.ResponseWriter, r *http.Request, session *process) {
	body, err := io.ReadAll(io.LimitReader(r.Body, protocol.MaxLine))
	var m message
	var oneLine bytes.Buffer
	if err != nil || json.Unmarshal(body, &m) != nil || json.Compact(&oneLine, body) != nil {
		refuse(w, message{}, protocol.CodeParse, "the body is no JSON object")
		return
	}
	m.raw = oneLine.Bytes()
	m.stateless = session == nil && (m.Method != "initialize" || m.Params.Meta.Version != "")
	version := r.Header.Get(versionHeader)
	switch {
	case session == nil && version >= modern && m.Params.Meta.Version != "" && version != m.Params.Meta.Version:
		refuse(w, m, codeHeaderMismatch, versionHeader+" is not the version in _meta")
	case m.ID == nil && session == nil:
		w.WriteHeader(http.StatusAccepted)
	case session != nil:
		exchange(w, r, session, m)
	case !m.stateless:
		b.open(w, r, m)
	default:
		b.once(w, r, m)
	}
}

// open starts a session.
func (b *bridge) open(w http.ResponseWriter, r *http.Request, m message) {
	p, err := startAgent(b.agent, b.dir)
	if err != nil {
		refuse(w, m, protocol.CodeInternal, err.Error())
		return
	}
	id := rand.Text()
	b.mu.Lock()
	b.sessions[id] = p
	b.mu.Unlock()
	w.Header().Set(sessionHeader, id)
	exchange(w, r, p, m)
}

// once has one request answered by an agent of its own.
func (b *bridge) once(w http.ResponseWriter, r *http.Request, m message) {
	p, err := startAgent(b.agent, b.dir)
	if err != nil {
		refuse(w, m, protocol.CodeInternal, err.Error())
		return
	}
	defer p.end()
	exchange(w, r, p, m)
}

// close ends all sessions.
func (b *bridge) close() {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, p := range b.sessions {
		p.end()
	}
	clear(b.sessions)
}
