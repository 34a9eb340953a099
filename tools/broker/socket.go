package broker

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net"
	"net/http"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"tidepool/protocol"
	"tidepool/tools"
	"tidepool/tools/catalogue"
)

const (
	connections = 4                // of a command at once; others wait until one is closed
	idleLimit   = 5 * time.Second  // of a connection between two requests
	headerLimit = 10 * time.Second // how long a header may take
	maxHeader   = 8 << 10          // bytes; net/http adds 4 KiB to it
	maxKept     = 1 << 20          // bytes of a text that is kept
	mostKept    = 16               // texts that one command may have kept
)

// A Socket is the socket of one command.
type Socket struct {
	broker  *Broker
	command Command
	name    string // of the file
	token   string
	http    http.Server
	listen  net.Listener
	cancel  context.CancelFunc // ends the calls

	calls atomic.Int64 // of tools
	mu    sync.Mutex
	kept  int // texts
}

func newSocket(b *Broker, c Command, name string, l net.Listener) *Socket {
	ctx, cancel := context.WithCancel(context.Background())
	s := &Socket{broker: b, command: c, name: name, token: rand.Text() + rand.Text(), cancel: cancel}
	s.listen = limited(l, connections)
	protocols := new(http.Protocols)
	protocols.SetHTTP1(true)
	s.http = http.Server{
		Handler:                      s.handler(),
		ConnState:                    b.count,
		BaseContext:                  func(net.Listener) context.Context { return ctx },
		ReadHeaderTimeout:            headerLimit,
		IdleTimeout:                  idleLimit,
		MaxHeaderBytes:               maxHeader,
		Protocols:                    protocols,
		DisableGeneralOptionsHandler: true,
		ErrorLog:                     slog.NewLogLogger(b.options.Log.Handler(), slog.LevelDebug),
	}
	return s
}

// count counts the goroutines of net/http: a connection is new before Serve accepts another one, and closed when its handler has ended.
func (b *Broker) count(_ net.Conn, state http.ConnState) {
	switch state {
	case http.StateNew:
		b.serving.Add(1)
	case http.StateClosed:
		b.serving.Done()
	}
}

// Path returns where the socket is.
func (s *Socket) Path() string { return filepath.Join(s.broker.options.Dir.Path(), s.name) }

// Token returns what each request carries.
func (s *Socket) Token() string { return s.token }

// Calls returns how many calls of tools the socket has answered.
func (s *Socket) Calls() int { return int(s.calls.Load()) }

// Close ends the calls and the connections, and removes the file. What does not heed its end is waited for by the broker.
func (s *Socket) Close() error {
	s.cancel()
	_ = s.http.Close() // of a listener that is closed already
	_ = s.listen.Close()
	if err := s.broker.options.Dir.RemoveSocket(s.name); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// handler answers what is on the list, for whoever has the token.
func (s *Socket) handler() http.Handler {
	mux := http.NewServeMux()
	known := catalogue.Handler(s.broker.list, s.call)
	for _, route := range catalogue.Routes() {
		mux.Handle(route, known)
	}
	mux.HandleFunc("POST /refs", s.keep)
	mux.HandleFunc("/", func(w http.ResponseWriter, _ *http.Request) {
		catalogue.Fail(w, &catalogue.StatusError{Status: http.StatusNotFound, Message: "a command reaches GET /tools, GET and POST /tools/NAME, POST /refs and GET /guide only"})
	})
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		token, bearer := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
		if !bearer || subtle.ConstantTimeCompare([]byte(token), []byte(s.token)) != 1 {
			catalogue.Fail(w, &catalogue.StatusError{Status: http.StatusUnauthorized, Message: "the token is missing or is another command's: send the header \"Authorization: Bearer $TIDEPOOL_SAFE_TOKEN\""})
			return
		}
		mux.ServeHTTP(w, r)
	})
}

// call runs a tool that a command may call.
func (s *Socket) call(ctx context.Context, name string, arguments json.RawMessage) (result tools.Result, err error) {
	if err := s.broker.permit(name, arguments); err != nil {
		return tools.Result{}, err
	}
	ctx, cancel := context.WithTimeout(ctx, s.broker.options.CallTimeout)
	defer cancel()
	defer func() {
		if v := recover(); v != nil {
			s.broker.options.Log.Error("panic", "in", name, "value", fmt.Sprint(v))
			err = &protocol.Error{Code: protocol.CodeInternal, Message: "internal error: see the daemon's log"}
		}
	}()
	s.calls.Add(1)
	return s.broker.options.Tools.Call(ctx, tools.Call{Tool: name, Caller: s.command.Caller, Client: "a confined command"}, arguments)
}

// keep answers POST /refs.
func (s *Socket) keep(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	s.kept++
	full := s.kept > mostKept
	s.mu.Unlock()
	if full {
		catalogue.Fail(w, &catalogue.StatusError{Status: http.StatusTooManyRequests, Message: fmt.Sprintf("a command may keep %d texts: put several into one", mostKept)})
		return
	}
	text, err := catalogue.ReadBody(w, r, maxKept)
	if err != nil {
		catalogue.Fail(w, err)
		return
	}
	ref, err := s.command.Keep(text)
	if err != nil {
		catalogue.Fail(w, err)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(map[string]string{"ref": ref}) // a client that is gone
}
