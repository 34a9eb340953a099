package ollamatest

import (
	"encoding/json"
	"hash/fnv"
	"net/http"
	"strings"

	"github.com/ollama/ollama/api"
)

// dimensions is how many numbers a vector has.
const dimensions = 64

// embed answers POST /api/embed. A vector counts the words of its text.
func embed(w http.ResponseWriter, r *http.Request) {
	var request struct {
		Model string
		Input []string
	}
	if err := json.NewDecoder(r.Body).Decode(&request); err != nil {
		fail(w, http.StatusBadRequest, err.Error())
		return
	}
	switch request.Model {
	case Embedder:
	case Model:
		fail(w, http.StatusNotImplemented, "this model does not support embeddings")
		return
	default:
		fail(w, http.StatusNotFound, "model \""+request.Model+"\" not found, try pulling it first")
		return
	}
	answer := api.EmbedResponse{Model: Embedder}
	for _, text := range request.Input {
		if text == "" {
			fail(w, http.StatusInternalServerError, "failed to create new sequence: no input provided")
			return
		}
		answer.Embeddings = append(answer.Embeddings, vector(text))
	}
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	json.NewEncoder(w).Encode(answer) // a client that hung up misses its answer
}

func vector(text string) []float32 {
	v := make([]float32, dimensions)
	v[0] = .01 // a text without words has a direction, too
	for word := range strings.FieldsSeq(strings.ToLower(text)) {
		h := fnv.New32a()
		h.Write([]byte(word))
		v[h.Sum32()%dimensions]++
	}
	return v
}
