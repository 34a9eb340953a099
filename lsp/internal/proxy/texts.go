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

// sendPause is how long follow waits between two sends, so that a client's keystrokes do not become a message each. The pause
// doubles sendTurns times, to ten seconds and more, while the client's last change has no diagnostics.
const (
	sendPause = 20 * time.Millisecond
	sendTurns = 9
)

var ErrTooMuch = errors.New("the client has more than 16 MiB of text open")

// notified handles a notification of the client. Notifications about documents before the end of initialize are ignored, as
// the protocol wants it. Its error ends the client.
func (c *client) notified(method string, params []byte) error {
	switch method {
	case protocol.MethodCancelRequest:
		c.cancel(member(params, "id"))
		return nil
	case protocol.MethodWindowWorkDoneProgressCancel:
		c.stop(member(params, "token"))
		return nil
	}
	c.mu.Lock()
	early := c.stage != ready
	c.mu.Unlock()
	if early {
		return nil
	}
	switch method {
	case protocol.MethodTextDocumentDidOpen:
		return c.didOpen(params)
	case protocol.MethodTextDocumentDidChange:
		return c.didChange(params)
	case protocol.MethodTextDocumentDidClose:
		c.didClose(params)
	case protocol.MethodTextDocumentDidSave:
		c.filesChanged(session.DocumentIn(params))
	case protocol.MethodWorkspaceDidChangeWatchedFiles:
		c.didChangeWatchedFiles(params)
	case protocol.MethodWorkspaceDidCreateFiles, protocol.MethodWorkspaceDidRenameFiles, protocol.MethodWorkspaceDidDeleteFiles,
		protocol.MethodWorkspaceDidChangeWorkspaceFolders:
		c.filesChanged() // a walk finds out
	}
	return nil
}

// filesChanged reports files that may have changed on the disk; without paths, any may have.
func (c *client) filesChanged(paths ...string) {
	c.Workspace.FilesChanged(paths...)
}

func (c *client) didChangeWatchedFiles(params []byte) {
	var message struct {
		Changes []struct {
			URI uri.URI `json:"uri"`
		} `json:"changes"`
	}
	if json.Unmarshal(params, &message) != nil {
		return
	}
	var paths []string
	for _, change := range message.Changes {
		if path := text.Path(change.URI); path != "" {
			paths = append(paths, path)
		}
	}
	c.filesChanged(paths...)
}

func (c *client) didOpen(params []byte) error {
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
	if path == "" { // not a file: the server knows files only
		return nil
	}
	return c.edit(func(v session.Buffers) bool {
		v[path] = session.Buffer{Language: of.LanguageID, Version: of.Version, Text: of.Text}
		c.unreported = path
		return true
	})
}

func (c *client) didChange(params []byte) error {
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
	return c.edit(func(v session.Buffers) bool {
		b, ok := v[path]
		if !ok {
			return false
		}
		for _, change := range message.ContentChanges {
			b.Text = change.Apply(b.Text)
		}
		b.Version = message.TextDocument.Version
		v[path] = b
		c.unreported = path
		return true
	})
}

func (c *client) didClose(params []byte) {
	path := session.DocumentIn(params)
	c.edit(func(v session.Buffers) bool { // cannot become too much
		_, ok := v[path]
		delete(v, path)
		if ok {
			c.closed, c.unreported = append(c.closed, path), ""
		}
		return ok
	})
}

// edit replaces the client's buffers. change edits a copy and reports whether it changed anything. The copy lets a request that is
// under way keep the buffers that it was asked with. The error is ErrTooMuch.
func (c *client) edit(change func(session.Buffers) bool) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	next := maps.Clone(c.buffers)
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
	c.buffers = next
	select {
	case c.wake <- struct{}{}:
	default:
	}
	return nil
}

// follow sends the server the client's texts soon after they have changed, so that the server publishes their diagnostics. Another
// client's texts may replace them at the server before it does; then follow sends them again, sendTurns times at most. It runs
// until the client leaves.
func (c *client) follow() {
	for turn := 0; ; turn++ {
		var again <-chan time.Time
		if 0 < turn && turn <= sendTurns && c.awaitsDiagnostics() {
			again = time.After(sendPause << turn)
		}
		select {
		case <-c.wake:
			turn = 0
		case <-again:
		case <-c.ctx.Done():
			return
		}
		c.sendTexts()
		select {
		case <-time.After(sendPause):
		case <-c.ctx.Done():
			return
		}
	}
}

// awaitsDiagnostics reports whether no diagnostics of the client's last change have been published yet.
func (c *client) awaitsDiagnostics() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.unreported != ""
}

// sendTexts replaces the texts that the server has by those of the client, unless somebody waits for an answer about others: then
// follow tries again. Errors are dropped here, because the client's next request meets them.
func (c *client) sendTexts() {
	t, server := c.home()
	live, err := server.Live(c.ctx)
	if err != nil {
		return
	}
	shared := muxOf(live)
	c.join(shared, t)
	if live.Busy() {
		c.later()
		return
	}
	if c.Language.TakesTurns() {
		release, ok := live.Turns.Try(true)
		if !ok { // somebody is waiting for an answer
			c.later()
			return
		}
		defer release()
	}
	c.mu.Lock()
	texts, closed := c.buffers, c.closed
	c.closed = nil
	c.mu.Unlock()
	if err := live.Offer(texts); err == session.ErrBehind || err == session.ErrClaimed {
		c.later()
	}
	for _, path := range closed {
		shared.release(path)
	}
}

// later makes follow send again.
func (c *client) later() {
	select {
	case c.wake <- struct{}{}:
	default:
	}
}

// stop cancels the work whose progress has the client's token name.
func (c *client) stop(name []byte) {
	c.mu.Lock()
	shared := c.mux
	c.mu.Unlock()
	if shared != nil {
		shared.stop(c, name)
	}
}
