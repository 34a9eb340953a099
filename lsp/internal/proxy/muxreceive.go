package proxy

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"tidepool/lsp/internal/text"
)

// Take reads a message of the server before the session does, and reports whether it was for clients alone. Answers are told from
// ours by the prefix of their ids. A request goes to the client whose command caused it, else to the session. Notifications go to the
// session and to the clients that they concern.
func (x *mux) Take(body []byte) bool {
	message, err := jsonrpc2.ScanMessageView(body)
	if err != nil {
		return false // the connection knows what to do about it
	}
	switch message.Kind {
	case jsonrpc2.MessageViewResponseResult, jsonrpc2.MessageViewResponseError:
		return x.answered(&message)
	case jsonrpc2.MessageViewCall:
		return x.asks(&message)
	default:
		return x.passOn(&message)
	}
}

func (x *mux) answered(m *jsonrpc2.MessageView) bool {
	id, ok := ownToken(m.IDRaw)
	if !ok {
		return false
	}
	if q := x.settle(id); q != nil {
		q.reply <- reply{withVersions(q.about, bytes.Clone(m.Result)), bytes.Clone(m.ErrorRaw)}
	}
	return true
}

// ownToken returns an id or a token of ours, from how it stands on the wire.
func ownToken(raw []byte) (string, bool) {
	var text string
	if !bytes.HasPrefix(raw, []byte(`"`)) || json.Unmarshal(raw, &text) != nil {
		return "", false
	}
	return text, strings.HasPrefix(text, ownPrefix)
}

// tokenOnWire returns how a token stands on the wire; those of servers are kept as they came.
func tokenOnWire(t string) json.RawMessage {
	if strings.HasPrefix(t, ownPrefix) {
		return json.RawMessage(strconv.Quote(t))
	}
	return json.RawMessage(t)
}

// asks sends a request of the server to the client whose command caused it, and reports false if that is not certain: then the session
// answers it.
func (x *mux) asks(m *jsonrpc2.MessageView) bool {
	method, ok := m.MethodString()
	if !ok || !isForCommand(method) {
		return false
	}
	q := x.command()
	if q == nil || !q.from.answers(method) {
		return false
	}
	id := bytes.Clone(m.IDRaw)
	if method == protocol.MethodWindowWorkDoneProgressCreate {
		x.giveToken(q.from, m.Params)
	}
	q.from.ask(method, withVersions(q.about, m.Params), func(a reply) {
		x.session.Respond(appendResponse(nil, id, a))
	})
	return true
}

// isForCommand reports whether a request is part of what a client has asked for. Others are about the session: its
// configuration, its folders, what it watches.
func isForCommand(method string) bool {
	switch method {
	case protocol.MethodWorkspaceApplyEdit, protocol.MethodWindowShowMessageRequest, protocol.MethodWindowShowDocument,
		protocol.MethodWindowWorkDoneProgressCreate:
		return true
	}
	return false
}

// command returns the one command that the server executes for a client, nil if there is none or more than one. Servers ask back only
// while they execute a command.
func (x *mux) command() *request {
	x.mu.Lock()
	defer x.mu.Unlock()
	var found *request
	for _, q := range x.asked {
		if q.method != protocol.MethodWorkspaceExecuteCommand {
			continue
		}
		if found != nil {
			return nil
		}
		found = q
	}
	return found
}

// giveToken makes the progress under a token that the server has created the client's.
func (x *mux) giveToken(c *client, params []byte) {
	var created struct {
		Token json.RawMessage `json:"token"`
	}
	if json.Unmarshal(params, &created) != nil {
		return
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	x.tokens[string(created.Token)] = token{c, created.Token}
}

// passOn passes a notification on to clients. It reports true only for progress that a client has asked for, which is for that client
// alone.
func (x *mux) passOn(m *jsonrpc2.MessageView) bool {
	method, ok := m.MethodString()
	if !ok {
		return false
	}
	switch method {
	case protocol.MethodProgress:
		return x.passProgress(m.Params)
	case protocol.MethodTextDocumentPublishDiagnostics:
		x.publish(m.Params)
	case protocol.MethodCancelRequest, protocol.MethodTelemetryEvent, protocol.MethodLogTrace:
	default:
		for _, c := range x.present() {
			c.notify(method, m.Params)
		}
	}
	return false
}

func (x *mux) passProgress(params []byte) bool {
	var message struct {
		Token json.RawMessage `json:"token"`
		Value struct {
			Kind string `json:"kind"`
		} `json:"value"`
	}
	if json.Unmarshal(params, &message) != nil {
		return false
	}
	name, own := ownToken(message.Token)
	if !own {
		name = string(message.Token)
	}
	x.mu.Lock()
	to, ok := x.tokens[name]
	if ok && !own && message.Value.Kind == "end" {
		delete(x.tokens, name)
	}
	x.mu.Unlock()
	if ok {
		to.client.notifyProgress(params, to.name)
	}
	return own
}

// publish passes diagnostics on to the clients that they are right for. A client that has the file open gets those of its own text, with
// its own version; another one gets those of the text on the disk. The server's version of the document says which text they are of:
// the session has numbered every text that it sent.
func (x *mux) publish(params []byte) {
	var message struct {
		URI     uri.URI `json:"uri"`
		Version *int32  `json:"version"`
	}
	if json.Unmarshal(params, &message) != nil {
		return
	}
	path := text.Path(message.URI)
	of, known := x.session.Documents.Version(path, message.Version)
	for _, c := range x.present() {
		open, ok := c.texts()[path]
		switch {
		case !ok && !of.Overlaid && c.concerns(path):
			c.notifyDiagnostics(params, nil)
		case ok && known && open.Text == of.Text:
			c.notifyDiagnostics(params, &open.Version)
			if message.Version != nil { // else they may be of the text before
				c.reported(path)
			}
		}
	}
}
