// Package loopback opens a port of this machine's loopback interface for HTTP, and admits only requests that may come from the user.
//
// A request needs the token of the port, which is new at each start: as "Authorization: Bearer TOKEN", as the first segment of the
// path, or as token in the query. Its Host must be the port's, or a web page could reach the port under a name of its own (DNS
// rebinding). Its Origin, if it has one, must be the port's, too. The reply to others is 401, 421 or 403, with the reason.
//
// Every process of this machine can connect to a port, of other users too. So the system does not tell who a request comes from, and
// the token is all that admits it. It is kept in the project's state directory, which only its user can read.
package loopback

import (
	"crypto/rand"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"strings"
	"syscall"
	"time"
)

// A Port is open until its listener is closed.
type Port struct {
	listener net.Listener
	address  netip.AddrPort
	token    string
	dir      string // the state directory
}

// An AddressError means that an address is not one to listen on.
type AddressError struct{ address, why string }

func (e *AddressError) Error() string {
	return fmt.Sprintf("cannot listen on %q: %s", e.address, e.why)
}

// Hint says which addresses are.
func (*AddressError) Hint() string {
	return `write "127.0.0.1:0" for any free port, or a port of your choice; to reach it from another machine, forward it by ssh -L`
}

// A busyError means that a port is in use.
type busyError struct{ address netip.AddrPort }

func (e *busyError) Error() string {
	return fmt.Sprintf("port %d of %s is in use", e.address.Port(), e.address.Addr())
}

// Hint says what to do.
func (*busyError) Hint() string { return "choose another one, or 0 for any free port" }

// Parse returns the address of a text. The error is an *AddressError if it is not one of the loopback interface.
func Parse(text string) (netip.AddrPort, error) {
	address, err := netip.ParseAddrPort(text)
	switch {
	case err != nil:
		return address, &AddressError{text, "it is no IP address with a port"}
	case address.Addr().IsUnspecified():
		return address, &AddressError{text, "it is every address of this machine, so others could connect from the network"}
	case !address.Addr().IsLoopback() || address.Addr().Zone() != "":
		return address, &AddressError{text, "it is no address of the loopback interface, so others could connect from the network"}
	}
	return address, nil
}

// How long listen waits for a port that another daemon is about to close, and how often it tries.
const (
	busyLimit = 500 * time.Millisecond
	busyRetry = 10 * time.Millisecond
)

// listen opens a port with a new token.
func listen(text string) (*Port, error) {
	address, err := Parse(text)
	if err != nil {
		return nil, err
	}
	giveUp := time.Now().Add(busyLimit)
	for {
		listener, err := net.Listen("tcp", address.String())
		switch {
		case err == nil:
			bound := listener.Addr().(*net.TCPAddr).AddrPort()
			return &Port{listener: listener, address: netip.AddrPortFrom(bound.Addr().Unmap(), bound.Port()), token: strings.ToLower(rand.Text())}, nil
		case !errors.Is(err, syscall.EADDRINUSE):
			return nil, fmt.Errorf("opening a port: %w", err)
		case time.Now().After(giveUp):
			return nil, &busyError{address}
		}
		time.Sleep(busyRetry)
	}
}

// Listener returns the listener. Its user closes it.
func (p *Port) Listener() net.Listener { return p.listener }

// URL returns where the port is, without the token.
func (p *Port) URL() string { return "http://" + p.address.String() }
