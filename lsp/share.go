package lsp

import (
	"errors"
	"maps"

	"go.lsp.dev/protocol"

	"tidepool/lsp/internal/process"
)

// A tap looks at what the server of a session says, before the session does, for clients that share the server.
// Its methods are called on the reader of the connection, one after the other, and must not wait.
type tap interface {
	// Take looks at a message and says whether it was for clients alone.
	Take(body []byte) bool
	// HangUp is called when the server says no more.
	HangUp()
}

// share returns what looks at the server's messages for clients. The first call makes it; from then on requests about
// the disk and those of clients take turns, at a server that needs that.
func (s *session) share(make func() tap) tap {
	return s.wire.share(make)
}

// How many bytes may wait for a server before it is sent no more requests of clients, and no more of their texts unasked:
// one that floods shall neither make the server look stuck nor hold up others.
const (
	behind  = process.OutboxLimit / 8
	crowded = behind / 16
)

var (
	errBehind  = errors.New("the language server is far behind with what it is sent: ask again later")
	errClaimed = errors.New("somebody asks about the disk")
)

// request sends an encoded request of a client that is about a document, "" for none, right behind the client's texts.
// Servers answer badly for files that are not open, some not at all.
func (s *session) request(texts buffers, path string, body []byte) error {
	d := &s.documents
	d.mu.Lock()
	defer d.mu.Unlock()
	err := s.putLocked(texts)
	if err == nil && path != "" {
		if err = d.open(path); !errors.Is(err, errBroken) {
			err = nil // the server says what it makes of a file that cannot be read
		}
	}
	if err == nil {
		s.wire.silence.ask()
		_, err = s.wire.send(body)
	}
	return err
}

// show gives the server the texts of a client. Of a lingering server it returns what it has not looked into: versions
// by path.
func (s *session) show(texts buffers) (unseen map[string]int32, err error) {
	d := &s.documents
	d.mu.Lock()
	defer d.mu.Unlock()
	err = s.putLocked(texts)
	return maps.Clone(d.unseen), err
}

// offer is show while nobody asks about the disk: a server that takes turns may answer by what comes behind a request.
func (s *session) offer(texts buffers) error {
	d := &s.documents
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.claims > 0 {
		return errClaimed
	}
	return s.putLocked(texts)
}

// putLocked gives the server the texts of a client, unless too much waits for it already. Callers hold documents.mu.
func (s *session) putLocked(texts buffers) error {
	if s.wire.waiting() > behind {
		return errBehind
	}
	return s.documents.show(texts)
}

// busy says whether somebody asks about the disk, or waits for the server to look at it, or too much waits for the server.
func (s *session) busy() bool {
	s.documents.mu.Lock()
	claimed := s.documents.claims > 0
	s.documents.mu.Unlock()
	return claimed || s.wire.waiting() > crowded
}

// seen says that the server has looked into a version of a document.
func (s *session) seen(path string, version int32) {
	d := &s.documents
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.unseen[path] == version {
		delete(d.unseen, path)
	}
}

// cancel tells the server that nobody waits for the answer to a request of a client, if it bears that.
func (s *session) cancel(method, id string) {
	s.wire.silence.giveUp()
	if method != s.language.Unstoppable {
		s.notify(protocol.MethodCancelRequest, map[string]string{"id": id})
	}
}

// notify makes a notification for a client. What goes wrong ends the session.
func (s *session) notify(method string, params any) {
	s.documents.mu.Lock()
	defer s.documents.mu.Unlock()
	s.wire.notify(method, params)
}

// respond sends an encoded response of a client. What goes wrong ends the session.
func (s *session) respond(body []byte) {
	s.documents.mu.Lock()
	defer s.documents.mu.Unlock()
	s.wire.send(body)
}
