package session

import (
	"errors"
	"maps"

	"go.lsp.dev/protocol"

	"tidepool/lsp/internal/process"
)

// An Interceptor reads the messages of a session's server before the session does, for clients that share the server. The
// reader of the connection calls its methods, one after the other; they must not wait.
type Interceptor interface {
	// Take reads a message and reports whether it was for clients alone.
	Take(body []byte) bool
	// HangUp is called when the server sends no more.
	HangUp()
}

// Share returns the session's interceptor, which the first call makes. From then on requests about the disk and those of
// clients take turns, at a server that needs that.
func (s *Session) Share(make func() Interceptor) Interceptor {
	return s.wire.share(make)
}

// How many bytes may wait for a server before it is sent no more requests of clients, and no more of their texts unasked:
// one that floods shall neither make the server look stuck nor hold up others.
const (
	behind  = process.WriteQueueLimit / 8
	crowded = behind / 16
)

var (
	// ErrBehind says that too much waits for the server to be read.
	ErrBehind = errors.New("the language server is far behind with what it is sent: ask again later")
	// ErrClaimed says that a request about the disk is under way.
	ErrClaimed = errors.New("somebody asks about the disk")
)

// Request sends an encoded request of a client that is about a document, "" for none, right behind the client's texts.
// Servers answer badly for files that are not open, some not at all.
func (s *Session) Request(texts Buffers, path string, body []byte) error {
	d := &s.Documents
	d.mu.Lock()
	defer d.mu.Unlock()
	err := s.putLocked(texts)
	if err == nil && path != "" {
		if err = d.open(path); !errors.Is(err, ErrBroken) {
			err = nil // the server says what it makes of a file that cannot be read
		}
	}
	if err == nil {
		s.wire.watchdog.sent()
		_, err = s.wire.send(body)
	}
	return err
}

// Show gives the server the texts of a client. Of a server that remembers opened documents it returns what it has not looked into: versions
// by path.
func (s *Session) Show(texts Buffers) (unseen map[string]int32, err error) {
	d := &s.Documents
	d.mu.Lock()
	defer d.mu.Unlock()
	err = s.putLocked(texts)
	return maps.Clone(d.unseen), err
}

// Offer is show while nobody asks about the disk: a server that takes turns may answer by what comes behind a request.
func (s *Session) Offer(texts Buffers) error {
	d := &s.Documents
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.claims > 0 {
		return ErrClaimed
	}
	return s.putLocked(texts)
}

// putLocked gives the server the texts of a client, unless too much waits for it already. Callers hold documents.mu.
func (s *Session) putLocked(texts Buffers) error {
	if s.Waiting() > behind {
		return ErrBehind
	}
	return s.Documents.show(texts)
}

// Busy reports whether somebody asks about the disk, or waits for the server to look at it, or too much waits for the server.
func (s *Session) Busy() bool {
	s.Documents.mu.Lock()
	claimed := s.Documents.claims > 0
	s.Documents.mu.Unlock()
	return claimed || s.Waiting() > crowded
}

// Waiting returns how many bytes wait for the server to read them.
func (s *Session) Waiting() int { return s.wire.waiting() }

// Seen says that the server has looked into a version of a document.
func (s *Session) Seen(path string, version int32) {
	d := &s.Documents
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.unseen[path] == version {
		delete(d.unseen, path)
	}
}

// Cancel tells the server that nobody waits for the answer to a request of a client, if it bears that.
func (s *Session) Cancel(method, id string) {
	s.wire.watchdog.giveUp()
	if method != s.Language.Uncancellable {
		s.Notify(protocol.MethodCancelRequest, map[string]string{"id": id}) // what goes wrong ends the session
	}
}

// Respond sends an encoded response of a client. What goes wrong ends the session.
func (s *Session) Respond(body []byte) {
	s.Documents.mu.Lock()
	defer s.Documents.mu.Unlock()
	s.wire.send(body)
}
