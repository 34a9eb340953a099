package recall

import (
	"context"
	"log/slog"
	"math"
	"time"

	"tidepool/internal/recall/memory"
	"tidepool/internal/recall/store"
)

const (
	embedAtOnce  = 16                    // texts in one request
	embedPause   = time.Minute           // between two looks for memories without a vector, and after a failure
	embedAtQuery = 80 * time.Millisecond // what a question waits for its vector
)

// An Embedder makes vectors of length 1, which point in the same direction for texts that mean the same. An ollama.Client is one.
type Embedder interface {
	Model() string
	Warm() bool // an answer does not have to wait until the model is loaded
	Embed(ctx context.Context, texts ...string) ([][]float32, error)
}

// The vectors of memories are made after they were saved, by one goroutine, and compared with that of a question.
type vectors struct {
	db       *store.DB
	embedder Embedder
	log      *slog.Logger
	wait     time.Duration // of a question for its vector
}

// run makes the vectors that are missing, until the context ends.
func (v *vectors) run(ctx context.Context) {
	for ctx.Err() == nil {
		made, err := v.make(ctx)
		if err != nil && ctx.Err() == nil {
			v.log.Warn("memories have no vectors", "err", err)
		}
		if made < embedAtOnce {
			_ = sleep(ctx, embedPause) // the loop looks at the context
		}
	}
}

// make makes vectors of the newest memories without one, and returns how many.
func (v *vectors) make(ctx context.Context) (int, error) {
	records, err := v.db.Unembedded(ctx, v.embedder.Model(), embedAtOnce)
	if err != nil || len(records) == 0 {
		return 0, err
	}
	texts := make([]string, len(records))
	for i := range records {
		texts[i] = meaningOf(&records[i].Memory)
	}
	made, err := v.embedder.Embed(ctx, texts...)
	if err != nil {
		return 0, err
	}
	return len(made), v.db.Write(ctx, func(tx *store.Tx) error {
		for i := range made {
			if err := tx.SetVector(&records[i], v.embedder.Model(), pack(made[i])); err != nil {
				return err
			}
		}
		return nil
	})
}

// meaningOf returns the text whose vector a memory has.
func meaningOf(m *memory.Memory) string { return m.Gist + "\n" + m.Content }

// cosines returns what compares memories with a text; nil: there are no vectors.
func (s *Store) cosines(ctx context.Context, text string) func(ns []uint32) map[uint32]float64 {
	if s.vectors == nil {
		return nil
	}
	return s.vectors.cosines(ctx, text)
}

// cosines returns what compares memories with a text: by number, from -1 to 1. Those without a vector are left out; and all are if the
// model is not loaded or takes longer than a question waits.
func (v *vectors) cosines(ctx context.Context, text string) func(ns []uint32) map[uint32]float64 {
	return func(ns []uint32) map[uint32]float64 {
		if !v.embedder.Warm() || text == "" {
			return nil
		}
		within, cancel := context.WithTimeout(ctx, v.wait)
		defer cancel()
		asked, err := v.embedder.Embed(within, text)
		if err != nil {
			return nil
		}
		packed, err := v.db.Vectors(within, v.embedder.Model(), ns)
		if err != nil {
			return nil
		}
		found := make(map[uint32]float64, len(packed))
		for n, data := range packed {
			if c, ok := cosine(asked[0], data); ok {
				found[n] = c
			}
		}
		return found
	}
}

// pack returns a vector with a byte for each number, which is enough: cosines differ by less than 0.01.
func pack(v []float32) []byte {
	most := 0.
	for _, x := range v {
		most = max(most, math.Abs(float64(x)))
	}
	data := make([]byte, len(v))
	for i, x := range v {
		data[i] = byte(int8(math.Round(127 * float64(x) / most)))
	}
	return data
}

// cosine returns the cosine of a vector of length 1 and a packed one, which must be of the same size.
func cosine(v []float32, data []byte) (float64, bool) {
	sum, length := 0., 0.
	if len(v) != len(data) {
		return 0, false
	}
	for i, x := range v {
		y := float64(int8(data[i]))
		sum += float64(x) * y
		length += y * y
	}
	if length == 0 {
		return 0, false
	}
	return sum / math.Sqrt(length), true
}
