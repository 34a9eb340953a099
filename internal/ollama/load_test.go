package ollama_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"tidepool/internal/ollama"
)

// A slowServer is a transport in which loading takes load and answering takes
// answer; it gives up with the request's context.
type slowServer struct {
	load, answer time.Duration
	loads        atomic.Int64
}

func (s *slowServer) RoundTrip(r *http.Request) (*http.Response, error) {
	sent, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	wait, body := s.answer, `{"done":true,"done_reason":"stop","message":{"tool_calls":[{"function":{"name":"rate","arguments":{"risk":1}}}]}}`
	if strings.Contains(string(sent), `"messages":null`) {
		s.loads.Add(1)
		wait, body = s.load, `{"done":true,"done_reason":"load"}`
	}
	select {
	case <-time.After(wait):
		return &http.Response{StatusCode: http.StatusOK, Body: io.NopCloser(strings.NewReader(body)), Request: r}, nil
	case <-r.Context().Done():
		return nil, r.Context().Err()
	}
}

func TestLoadOutlivesTheCallerWhoNeedsItFirst(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server := &slowServer{load: time.Minute, answer: time.Second}
		c := client(t, ollama.Options{Endpoint: "http://h", Transport: server, Timeout: 2 * time.Second})
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		defer cancel()
		if _, err := c.Call(ctx, prompt("?")); !errors.Is(err, context.DeadlineExceeded) || kindOf(err) != "" {
			t.Errorf("impatient caller: %v, want its own deadline", err)
		}
		if _, err := c.Call(t.Context(), prompt("?")); err != nil {
			t.Errorf("patient caller: %v", err)
		}
		if n := server.loads.Load(); n != 1 {
			t.Errorf("%d loads, want the first to have gone on", n)
		}
	})
}

func TestModelThatIsNotLoaded(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		io.WriteString(w, `{"model":"m","done":false}`)
	}))
	defer server.Close()
	if err := client(t, ollama.Options{Endpoint: server.URL}).Load(t.Context()); kindOf(err) != ollama.Unfinished {
		t.Errorf("%v, want Unfinished", err)
	}
}

func TestTimeouts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server := &slowServer{load: time.Second, answer: time.Minute}
		c := client(t, ollama.Options{Endpoint: "http://h", Transport: server, Timeout: 2 * time.Second})
		_, err := c.Call(t.Context(), prompt("?"))
		var e *ollama.Error
		if !errors.As(err, &e) || e.Kind != ollama.TimedOut || e.Lasting() || !strings.Contains(e.Hint(), "scout.timeout") {
			t.Errorf("slow answer: %v, want TimedOut", err)
		}
		server.answer = 0
		if _, err := c.Call(t.Context(), prompt("?")); err != nil || server.loads.Load() != 2 {
			t.Errorf("after a timeout: %v and %d loads, want a second load and an answer", err, server.loads.Load())
		}

		stuck := client(t, ollama.Options{Endpoint: "http://h", Transport: &slowServer{load: time.Hour}, LoadTimeout: 5 * time.Minute})
		began := time.Now()
		if err := stuck.Load(t.Context()); kindOf(err) != ollama.TimedOut || time.Since(began) != 5*time.Minute {
			t.Errorf("slow load: %v after %v", err, time.Since(began))
		}
	})
}

func TestAPauseLoadsAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server := new(slowServer)
		c := client(t, ollama.Options{Endpoint: "http://h", Transport: server, KeepAlive: 10 * time.Minute})
		for _, pause := range []time.Duration{0, 4 * time.Minute, 4 * time.Minute, 9 * time.Minute} {
			time.Sleep(pause)
			if _, err := c.Call(t.Context(), prompt(time.Now().String())); err != nil {
				t.Fatal(err)
			}
		}
		if n := server.loads.Load(); n != 2 {
			t.Errorf("%d loads, want one at first and one after the long pause", n)
		}
	})
}

func TestCloseEndsTheLoad(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := client(t, ollama.Options{Endpoint: "http://h", Transport: &slowServer{load: time.Hour}})
		failed := make(chan error)
		go func() { failed <- c.Load(t.Context()) }()
		synctest.Wait()
		c.Close()
		if err := <-failed; kindOf(err) != ollama.Closed {
			t.Errorf("the load that ran: %v, want Closed", err)
		}
		if _, err := c.Call(t.Context(), prompt("?")); kindOf(err) != ollama.Closed {
			t.Errorf("a call after: %v, want Closed", err)
		}
	})
}

func TestCallerWhoWaitsForASlotMayLeave(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := client(t, ollama.Options{Endpoint: "http://h", Transport: &slowServer{answer: 10 * time.Second}})
		go c.Call(t.Context(), prompt("?"))
		synctest.Wait()
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if _, err := c.Call(ctx, prompt("?")); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%v, want the caller's deadline", err)
		}
	})
}
