package ollama_test

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/http/httptest"
	"testing"
	"testing/synctest"
	"time"

	"tidepool/internal/ollama"
	"tidepool/internal/ollama/ollamatest"
)

func TestCheck(t *testing.T) {
	server := ollamatest.New(t, func(string) string { return "" })
	foreign := httptest.NewServer(http.NotFoundHandler())
	defer foreign.Close()
	gone, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer gone.Close()
	closed := "http://" + gone.Addr().String()
	gone.Close()
	for _, test := range []struct {
		endpoint, model string
		want            ollama.Kind
	}{
		{server.URL, ollamatest.Model, ""},
		{server.URL, "other:1b", ollama.ModelMissing},
		{foreign.URL, ollamatest.Model, ollama.NotOllama},
		{closed, ollamatest.Model, ollama.Unreachable},
	} {
		c := client(t, ollama.Options{Endpoint: test.endpoint, Model: test.model})
		if err := c.Check(t.Context()); kindOf(err) != test.want || (err == nil) != (test.want == "") {
			t.Errorf("%s at %s: %v, want %q", test.model, test.endpoint, err, test.want)
		}
	}
	if n := len(server.Requests()); n > 0 {
		t.Errorf("%d requests to the model: it was loaded", n)
	}
}

func TestCheckIsBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := client(t, ollama.Options{Endpoint: "http://h", Transport: &slowServer{answer: time.Hour}})
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if err := c.Check(ctx); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("got %v", err)
		}
	})
}
