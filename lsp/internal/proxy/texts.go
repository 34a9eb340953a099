package proxy

import (
	"encoding/json"
	"errors"
	"maps"
	"time"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"tidepool/lsp/internal/session"
	"tidepool/lsp/internal/text"
)

// sendPause is how long follow rests between two times: what a client types is not worth a message each. It doubles
// sendTurns times, to ten seconds and more, while the client hears nothing.
const (
	sendPause = 20 * time.Millisecond
	sendTurns = 9
)

var ErrTooMuch = errors.New("the client has more than 16 MiB of text open")

// notified takes in a notification of the client.
func (g *client) notified(method string, params []byte) error {
	switch method {
	case protocol.MethodCancelRequest:
		g.cancel(member(params, "id"))
		return nil
	case protocol.MethodWindowWorkDoneProgressCancel:
		g.stop(member(params, "token"))
		return nil
	}
	g.mu.Lock()
	deaf := g.stage != ready
	g.mu.Unlock()
	if deaf {
		return nil
	}
	switch method {
	case protocol.MethodTextDocumentDidOpen:
		return g.didOpen(params)
	case protocol.MethodTextDocumentDidChange:
		return g.didChange(params)
	case protocol.MethodTextDocumentDidClose:
		g.didClose(params)
	case protocol.MethodTextDocumentDidSave:
		g.filesChanged(session.DocumentIn(params))
	case protocol.MethodWorkspaceDidChangeWatchedFiles:
		g.didChangeWatchedFiles(params)
	case protocol.MethodWorkspaceDidCreateFiles, protocol.MethodWorkspaceDidRenameFiles, protocol.MethodWorkspaceDidDeleteFiles,
		protocol.MethodWorkspaceDidChangeWorkspaceFolders:
		g.filesChanged() // a walk finds out
	}
	return nil
}

// filesChanged says that files may have changed on the disk.
func (g *client) filesChanged(paths ...string) {
	g.Workspace.FilesChanged(paths...)
}

func (g *client) didChangeWatchedFiles(params []byte) {
	var message struct {
		Changes []struct {
			URI uri.URI `json:"uri"`
		} `json:"changes"`
	}
	if json.Unmarshal(params, &message) != nil {
		return
	}
	var paths []string
	for _, c := range message.Changes {
		if path := text.Path(c.URI); path != "" {
			paths = append(paths, path)
		}
	}
	g.filesChanged(paths...)
}

func (g *client) didOpen(params []byte) error {
	var message struct {
		TextDocument struct {
			URI        uri.URI `json:"uri"`
			LanguageID string  `json:"languageId"`
			Version    int32   `json:"version"`
			Text       string  `json:"text"`
		} `json:"textDocument"`
	}
	if json.Unmarshal(params, &message) != nil {
		return nil
	}
	of := message.TextDocument
	path := text.Path(of.URI)
	if path == "" { // not a file: the server has never heard of it
		return nil
	}
	return g.edit(func(v session.Buffers) bool {
		v[path] = session.Buffer{Language: of.LanguageID, Version: of.Version, Text: of.Text}
		g.unreported = path
		return true
	})
}

func (g *client) didChange(params []byte) error {
	var message struct {
		TextDocument struct {
			URI     uri.URI `json:"uri"`
			Version int32   `json:"version"`
		} `json:"textDocument"`
		ContentChanges []text.Change `json:"contentChanges"`
	}
	if json.Unmarshal(params, &message) != nil {
		return nil
	}
	path := text.Path(message.TextDocument.URI)
	return g.edit(func(v session.Buffers) bool {
		b, ok := v[path]
		if !ok {
			return false
		}
		for _, c := range message.ContentChanges {
			b.Text = c.Apply(b.Text)
		}
		b.Version = message.TextDocument.Version
		v[path] = b
		g.unreported = path
		return true
	})
}

func (g *client) didClose(params []byte) {
	path := session.DocumentIn(params)
	g.edit(func(v session.Buffers) bool { // cannot become too much
		_, ok := v[path]
		delete(v, path)
		if ok {
			g.closed, g.unreported = append(g.closed, path), ""
		}
		return ok
	})
}

// edit puts other buffers in the place of the client's. change works on a copy, and says whether it did anything.
func (g *client) edit(change func(session.Buffers) bool) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	next := maps.Clone(g.buffers)
	if next == nil {
		next = session.Buffers{}
	}
	if !change(next) {
		return nil
	}
	size := 0
	for _, b := range next {
		size += len(b.Text)
	}
	if size > bufferLimit {
		return ErrTooMuch
	}
	g.buffers = next
	select {
	case g.wake <- struct{}{}:
	default:
	}
	return nil
}

// follow gives the server the client's texts soon after they have changed, so that it says what is wrong with them. If
// others make it look at theirs before it has, it is given them again, a few times.
func (g *client) follow() {
	for turn := 0; ; turn++ {
		var again <-chan time.Time
		if 0 < turn && turn <= sendTurns && g.awaitsDiagnostics() {
			again = time.After(sendPause << turn)
		}
		select {
		case <-g.wake:
			turn = 0
		case <-again:
		case <-g.ctx.Done():
			return
		}
		g.sendTexts()
		select {
		case <-time.After(sendPause):
		case <-g.ctx.Done():
			return
		}
	}
}

// awaitsDiagnostics reports whether the client has not heard yet what the server makes of its last change.
func (g *client) awaitsDiagnostics() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.unreported != ""
}

// sendTexts makes the server's texts those of the client. What goes wrong shows with the next request.
func (g *client) sendTexts() {
	t, server := g.home()
	live, err := server.Live(g.ctx)
	if err != nil {
		return
	}
	board := muxOf(live)
	g.join(board, t)
	if live.Busy() {
		g.later()
		return
	}
	if g.Language.TakesTurns() {
		release, ok := live.Turns.Try(true)
		if !ok { // somebody is waiting for an answer
			g.later()
			return
		}
		defer release()
	}
	g.mu.Lock()
	texts, closed := g.buffers, g.closed
	g.closed = nil
	g.mu.Unlock()
	if err := live.Offer(texts); err == session.ErrBehind || err == session.ErrClaimed {
		g.later()
	}
	for _, path := range closed {
		board.release(path)
	}
}

// later has follow look again.
func (g *client) later() {
	select {
	case g.wake <- struct{}{}:
	default:
	}
}

// stop ends work that the client has a token for.
func (g *client) stop(name []byte) {
	g.mu.Lock()
	board := g.mux
	g.mu.Unlock()
	if board != nil {
		board.stop(g, name)
	}
}
