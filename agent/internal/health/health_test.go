package health_test

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"tidepool/agent/internal/health"
	"tidepool/agent/internal/peertest"
	"tidepool/protocol"
)

func check(dir string, c health.Check) (status int, stderr string) {
	var out bytes.Buffer
	c.Place = protocol.Locate(func(string) string { return "" }, dir)
	c.Stderr = &out
	return c.Run(), out.String()
}

func TestHealth(t *testing.T) {
	healthy := func(c *peertest.Conn, _ protocol.Request) { c.Reply(&protocol.Pong{}) }
	for _, test := range []struct {
		name   string
		handle peertest.Handler
		status int
		stderr string
	}{
		{"well", healthy, 0, ""},
		{"nobody there", nil, 1, "error: no daemon answers for"},
		{"silence", func(*peertest.Conn, protocol.Request) {}, 1, "error: the daemon did not answer in time\nhint: "},
		{"another message", func(c *peertest.Conn, _ protocol.Request) { c.Reply(&protocol.Attached{}) }, 1, "answered a ping with"},
		{"no JSON", func(c *peertest.Conn, _ protocol.Request) { c.Raw("hello\n") }, 1, "cannot be read"},
		{"hang-up", func(c *peertest.Conn, _ protocol.Request) { c.Close() }, 1, "closed the connection"},
	} {
		t.Run(test.name, func(t *testing.T) {
			dir := peertest.Project(t)
			if test.handle != nil {
				peertest.Start(t, dir, test.handle)
			}
			timeout := time.Minute
			if test.name == "silence" {
				timeout = 100 * time.Millisecond
			}
			status, stderr := check(dir, health.Check{Timeout: timeout})
			if status != test.status || !strings.HasPrefix(stderr, test.stderr) && !strings.Contains(stderr, test.stderr) {
				t.Errorf("status %d: %s", status, stderr)
			}
			if (stderr == "") != (status == 0) {
				t.Errorf("status %d: %q", status, stderr)
			}
		})
	}
}

func TestDefaultTimeout(t *testing.T) {
	dir := peertest.Project(t)
	peertest.Start(t, dir, func(*peertest.Conn, protocol.Request) {})
	start := time.Now()
	status, _ := check(dir, health.Check{})
	if took := time.Since(start); status != 1 || took < 2*time.Second || took > 20*time.Second {
		t.Errorf("status %d after %v", status, took)
	}
}

func TestReady(t *testing.T) {
	gopls := func(state, message string) []protocol.LanguageServer {
		return []protocol.LanguageServer{{Language: "go", Command: "gopls", State: state, Message: message}}
	}
	for _, test := range []struct {
		name    string
		replies []*protocol.StatusResponse
		status  int
		stderr  string
	}{
		{"at once", []*protocol.StatusResponse{{Ready: true}}, 0, ""},
		{"later", []*protocol.StatusResponse{{LanguageServers: gopls("starting", "")}, {LanguageServers: gopls("indexing", "")}, {Ready: true}}, 0, ""},
		{
			"missing", []*protocol.StatusResponse{{LanguageServers: gopls("missing", "gopls is not on PATH")}}, 1,
			"error: the daemon answers, but its language servers are not ready: go (gopls) is missing: gopls is not on PATH\nhint: ",
		},
		{"no server at all", []*protocol.StatusResponse{{Completeness: "unknown"}}, 1, "answers are unknown"},
	} {
		t.Run(test.name, func(t *testing.T) {
			dir := peertest.Project(t)
			replies := make(chan *protocol.StatusResponse, len(test.replies))
			for _, reply := range test.replies {
				replies <- reply
			}
			peertest.Start(t, dir, func(c *peertest.Conn, r protocol.Request) {
				switch r := r.(type) {
				case *protocol.Ping:
					c.Reply(&protocol.Pong{})
				case *protocol.StatusRequest:
					if !r.WaitReady {
						t.Error("wait_ready is not set")
					}
					c.Reply(<-replies)
				}
			})
			status, stderr := check(dir, health.Check{Ready: true, Timeout: time.Minute})
			if status != test.status || !strings.Contains(stderr, test.stderr) {
				t.Errorf("status %d: %s", status, stderr)
			}
		})
	}
}

func TestReadyGivesUp(t *testing.T) {
	dir := peertest.Project(t)
	peertest.Start(t, dir, func(c *peertest.Conn, r protocol.Request) {
		if _, ok := r.(*protocol.Ping); ok {
			c.Reply(&protocol.Pong{})
		}
	})
	if status, stderr := check(dir, health.Check{Ready: true, Timeout: 50 * time.Millisecond}); status != 1 || !strings.Contains(stderr, "did not answer in time") {
		t.Errorf("status %d: %s", status, stderr)
	}
}
