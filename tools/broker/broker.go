// Package broker lets a confined command call tools that only read, over a Unix socket that this command alone has.
//
// A command in the sandbox reaches neither the daemon's socket nor a network. A program that a model writes is still better than ten calls
// of the model's own, so a command gets a socket that carries HTTP and nothing else, and a token. The socket answers what is on a list:
//
//	GET  /tools, /tools/NAME, /guide, /guide/NAME   as package catalogue does
//	POST /tools/NAME                                calls a tool that is annotated as read-only and not as open-world
//	POST /refs                                      keeps the body as a reference of the command's session
//
// Each request carries the token. The socket is a file of its own for each command, of which the sandbox shows a command its own; the
// token is a second wall. Both end with the command.
//
// A command may be run by code that nobody has read. Therefore a command that has a network gets no socket: what it reads it could send.
package broker

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"path/filepath"
	"strconv"
	"sync"
	"time"

	"tidepool/internal/policy"
	"tidepool/internal/session"
	"tidepool/internal/state"
	"tidepool/tools"
	"tidepool/tools/catalogue"
)

// Tools are what commands call, as [tools.Registry] has them.
type Tools interface {
	Definitions() []tools.Definition
	Call(ctx context.Context, call tools.Call, arguments json.RawMessage) (tools.Result, error)
}

// A Policy decides about a tool call, as [policy.Engine] does.
type Policy interface {
	Decide(tool string, input json.RawMessage) (policy.Verdict, bool)
}

// Options configures New. All fields must be set.
type Options struct {
	Dir         *state.Dir // where the sockets are made; the sandbox hides it from commands
	Tools       Tools
	Policy      Policy
	Trusted     func() bool   // whether the user trusts the project now
	Untrusted   []string      // the tools that a command of a project without trust may call
	CallTimeout time.Duration // after which a call is given up
	Log         *slog.Logger
}

// A Broker makes sockets for commands. Goroutines: for each socket one that accepts, and those of net/http; closing a socket ends them, and
// Close waits for them.
type Broker struct {
	options Options
	safe    map[string]tools.Definition // the tools that commands may call, by name
	list    *catalogue.Catalogue        // of them
	serving sync.WaitGroup

	mu    sync.Mutex
	swept bool // the sockets of a daemon that was killed are removed
}

// intro is the first line of the list of tools.
const intro = "Call one: POST /tools/NAME, its arguments as JSON. GET /tools/NAME describes it. Other tools are not reachable from a command."

// New returns a broker. It makes nothing yet.
func New(o Options) *Broker {
	b := &Broker{options: o, safe: map[string]tools.Definition{}}
	var list []tools.Definition
	for _, d := range o.Tools.Definitions() {
		if isSafe(d) {
			b.safe[d.Name] = d
			list = append(list, d)
		}
	}
	b.list = catalogue.New(list, intro)
	return b
}

// isSafe reports whether a confined command may call a tool: it only reads, and reaches nothing beyond the machine. A command reads files
// by itself, as far as it may; safe_read would read for it what the sandbox hides.
func isSafe(d tools.Definition) bool {
	return d.Annotations.ReadOnlyHint && !d.Annotations.OpenWorldHint && !d.Annotations.DestructiveHint && d.Name != "safe_read"
}

// A Command is a command that gets a socket.
type Command struct {
	Caller session.Conversation // who runs it
	// Keep keeps a text for the command's session and returns its reference.
	Keep func(text []byte) (ref string, err error)
}

// Open makes a socket for a command. The caller closes it when the command has ended.
func (b *Broker) Open(c Command) (*Socket, error) {
	if err := b.sweep(); err != nil {
		return nil, fmt.Errorf("removing sockets that a killed daemon has left: %w", err)
	}
	if err := b.options.Dir.Make(); err != nil {
		return nil, fmt.Errorf("making the directory of commands' sockets: %w", err)
	}
	name := "s" + rand.Text()
	l, err := listen(b.options.Dir, name)
	if err != nil {
		return nil, fmt.Errorf("making a socket for a command: %w", err)
	}
	s := newSocket(b, c, name, l)
	b.serving.Go(func() { _ = s.http.Serve(s.listen) }) // until Close
	return s, nil
}

// sweep removes, once, what is in the directory before the first socket is made. Only one daemon at a time serves a project.
func (b *Broker) sweep() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.swept {
		return nil
	}
	err := b.options.Dir.Clear()
	b.swept = err == nil
	return err
}

// Close waits for what still answers on sockets that are closed.
func (b *Broker) Close() { b.serving.Wait() }

// maxAddress bounds the path in the address of a socket, in bytes.
const maxAddress = 104

// listen makes a socket in a directory whose path may be of any length. A short path is bound as it is, so that other sandboxes find it
// among the sockets of the system and hide it; that no link has led elsewhere is checked before anybody has the token.
func listen(dir *state.Dir, name string) (net.Listener, error) {
	opened, err := dir.Directory()
	if err != nil {
		return nil, err
	}
	defer opened.Close()
	path := filepath.Join(dir.Path(), name)
	if len(path) > maxAddress {
		path = filepath.Join("/proc/self/fd", strconv.Itoa(int(opened.Fd())), name)
	}
	l, err := net.ListenUnix("unix", &net.UnixAddr{Name: path, Net: "unix"})
	if err != nil {
		return nil, err
	}
	l.SetUnlinkOnClose(false) // by then the name may mean another directory
	if err := dir.CloseSocketToOthers(name); err != nil {
		return nil, errors.Join(err, l.Close())
	}
	return l, nil
}
