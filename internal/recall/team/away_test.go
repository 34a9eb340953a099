package team

import (
	"context"
	"errors"
	"net"
	"strings"
	"testing"
	"time"

	"tidepool/internal/recall/memory"
	"tidepool/internal/wording"
)

func open(t testing.TB, address string) *Team {
	t.Helper()
	team, err := Open(Options{Address: address, Author: "maria", Scrub: scrubber(t)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(team.Close)
	return team
}

// listen returns the address of a server that accepts connections and never says anything, and a channel with each of them.
func listen(t *testing.T) (string, <-chan net.Conn) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	accepted := make(chan net.Conn, 16)
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			t.Cleanup(func() { conn.Close() })
			accepted <- conn
		}
	}()
	t.Cleanup(func() { l.Close() })
	return l.Addr().String(), accepted
}

// Nobody listens: the first request fails, and the next ones do not try.
func TestServerIsAway(t *testing.T) {
	t.Setenv("HOME", t.TempDir())
	address, accepted := listen(t)
	team := open(t, "postgres://"+address+"/shared?sslmode=disable")
	(<-accepted).Close() // the one that warms
	_, err := team.Expand(t.Context(), "team_000000000000", 0)
	var away *AwayError
	if !errors.As(err, &away) || !strings.Contains(err.Error(), "shared at 127.0.0.1") || wording.HintOf(err) == "" {
		t.Fatal(err)
	}
	for len(accepted) > 0 {
		(<-accepted).Close()
	}
	for range 100 {
		if _, err := team.Expand(t.Context(), "team_000000000000", 0); !errors.As(err, &away) {
			t.Fatal(err)
		}
	}
	if len(accepted) > 0 {
		t.Error("the server was asked again within the pause")
	}
	if s := team.Status(); s.Away == "" || s.Again.Before(time.Now()) {
		t.Errorf("%+v", s)
	}
}

// A server that hangs costs a prompt its own patience, and is given up after the answer's.
func TestServerHangs(t *testing.T) {
	t.Setenv("HOME", t.TempDir())
	address, _ := listen(t)
	team := open(t, "postgres://"+address+"/shared?sslmode=disable")
	for range 2 * connections { // all that may be at work, and more
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
		begun := time.Now()
		_, err := team.Expand(ctx, "team_000000000000", 0)
		cancel()
		if late := (*LateError)(nil); !errors.As(err, &late) {
			t.Errorf("%v after %v", err, time.Since(begun))
		}
	}
	_, err := team.Save(t.Context(), memory.Project{Key: "k", Name: "harbor"}, memory.Draft{Content: "text"})
	if away := (*AwayError)(nil); !errors.As(err, &away) || away.Why != "it took too long" {
		t.Errorf("%v", err)
	}
}

func TestCloseEndsRequests(t *testing.T) {
	t.Setenv("HOME", t.TempDir())
	address, accepted := listen(t)
	team := open(t, "postgres://"+address+"/shared?sslmode=disable")
	<-accepted
	team.Close() // waits for the goroutines
	if _, err := team.Expand(t.Context(), "team_000000000000", 0); err == nil {
		t.Error("asked after Close")
	}
}
