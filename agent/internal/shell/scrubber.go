package shell

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"tidepool/agent/internal/client"
	"tidepool/agent/internal/launch"
	"tidepool/protocol"
)

// How long the daemon may take. A search gives up after 4 seconds, so one that takes longer hangs.
const (
	startLimit = 3 * time.Second // to start
	openLimit  = 2 * time.Second // to answer before the line runs
	partLimit  = 7 * time.Second // for a part of the output
)

// errOff means that the daemon's settings switch scrubbing off.
var errOff = errors.New("scrubbing is switched off")

// A scrubber sends one stream of output to the daemon. Only the goroutine of its pipe uses it.
type scrubber struct {
	shell   *Shell
	prints  json.RawMessage
	session *client.Session // nil: not connected
	fresh   bool            // nothing was sent on the session yet
	lost    bool            // the daemon does not answer any more, and the fail mode holds
}

// open connects to the daemon, starts it if necessary, and asks whether it scrubs.
func (s *Shell) open() (*scrubber, error) {
	c := &scrubber{shell: s}
	if s.Fingerprints != nil {
		prints, err := s.Fingerprints()
		if err != nil {
			s.say("not every secret can be kept from the model", err)
		}
		c.prints = prints
	}
	reply, err := c.ask(&protocol.ScrubText{More: true}, openLimit)
	switch {
	case err != nil:
		c.close()
		return nil, err
	case reply.Off:
		c.close()
		return nil, errOff
	}
	return c, nil
}

// another returns a scrubber for another stream.
func (c *scrubber) another() *scrubber { return &scrubber{shell: c.shell, prints: c.prints} }

func (c *scrubber) close() {
	if c.session != nil {
		_ = c.session.Close()
		c.session = nil
	}
}

// scrub returns what can be shown of a text, and how many of its bytes that stands for.
func (c *scrubber) scrub(text []byte, more, paused bool) ([]byte, int) {
	if len(text) == 0 || c.lost {
		return c.unsearched(text), len(text)
	}
	reply, err := c.ask(&protocol.ScrubText{Text: text, More: more, Pause: paused}, partLimit)
	if err == nil && (reply.Taken < 0 || reply.Taken > len(text) || !more && reply.Taken != len(text) || reply.Taken == 0 && len(text) > protocol.MaxScrubText/2) {
		err = &client.BrokenError{Reason: fmt.Sprintf("the daemon took %d of %d bytes", reply.Taken, len(text))}
	}
	if err == nil {
		return reply.Text, reply.Taken
	}
	c.lost = true
	c.close()
	if c.shell.Closed {
		c.shell.say("the rest of this output is withheld, because it cannot be searched for secrets", err)
	} else {
		c.shell.say("the rest of this output is not searched for secrets", err)
	}
	return c.unsearched(text), len(text)
}

// unsearched returns what is shown of a text that the daemon does not search.
func (c *scrubber) unsearched(text []byte) []byte {
	if c.shell.Closed {
		return nil
	}
	return text
}

// ask sends one request. If the daemon has ended since the last one, it asks the next daemon: a request may run twice.
func (c *scrubber) ask(r *protocol.ScrubText, limit time.Duration) (*protocol.ScrubbedText, error) {
	r.Session = c.shell.Session
	connected := c.session != nil
	reply, err := c.askOnce(r, limit)
	if err != nil && connected && (client.IsUnread(err) || errors.Is(err, io.EOF)) {
		return c.askOnce(r, limit)
	}
	return reply, err
}

func (c *scrubber) askOnce(r *protocol.ScrubText, limit time.Duration) (*protocol.ScrubbedText, error) {
	if err := c.connect(time.Now().Add(limit)); err != nil {
		return nil, err
	}
	if c.fresh {
		r.Fingerprints = c.prints
	}
	_ = c.session.SetDeadline(time.Now().Add(limit))
	err := c.session.Send(r)
	var reply protocol.Response
	if err == nil {
		reply, err = c.session.Receive()
	}
	if err != nil {
		c.close()
		return nil, explain(err)
	}
	c.fresh = false
	scrubbed, is := reply.(*protocol.ScrubbedText)
	if !is {
		c.close()
		return nil, &client.BrokenError{Reason: fmt.Sprintf("the daemon answered ScrubText with %T", reply)}
	}
	return scrubbed, nil
}

// connect connects to the daemon, and starts it if there is none.
func (c *scrubber) connect(deadline time.Time) error {
	if c.session != nil {
		return nil
	}
	session, err := client.Open(c.shell.Place, deadline)
	if client.IsAbsent(err) && c.shell.Launcher != nil && !confined() {
		switch failed := c.shell.Launcher.Start(c.shell.Place, time.Now().Add(startLimit)); {
		case failed == nil:
			session, err = client.Open(c.shell.Place, time.Now().Add(openLimit))
		case !errors.Is(failed, launch.ErrNobody):
			err = failed
		}
	}
	if err != nil {
		return err
	}
	c.session, c.fresh = session, true
	return nil
}

// confined reports whether this process may gain no privileges, as in a sandbox: a daemon that it started would be confined, too.
func confined() bool {
	status, err := os.ReadFile("/proc/self/status")
	return err == nil && bytes.Contains(status, []byte("\nNoNewPrivs:\t1"))
}

// explain adds what to do about a daemon that knows no ScrubText.
func explain(err error) error {
	if refused, ok := errors.AsType[*protocol.Error](err); ok && refused.Code == protocol.CodeMethodNotFound {
		return errOld{}
	}
	return err
}

// An errOld means that the daemon is of a build that scrubs nothing.
type errOld struct{}

func (errOld) Error() string {
	return "the daemon that runs is older than this program and scrubs nothing"
}

// Hint says what to do.
func (errOld) Hint() string {
	return "run `controlserver stop`, and what is started next is the present one"
}
