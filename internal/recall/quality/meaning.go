package quality

import "context"

// An Embedder makes vectors of length 1, as a client of Ollama does.
type Embedder interface {
	Embed(ctx context.Context, texts ...string) ([][]float32, error)
}

// embedAtOnce is how many texts are in one request.
const embedAtOnce = 16

// Embed has a model make vectors of a dialogue's memories and questions, which Find compares then as far as the constants let them count.
func (s *Subject) Embed(ctx context.Context, e Embedder) error {
	var texts []string
	for i := range s.Store.memories {
		m := &s.Store.memories[i]
		texts = append(texts, m.Gist+"\n"+m.Content)
	}
	for _, q := range s.Questions {
		texts = append(texts, q.Text)
	}
	var vectors [][]float32
	for len(texts) > 0 {
		n := min(embedAtOnce, len(texts))
		made, err := e.Embed(ctx, texts[:n]...)
		if err != nil {
			return err
		}
		vectors, texts = append(vectors, made...), texts[n:]
	}
	s.Store.vectors, s.Store.asked = vectors[:s.Store.Len()], map[string][]float32{}
	for i, q := range s.Questions {
		s.Store.asked[q.Text] = vectors[s.Store.Len()+i]
	}
	return nil
}

// cosines returns what compares memories with a prompt; nil: nobody has made its vector.
func (s *Store) cosines(prompt string) func(numbers []uint32) map[uint32]float64 {
	asked, ok := s.asked[prompt]
	if !ok {
		return nil
	}
	return func(numbers []uint32) map[uint32]float64 {
		found := make(map[uint32]float64, len(numbers))
		for _, n := range numbers {
			for i, x := range s.vectors[n] {
				found[n] += float64(x) * float64(asked[i])
			}
		}
		return found
	}
}
