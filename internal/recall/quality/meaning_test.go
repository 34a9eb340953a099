package quality

import (
	"testing"

	"tidepool/internal/ollama"
	"tidepool/internal/ollama/ollamatest"
	"tidepool/internal/recall/evidence"
	"tidepool/internal/recall/memory"
)

// What a model makes of memories and questions changes a ranking only where the constants let it count.
func TestEmbed(t *testing.T) {
	client, err := ollama.New(ollama.Options{Endpoint: ollamatest.New(t, nil).URL, Model: ollamatest.Embedder})
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	const question = "deploy staging staging staging"
	subjects := Subjects([]Dialogue{{
		Memories:  []memory.Memory{{Session: "a", Content: "deploy staging staging"}, {Session: "b", Content: "deploy staging friday"}},
		Questions: []Question{{Text: question, Sessions: []string{"a"}}},
	}})
	subject := &subjects[0]
	if subject.Store.cosines(question) != nil {
		t.Error("there are vectors that nobody has made")
	}
	if err := subject.Embed(t.Context(), client); err != nil {
		t.Fatal(err)
	}
	if found := subject.Store.cosines(question)([]uint32{0, 1}); found[0] <= found[1] {
		t.Errorf("%v", found)
	}
	c := evidence.Fitted()
	c.Cosine = 10
	if h, err := Find(subjects, &c); err != nil || h.First != 1 {
		t.Errorf("%+v, %v", h, err)
	}
}
