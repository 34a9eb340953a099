package ollama

import (
	"errors"
	"io"
	"math"
	"net/http"
	"net/http/httptest"
	"testing"

	"tidepool/internal/ollama/ollamatest"
)

func TestEmbed(t *testing.T) {
	s := ollamatest.New(t, nil)
	c, err := New(Options{Endpoint: s.URL, Model: ollamatest.Embedder})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if c.Warm() {
		t.Error("it is warm before it has answered")
	}
	vectors, err := c.Embed(t.Context(), "deploy to staging", "staging deploy to", "zebra")
	if err != nil || len(vectors) != 3 || !c.Warm() {
		t.Fatal(vectors, err)
	}
	cosine := func(a, b []float32) (sum float64) {
		for i := range a {
			sum += float64(a[i]) * float64(b[i])
		}
		return sum
	}
	if same, other := cosine(vectors[0], vectors[1]), cosine(vectors[0], vectors[2]); math.Abs(same-1) > 1e-5 || other > .5 {
		t.Error(same, other)
	}
	if vectors, err = c.Embed(t.Context()); err != nil || vectors != nil {
		t.Error(vectors, err)
	}
}

// An answer that has no vector for each text is none.
func TestEmbedRefuses(t *testing.T) {
	for name, reply := range map[string]string{
		"fewer":     `{"embeddings":[[1,2]]}`,
		"none":      `{}`,
		"empty":     `{"embeddings":[[],[]]}`,
		"zero":      `{"embeddings":[[0,0],[1,2]]}`,
		"sizes":     `{"embeddings":[[1,2],[1,2,3]]}`,
		"huge":      `{"embeddings":[[3e38,3e38],[1e39,1]]}`,
		"no object": `[]`,
	} {
		c := answering(t, http.StatusOK, reply)
		_, err := c.Embed(t.Context(), "a", "b")
		if known := (*Error)(nil); !errors.As(err, &known) || known.Model == "" {
			t.Errorf("%s: %v", name, err)
		}
		if c.Warm() {
			t.Errorf("%s: warm after a failure", name)
		}
	}
	c := answering(t, http.StatusNotImplemented, `{"error":"this model does not support embeddings"}`)
	if _, err := c.Embed(t.Context(), "a"); err == nil {
		t.Error("a model without embeddings has answered")
	}
}

// answering returns a client of a server that has one answer.
func answering(t *testing.T, status int, body string) *Client {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(status)
		io.WriteString(w, body)
	}))
	t.Cleanup(server.Close)
	c, err := New(Options{Endpoint: server.URL, Model: "m"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c
}
