package ollama_test

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"tidepool/internal/ollama"
	"tidepool/internal/ollama/ollamatest"
)

func TestLocal(t *testing.T) {
	const usual = "http://127.0.0.1:11434"
	for host, want := range map[string]string{
		"":                         usual,
		"127.0.0.1":                usual,
		"127.0.0.2:8080":           "http://127.0.0.2:8080",
		"http://localhost:8080":    "http://localhost:8080",
		"[::1]:8080":               "http://[::1]:8080",
		"0.0.0.0:8080":             "http://127.0.0.1:8080",
		":8080":                    usual, // a name that is empty
		"gpu.example:8080":         usual,
		"10.0.0.7":                 usual,
		"ollama.com":               usual,
		"localhost.example:11434":  usual,
		"http://127.0.0.1:1/proxy": usual,
	} {
		t.Setenv("OLLAMA_HOST", host)
		if got := ollama.Local(); got != want {
			t.Errorf("OLLAMA_HOST=%s: %s, want %s", host, got, want)
		}
	}
}

func TestProbe(t *testing.T) {
	server := ollamatest.New(t, nil)
	foreign := httptest.NewServer(http.NotFoundHandler())
	t.Cleanup(foreign.Close)
	redirect := httptest.NewServer(http.RedirectHandler(server.URL+"/api/show", http.StatusTemporaryRedirect))
	t.Cleanup(redirect.Close)
	for _, tt := range []struct {
		endpoint, model string
		answers, has    bool
	}{
		{server.URL, ollamatest.Model, true, true},
		{server.URL, "other", true, false},
		{foreign.URL, ollamatest.Model, false, false},
		{redirect.URL, ollamatest.Model, false, false},
		{"http://127.0.0.1:1", ollamatest.Model, false, false},
		{"none", ollamatest.Model, false, false},
	} {
		t.Setenv("HTTP_PROXY", redirect.URL)
		if answers, has := ollama.Probe(t.Context(), tt.endpoint, tt.model); answers != tt.answers || has != tt.has {
			t.Errorf("%s at %s: answers %v, has it %v", tt.model, tt.endpoint, answers, has)
		}
	}
}
