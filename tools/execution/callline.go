package execution

import (
	"fmt"
	"strings"

	"tidepool/internal/sandbox"
	"tidepool/tools/broker"
)

// The variables by which a command calls tools.
const (
	socketVariable = "TIDEPOOL_SAFE_SOCKET"
	tokenVariable  = "TIDEPOOL_SAFE_TOKEN"
)

// A callLine is the socket by which one command calls tools, from its start to its end. A command that cannot have one runs without.
type callLine struct {
	*use
	socket *broker.Socket // nil: there is none
	err    error          // why
}

// open makes the socket.
func (l *callLine) open() (sandbox.Socket, bool) {
	caller := l.call.Caller
	caller.Session = l.session
	if l.socket, l.err = l.Broker.Open(broker.Command{Caller: caller, Keep: l.keepText}); l.err != nil {
		return sandbox.Socket{}, false
	}
	return sandbox.Socket{
		Path: l.socket.Path(), Env: []string{socketVariable + "=" + sandbox.SocketPath, tokenVariable + "=" + l.socket.Token()},
	}, true
}

// keepText keeps a text of the command for its session, without secrets.
func (l *callLine) keepText(text []byte) (string, error) {
	clean, _ := l.secrets.Text(string(text))
	return l.Refs.Put(l.session, []byte(strings.ToValidUTF8(clean, "\uFFFD")))
}

// close ends the socket and returns how many tools the command has called, and what the user of the tool should know.
func (l *callLine) close() (calls int, notes []string) {
	if l.socket != nil {
		calls = l.socket.Calls()
		l.err = l.socket.Close()
	}
	if l.err != nil {
		notes = append(notes, fmt.Sprintf("the command's socket for tools: %v", l.err))
	}
	return calls, notes
}
