package session

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"sync"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/uri"

	"tidepool/lsp/internal/text"
)

// A wire carries the messages of a session. Under the session's connection, which makes our own requests, it lets
// clients of proxies talk with the same server: what comes for them never reaches the connection, and what the
// connection sends is put in order with what they send.
type wire struct {
	incoming  frames
	out       io.WriteCloser // takes a message at once, and never blocks
	waiting   func() int     // how many bytes out holds back, because the server does not read
	watchdog  watchdog
	documents *Documents

	sharing     sync.Mutex
	interceptor Interceptor // of the clients that share the server; nil: there were none
	over        bool        // the server sends no more
}

// frames is what reads messages without decoding them.
type frames interface {
	ReadFrame(ctx context.Context) (body []byte, size int64, err error)
}

// newWire joins a session to its process.
func newWire(of io.ReadWriteCloser, s *Session) *wire {
	w := &wire{incoming: jsonrpc2.NewHeaderStream(of).(frames), out: of, waiting: s.process.In().Waiting, documents: &s.Documents}
	s.Documents.wire, s.Documents.progress, s.Documents.language = w, s.Progress, s.Language.LanguageIDOf
	return w
}

// ReadFrame returns the next message that is not for a client of a proxy. It is valid until the next call.
func (w *wire) ReadFrame(ctx context.Context) ([]byte, int64, error) {
	for {
		body, size, err := w.incoming.ReadFrame(ctx)
		if err != nil {
			w.hangUp()
			return nil, 0, err
		}
		w.watchdog.heard()
		if i := w.intercepting(); i == nil || !i.Take(body) {
			return body, size, nil
		}
	}
}

// share returns the interceptor, which make makes if there is none.
func (w *wire) share(make func() Interceptor) Interceptor {
	w.sharing.Lock()
	defer w.sharing.Unlock()
	if w.interceptor == nil {
		w.interceptor = make()
		if w.over {
			w.interceptor.HangUp()
		}
	}
	return w.interceptor
}

// intercepting returns the interceptor, nil if there is none.
func (w *wire) intercepting() Interceptor {
	w.sharing.Lock()
	defer w.sharing.Unlock()
	return w.interceptor
}

// hangUp tells the interceptor that the server sends no more.
func (w *wire) hangUp() {
	w.sharing.Lock()
	defer w.sharing.Unlock()
	if !w.over && w.interceptor != nil {
		w.interceptor.HangUp()
	}
	w.over = true
}

// Read is ReadFrame for who wants the message decoded.
func (w *wire) Read(ctx context.Context) (jsonrpc2.Message, int64, error) {
	body, size, err := w.ReadFrame(ctx)
	if err != nil {
		return nil, 0, err
	}
	message, err := jsonrpc2.DecodeMessage(body)
	return message, size, err
}

// Write sends a message of the connection.
func (w *wire) Write(ctx context.Context, message jsonrpc2.Message) (int64, error) {
	return w.WriteFrame(ctx, jsonrpc2.AppendMessage(nil, message))
}

// WriteFrame sends an encoded message of the connection, a request behind what its answer depends on, unless ctx is of
// AboutNoText.
func (w *wire) WriteFrame(ctx context.Context, body []byte) (int64, error) {
	if err := ctx.Err(); err != nil {
		return 0, err
	}
	w.documents.mu.Lock()
	defer w.documents.mu.Unlock()
	message, err := jsonrpc2.ScanMessageView(body)
	if err != nil || message.Kind != jsonrpc2.MessageViewCall {
		return w.send(body)
	}
	if ctx.Value(noText{}) == nil {
		if err := w.prepare(message.Params); err != nil {
			return 0, err
		}
	}
	w.watchdog.sent() // before the answer can come
	return w.send(body)
}

// prepare gives the server what a request with these parameters is about: the files as they are on the disk where clients
// have changed them, and its document open. Whoever asks has opened that, but another may have closed it since: to make
// room, or to have the server look into it again. Callers hold documents.mu.
func (w *wire) prepare(params []byte) error {
	if len(w.documents.overlaid) > 0 {
		if err := w.documents.show(nil); err != nil {
			return err
		}
	}
	path := documentOf(params)
	if path == "" {
		return nil
	}
	if err := w.documents.open(path); errors.Is(err, ErrBroken) {
		return err
	}
	return nil // the server says what it makes of a file that cannot be read
}

// documentOf returns the file that a request of ours is about, "" if it is about none. It is DocumentIn without decoding: a request
// as we encode it is about the first document that it names.
func documentOf(params []byte) string {
	_, rest, ok := bytes.Cut(params, []byte(`"textDocument":{"uri":"`))
	if !ok {
		return ""
	}
	name, _, _ := bytes.Cut(rest, []byte{'"'}) // URIs hold none
	if bytes.IndexByte(name, '\\') >= 0 {
		return DocumentIn(params)
	}
	return text.Path(uri.URI(name))
}

// noText is the key of what AboutNoText adds to a context.
type noText struct{}

// AboutNoText returns a context for requests to which the texts of documents make no difference. A server that takes
// turns may be at work on those of a client, which another text right behind would spoil.
func AboutNoText(ctx context.Context) context.Context { return context.WithValue(ctx, noText{}, true) }

// Close ends the server's input.
func (w *wire) Close() error { return w.out.Close() }

// send queues an encoded message; its error is ErrBroken. Callers hold documents.mu.
func (w *wire) send(body []byte) (int64, error) {
	n, err := w.out.Write(AppendFrame(nil, body))
	if err != nil {
		err = fmt.Errorf("%w: %w", ErrBroken, err)
	}
	return int64(n), err
}

// notify queues a notification. Callers hold documents.mu.
func (w *wire) notify(method string, params any) error {
	encoded, err := codec{}.Marshal(params)
	if err != nil {
		return err
	}
	_, err = w.send(jsonrpc2.AppendNotification(nil, method, encoded))
	return err
}

// AppendFrame appends a message with its header.
func AppendFrame(dst, body []byte) []byte {
	dst = append(dst, "Content-Length: "...)
	dst = strconv.AppendInt(dst, int64(len(body)), 10)
	dst = append(dst, "\r\n\r\n"...)
	return append(dst, body...)
}

// DocumentIn returns the file that a notification is about, "" if it is about none.
func DocumentIn(params []byte) string {
	var message struct {
		TextDocument struct {
			URI uri.URI `json:"uri"`
		} `json:"textDocument"`
	}
	if json.Unmarshal(params, &message) != nil {
		return ""
	}
	return text.Path(message.TextDocument.URI)
}
