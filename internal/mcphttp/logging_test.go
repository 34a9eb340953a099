package mcphttp

import (
	"bufio"
	"context"
	"net/http"
	"strings"
	"testing"
	"time"

	"tidepool/internal/daemontest"
	"tidepool/internal/server"
	"tidepool/protocol"
)

// standing are messages that each client is told when it begins to listen.
type standing struct{ level, text string }

func (s standing) Follow(ctx context.Context, tell func(*protocol.LogMessage)) {
	tell(&protocol.LogMessage{Level: s.level, Logger: "settings", Text: s.text})
	<-ctx.Done()
}

// listen opens the stream of a session, when the one before has ended.
func (d *door) listen(ctx context.Context, t *testing.T, session string) (opened *http.Response) {
	t.Helper()
	daemontest.Eventually(t, "the stream is opened", func() bool {
		response, err := d.send(ctx, t, http.MethodGet, "/mcp", nil, sessionHeader, session)
		if err != nil {
			t.Fatal(err)
		}
		if response.StatusCode == http.StatusConflict {
			response.Body.Close()
			return false
		}
		opened = response
		return true
	})
	return opened
}

// What stands is told as soon as a session has a stream of events, to each stream, and holds no shutdown up.
func TestStandingMessages(t *testing.T) {
	d := open(t, server.Options{Messages: standing{"warning", "refused"}, DrainTimeout: time.Minute})
	session := d.begin(t)
	for range 2 {
		ctx, hangUp := context.WithCancel(t.Context())
		defer hangUp()
		response := d.listen(ctx, t, session)
		defer response.Body.Close()
		lines := bufio.NewScanner(response.Body)
		for lines.Scan() && !strings.HasPrefix(lines.Text(), "data:") {
		}
		if !strings.Contains(lines.Text(), `"method":"notifications/message","params":{"data":"refused","level":"warning","logger":"settings"}`) {
			t.Errorf("got %q, %v", lines.Text(), lines.Err())
		}
		if status, _, body := d.post(t, call(3, "echo"), sessionHeader, session); status != http.StatusOK || strings.Contains(body, "notifications/message") {
			t.Errorf("%d %s", status, body)
		}
		hangUp()
	}
	begin := time.Now()
	d.stop()
	if took := time.Since(begin); took > 30*time.Second {
		t.Errorf("the shutdown took %v", took)
	}
}

// A request without params, of a session that names the era without sessions, asks for no messages.
func TestNoParams(t *testing.T) {
	d := open(t, server.Options{Messages: standing{"error", "refused"}})
	_, header, _ := d.post(t, strings.Replace(initialize, "2025-11-25", sessionless, 1))
	for _, method := range []string{"ping", "tools/list", "prompts/list", "logging/setLevel", "notifications/initialized"} {
		status, _, body := d.post(t, `{"jsonrpc":"2.0","id":2,"method":"`+method+`"}`, sessionHeader, header.Get(sessionHeader))
		if status == http.StatusInternalServerError || strings.Contains(body, "notifications/message") {
			t.Errorf("%s: %d %s", method, status, body)
		}
	}
}
