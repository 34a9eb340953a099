package ollama_test

import (
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"tidepool/internal/ollama"
	"tidepool/internal/ollama/ollamatest"
)

// rate is the tool of these tests.
var rate = ollama.Tool{
	Name:        "rate",
	Description: "Rate it.",
	Parameters: []ollama.Parameter{
		{Name: "risk", Type: "integer", Description: "1 to 5"},
		{Name: "why", Type: "string", Description: "one line", Optional: true},
	},
}

func client(t *testing.T, o ollama.Options) *ollama.Client {
	t.Helper()
	if o.Model == "" {
		o.Model = ollamatest.Model
	}
	c, err := ollama.New(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c
}

func prompt(text string) ollama.Prompt {
	return ollama.Prompt{System: "You rate.", User: text, Tool: rate}
}

// kindOf is the kind of an *ollama.Error; "" if it is none.
func kindOf(err error) ollama.Kind {
	var e *ollama.Error
	if errors.As(err, &e) {
		return e.Kind
	}
	return ""
}

func TestRequestsNeverCauseAReload(t *testing.T) {
	server := ollamatest.New(t, func(string) string { return "<start_function_call>call:rate{risk:1}<end_function_call>" })
	c := client(t, ollama.Options{Endpoint: server.URL + "/"})
	for i := range 3 {
		if _, err := c.Call(t.Context(), prompt(fmt.Sprint(i))); err != nil {
			t.Fatal(err)
		}
	}
	requests := server.Requests()
	if len(requests) != 4 || len(requests[0].Messages) != 0 {
		t.Fatalf("%d requests, want a load and three calls", len(requests))
	}
	for i, r := range requests {
		if fmt.Sprint(r.Options) != fmt.Sprint(requests[0].Options) || r.Options["num_ctx"] == nil {
			t.Errorf("request %d has options %v, the first %v", i, r.Options, requests[0].Options)
		}
		if n, _ := r.Options["num_predict"].(float64); n <= 0 {
			t.Errorf("request %d: num_predict is %v", i, r.Options["num_predict"])
		}
		if r.KeepAlive == nil || r.KeepAlive.Duration != 10*time.Minute {
			t.Errorf("request %d: keep_alive is %v", i, r.KeepAlive)
		}
		if r.Truncate == nil || *r.Truncate || r.Shift == nil || *r.Shift || r.Stream == nil || *r.Stream {
			t.Errorf("request %d: truncate, shift or stream is not off", i)
		}
		if r.Format != nil || r.Options["stop"] != nil {
			t.Errorf("request %d: format or stop loses tool calls", i)
		}
	}
}

func TestEndpoints(t *testing.T) {
	for endpoint, part := range map[string]string{
		"": "empty", "localhost:11434": "http://", "127.0.0.1:11434": "http://", "ftp://h": "http://",
		"http://": "no host", "http://:11434": "no host", "http://h/?q=1": "query", "http://user:secret word@h": "not a URL",
	} {
		_, err := ollama.New(ollama.Options{Endpoint: endpoint, Model: "m"})
		var bad *ollama.EndpointError
		if !errors.As(err, &bad) || !strings.Contains(err.Error(), part) || !strings.Contains(bad.Hint(), "GEMMA_ENDPOINT") || strings.Contains(err.Error(), "secret") {
			t.Errorf("%q: %v, want an *EndpointError that says %q", endpoint, err, part)
		}
	}
	if _, err := ollama.New(ollama.Options{Endpoint: "http://h"}); err == nil {
		t.Error("no error without a model")
	}
}

func TestServerDown(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := listener.Addr().String()
	listener.Close()
	_, err = client(t, ollama.Options{Endpoint: "http://user:secret@" + address}).Call(t.Context(), prompt("?"))
	var e *ollama.Error
	if !errors.As(err, &e) || e.Kind != ollama.Unreachable || !e.Lasting() {
		t.Fatalf("%v, want Unreachable", err)
	}
	if strings.Contains(err.Error(), "secret") || !strings.Contains(err.Error(), "connection refused") ||
		!strings.Contains(e.Hint(), "ollama serve") || !strings.Contains(e.Hint(), "GEMMA_ENDPOINT") {
		t.Errorf("error %q, hint %q", err, e.Hint())
	}
}

func TestConnectionLostInTheMiddle(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Length", "1000")
		io.WriteString(w, `{"model":"m","done":true}`)
	}))
	defer server.Close()
	_, err := client(t, ollama.Options{Endpoint: server.URL}).Call(t.Context(), prompt("?"))
	if kindOf(err) != ollama.Unreachable || !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("%v, want Unreachable for an unexpected EOF", err)
	}
}

func TestNoMoreRequestsThanAllowed(t *testing.T) {
	for _, limit := range []int{1, 3} {
		var running, most atomic.Int64
		server := ollamatest.New(t, func(string) string {
			n := running.Add(1)
			for m := most.Load(); n > m && !most.CompareAndSwap(m, n); m = most.Load() {
			}
			defer running.Add(-1)
			return "<start_function_call>call:rate{risk:1}<end_function_call>"
		})
		c := client(t, ollama.Options{Endpoint: server.URL, Concurrency: limit})
		var wg sync.WaitGroup
		for i := range 20 {
			wg.Go(func() {
				if _, err := c.Call(t.Context(), prompt(fmt.Sprint(i))); err != nil {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		if got := most.Load(); got > int64(limit) || c.Concurrency() != limit {
			t.Errorf("%d requests ran at a time, want %d at most", got, limit)
		}
		if loads := len(server.Requests()) - 20; loads != 1 {
			t.Errorf("%d loads, want one for all", loads)
		}
	}
}
