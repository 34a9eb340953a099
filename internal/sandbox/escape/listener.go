//go:build linux

package escape

import (
	"bufio"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"
)

// heardWithin is how long a listener may take to answer a question of the test itself.
const heardWithin = 10 * time.Second

// listeners are sockets of the world that must hear nothing, by name. Goroutines: one for each, which close ends and waits for.
type listeners struct {
	address string // an IPv4 address of the machine, not of the loopback if it has another
	all     map[string]*listener
	wait    sync.WaitGroup
}

// A listener counts the connections or datagrams that it gets. It answers each connection with the count, and a datagram that says
// "count" to itself.
type listener struct {
	stream  net.Listener
	packet  net.PacketConn
	counted chan int // of datagrams, for who sends "count"
	asked   int      // connections of the test itself
}

// listen starts the listeners of a world. One that the machine cannot have, such as IPv6, is left out.
func listen(w *world) (*listeners, error) {
	l := &listeners{address: machineAddress(), all: map[string]*listener{}}
	for name, at := range map[string][2]string{
		"tcp4": {"tcp4", "0.0.0.0:0"}, "tcp6": {"tcp6", "[::1]:0"}, "udp": {"udp4", "0.0.0.0:0"}, "abstract": {"unix", "@" + w.token},
		"/tmp": {"unix", filepath.Join(w.tmp, "s")}, "/run": {"unix", filepath.Join(w.run, "s")},
		"outside/log.sock": {"unixgram", filepath.Join(w.outside(), "log.sock")},
	} {
		if err := l.start(name, at[0], at[1]); err != nil && name != "tcp6" {
			return l, err
		}
	}
	for _, path := range socketPaths() {
		full := strings.ReplaceAll(inVariables(path), "$WORLD", w.dir)
		if err := l.start(path, "unix", strings.ReplaceAll(full, "$PROJECT", w.project())); err != nil {
			return l, err
		}
	}
	w.secrets["port"] = []string{"port " + l.port("tcp4") + "\n", fmt.Sprintf("00000000:%04X ", l.all["tcp4"].stream.Addr().(*net.TCPAddr).Port)}
	return l, nil
}

func (l *listeners) start(name, network, address string) (err error) {
	if strings.HasPrefix(network, "unix") && address[0] != '@' {
		if err := os.MkdirAll(filepath.Dir(address), 0o700); err != nil {
			return err
		}
		if err := os.Remove(address); err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
	}
	s := &listener{counted: make(chan int, 1)}
	if network == "udp4" || network == "unixgram" {
		if s.packet, err = net.ListenPacket(network, address); err == nil {
			l.wait.Go(s.receive)
		}
	} else if s.stream, err = net.Listen(network, address); err == nil {
		l.wait.Go(s.accept)
	}
	if err == nil {
		l.all[name] = s
	}
	return err
}

func (s *listener) accept() {
	for n := 1; ; n++ {
		c, err := s.stream.Accept()
		if err != nil {
			return
		}
		fmt.Fprintln(c, n)
		c.Close()
	}
}

func (s *listener) receive() {
	n := 0
	for data := make([]byte, 64); ; {
		size, _, err := s.packet.ReadFrom(data)
		if err != nil {
			return
		}
		if string(data[:size]) == "count" {
			s.counted <- n
		} else {
			n++
		}
	}
}

// heard returns whether somebody else than the test has reached the listener since the last time. The kernel keeps their order, so
// whoever came before is counted before.
func (s *listener) heard() (bool, error) {
	n := 0
	if s.packet != nil {
		c, err := net.Dial(s.packet.LocalAddr().Network(), s.packet.LocalAddr().String())
		if err != nil {
			return false, err
		}
		defer c.Close()
		if _, err := c.Write([]byte("count")); err != nil {
			return false, err
		}
		select {
		case n = <-s.counted:
		case <-time.After(heardWithin):
			return false, errors.New("a listener does not answer")
		}
		before := s.asked
		s.asked = n
		return n > before, nil
	}
	c, err := net.Dial(s.stream.Addr().Network(), s.stream.Addr().String())
	if err != nil {
		return false, err
	}
	defer c.Close()
	if err := c.SetDeadline(time.Now().Add(heardWithin)); err != nil {
		return false, err
	}
	if _, err := fmt.Fscan(bufio.NewReader(c), &n); err != nil {
		return false, err
	}
	before := s.asked
	s.asked = n
	return n > before+1, nil
}

// replaced reports whether there is something else than a socket at the listener's path.
func (s *listener) replaced() bool {
	if s.stream == nil || s.stream.Addr().Network() != "unix" || strings.HasPrefix(s.stream.Addr().String(), "@") {
		return false
	}
	info, err := os.Lstat(s.stream.Addr().String())
	return err == nil && info.Mode().Type() != os.ModeSocket
}

// breaches returns which listeners somebody has reached.
func (l *listeners) breaches() ([]Breach, error) {
	var found []Breach
	for name, s := range l.all {
		if s.replaced() {
			continue // by a command, which is found by what has changed
		}
		heard, err := s.heard()
		if err != nil {
			// A command that has removed or replaced the socket's path is found by what has changed.
			if s.stream != nil && s.stream.Addr().Network() == "unix" {
				continue
			}
			return nil, fmt.Errorf("asking the listener %s: %w", name, err)
		}
		if heard {
			found = append(found, reaches(name))
		}
	}
	return found, nil
}

// port returns the number of a listener's port; "": there is none.
func (l *listeners) port(name string) string {
	s := l.all[name]
	if s == nil {
		return ""
	}
	address := ""
	if s.packet != nil {
		address = s.packet.LocalAddr().String()
	} else {
		address = s.stream.Addr().String()
	}
	return address[strings.LastIndexByte(address, ':')+1:]
}

func (l *listeners) close() {
	for _, s := range l.all {
		if s.packet != nil {
			s.packet.Close()
		} else {
			s.stream.Close()
		}
	}
	l.wait.Wait()
}

// machineAddress returns an IPv4 address of the machine, that of the loopback if there is no other.
func machineAddress() string {
	addresses, err := net.InterfaceAddrs()
	if err == nil {
		for _, a := range addresses {
			if n, ok := a.(*net.IPNet); ok && n.IP.To4() != nil && !n.IP.IsLoopback() {
				return n.IP.String()
			}
		}
	}
	return "127.0.0.1"
}
