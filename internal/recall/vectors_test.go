package recall

import (
	"context"
	"errors"
	"math"
	"testing"
	"time"

	"pgregory.net/rapid"

	"tidepool/internal/ollama"
	"tidepool/internal/ollama/ollamatest"
)

func embedder(t *testing.T, model string) *ollama.Client {
	t.Helper()
	c, err := ollama.New(ollama.Options{Endpoint: ollamatest.New(t, nil).URL, Model: model})
	must(t, err)
	t.Cleanup(c.Close)
	return c
}

func TestVectors(t *testing.T) {
	f := newFixture(t)
	s := f.open() // without an embedder, so that nothing runs beside this
	deploy, zebra := save(t, s, note("Deploy to staging first.")), save(t, s, note("A zebra has stripes."))
	v := &vectors{s.db, embedder(t, ollamatest.Embedder), s.options.Log, time.Minute}
	number := func(id string) uint32 {
		m, err := s.Get(t.Context(), id)
		must(t, err)
		return m.N
	}
	all := []uint32{number(deploy.ID), number(zebra.ID)}
	if found := v.cosines(t.Context(), "deploy staging")(all); found != nil {
		t.Errorf("a model that is not loaded was waited for: %v", found)
	}
	for _, want := range []int{2, 0} {
		if made, err := v.make(t.Context()); made != want || err != nil {
			t.Fatalf("%d vectors, %v", made, err)
		}
	}
	found := v.cosines(t.Context(), "deploy staging")(all)
	if len(found) != 2 || found[all[0]] < found[all[1]]+.3 {
		t.Errorf("%v", found)
	}
	if _, err := s.Save(t.Context(), note("Deploy to staging first!!")); err != nil { // which is merged, and its text the newer one
		t.Fatal(err)
	}
	if found = v.cosines(t.Context(), "deploy staging")(all); len(found) != 1 {
		t.Errorf("a memory has the vector of another text: %v", found)
	}
	if made, err := v.make(t.Context()); made != 1 || err != nil {
		t.Errorf("%d vectors, %v", made, err)
	}
	_, err := s.Forget(t.Context(), zebra.ID)
	must(t, err)
	if found = v.cosines(t.Context(), "deploy staging")(all); len(found) != 1 {
		t.Errorf("what was forgotten has a vector: %v", found)
	}
}

// A model that makes no embeddings costs nothing but its vectors.
func TestVectorsOfAnotherModel(t *testing.T) {
	f := newFixture(t)
	f.options.Embedder = embedder(t, ollamatest.Model)
	s := f.open() // whose goroutine ends with it
	save(t, s, note("Deploy to staging first."))
	v := &vectors{s.db, f.options.Embedder, s.options.Log, time.Minute}
	_, err := v.make(t.Context())
	if known := (*ollama.Error)(nil); !errors.As(err, &known) {
		t.Error(err)
	}
	if got := gists(t, s, Query{Text: "deploy"}); len(got) != 1 {
		t.Error(got)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	v.run(ctx)
}

func TestPackedCosine(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 100).Draw(t, "size")
		draw := func(label string) []float32 {
			v := rapid.SliceOfN(rapid.Float32Range(-1, 1), n, n).Draw(t, label)
			sum := 1e-6
			for _, x := range v {
				sum += float64(x) * float64(x)
			}
			v[0] += 1e-3
			for i := range v {
				v[i] /= float32(math.Sqrt(sum))
			}
			return v
		}
		a, b := draw("a"), draw("b")
		dot, lengthA, lengthB := 0., 0., 0.
		for i := range a {
			dot += float64(a[i]) * float64(b[i])
			lengthA += float64(a[i]) * float64(a[i])
			lengthB += float64(b[i]) * float64(b[i])
		}
		got, ok := cosine(a, pack(b))
		if want := dot / math.Sqrt(lengthB); !ok || math.Abs(got-want) > .01*math.Max(1, math.Sqrt(lengthA)) {
			t.Errorf("%v, want %v", got, want)
		}
		if _, ok := cosine(a, pack(b)[1:]); ok {
			t.Error("vectors of two sizes were compared")
		}
	})
}
