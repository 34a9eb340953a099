// Package ollamatest serves FunctionGemma as Ollama does, without its weights:
// prompts are rendered and answers are parsed by Ollama's own code, and a
// function stands in for the model.
package ollamatest

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/ollama/ollama/api"
	"github.com/ollama/ollama/model/parsers"
	"github.com/ollama/ollama/model/renderers"
)

// Model is the name of the model that a server has.
const Model = "functiongemma:270m"

// Embedder is the name of the model that makes embeddings: texts of the same words point in the same direction.
const Embedder = "all-minilm"

// A Server answers POST /api/chat, /api/show and /api/embed.
type Server struct {
	URL string

	answer func(prompt string) string

	mu       sync.Mutex
	requests []api.ChatRequest
	prompts  []string
}

// New starts a server that lives as long as t. answer gets the prompt as the
// model would, and returns what the model writes; it may be called by several
// goroutines.
func New(t testing.TB, answer func(prompt string) string) *Server {
	s := &Server{answer: answer}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /api/chat", s.chat)
	mux.HandleFunc("POST /api/show", show)
	mux.HandleFunc("POST /api/embed", embed)
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	s.URL = server.URL
	return s
}

// Requests returns those that came so far, loads among them.
func (s *Server) Requests() []api.ChatRequest {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.requests)
}

// Prompts returns what the model was given so far.
func (s *Server) Prompts() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.prompts)
}

// show tells about the one model.
func show(w http.ResponseWriter, r *http.Request) {
	var request api.ShowRequest
	if err := json.NewDecoder(r.Body).Decode(&request); err != nil {
		fail(w, http.StatusBadRequest, err.Error())
		return
	}
	if request.Model != Model {
		fail(w, http.StatusNotFound, "model '"+request.Model+"' not found")
		return
	}
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	json.NewEncoder(w).Encode(api.ShowResponse{Details: api.ModelDetails{Format: "gguf", Family: "gemma3"}}) // a client that hung up misses its answer
}

func (s *Server) chat(w http.ResponseWriter, r *http.Request) {
	var request api.ChatRequest
	if err := json.NewDecoder(r.Body).Decode(&request); err != nil {
		fail(w, http.StatusBadRequest, err.Error())
		return
	}
	s.mu.Lock()
	s.requests = append(s.requests, request)
	s.mu.Unlock()
	switch {
	case request.Model == "":
		fail(w, http.StatusBadRequest, "model is required")
	case request.Model != Model:
		fail(w, http.StatusNotFound, "model '"+request.Model+"' not found")
	case len(request.Messages) == 0:
		reply(w, api.ChatResponse{Model: Model, CreatedAt: time.Now(), Done: true, DoneReason: "load"})
	case request.Format != nil:
		s.fill(w, &request)
	default:
		s.run(w, &request)
	}
}

// fill answers a request for JSON: what the model writes is the content, as it is. A real server lets it write only what fits the schema.
func (s *Server) fill(w http.ResponseWriter, request *api.ChatRequest) {
	var schema map[string]any
	if json.Unmarshal(request.Format, &schema) != nil {
		fail(w, http.StatusInternalServerError, "invalid JSON schema in format")
		return
	}
	prompt, err := renderers.RenderWithRenderer("functiongemma", request.Messages, nil, nil)
	if err != nil {
		fail(w, http.StatusInternalServerError, err.Error())
		return
	}
	s.mu.Lock()
	s.prompts = append(s.prompts, prompt)
	s.mu.Unlock()
	answer := api.ChatResponse{Model: Model, CreatedAt: time.Now(), Done: true, DoneReason: "stop"}
	answer.Message = api.Message{Role: "assistant", Content: s.answer(prompt)}
	answer.PromptEvalCount = len(prompt) / 4
	reply(w, answer)
}

func (s *Server) run(w http.ResponseWriter, request *api.ChatRequest) {
	prompt, err := renderers.RenderWithRenderer("functiongemma", request.Messages, request.Tools, nil)
	if err != nil {
		fail(w, http.StatusInternalServerError, err.Error())
		return
	}
	s.mu.Lock()
	s.prompts = append(s.prompts, prompt)
	s.mu.Unlock()
	parser := parsers.ParserForName("functiongemma")
	parser.Init(request.Tools, nil, nil)
	content, _, calls, err := parser.Add(s.answer(prompt), true)
	if err != nil {
		fail(w, http.StatusInternalServerError, err.Error())
		return
	}
	answer := api.ChatResponse{Model: Model, CreatedAt: time.Now(), Done: true, DoneReason: "stop"}
	answer.Message = api.Message{Role: "assistant", Content: content, ToolCalls: calls}
	answer.PromptEvalCount = len(prompt) / 4
	reply(w, answer)
}

// reply sends an answer; one that JSON cannot hold is sent as nothing at all,
// with status 200.
func reply(w http.ResponseWriter, answer api.ChatResponse) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	data, err := json.Marshal(answer)
	if err != nil {
		return
	}
	w.Write(data) // a client that hung up misses its answer
}

func fail(w http.ResponseWriter, status int, message string) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.WriteHeader(status)
	json.NewEncoder(w).Encode(map[string]string{"error": message}) // as above
}
