package recall

import (
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
)

// imported returns a fixture with so many memories of 20 words, ten a session.
func imported(b *testing.B, count int) *fixture {
	f := newFixture(b)
	s := f.rows()
	in := io.MultiReader(strings.NewReader(`{"format":"tidepool memories","version":1}`+"\n"), &stream{left: count, rand: rand.New(rand.NewPCG(1, 2))})
	if got, err := s.Import(b.Context(), in); err != nil || got.New != count {
		b.Fatal(got, err)
	}
	return f
}

func BenchmarkImport(b *testing.B) {
	s := newFixture(b).rows()
	in := io.MultiReader(strings.NewReader(`{"format":"tidepool memories","version":1}`+"\n"), &stream{left: b.N, rand: rand.New(rand.NewPCG(1, 2))})
	b.ResetTimer()
	if got, err := s.Import(b.Context(), in); err != nil || got.New != b.N {
		b.Fatal(got, err)
	}
}

// BenchmarkSave keeps memories among 10,000 of one kind in seven projects, each on the disk before the next.
func BenchmarkSave(b *testing.B) {
	s := imported(b, 10_000).rows()
	for i := 0; b.Loop(); i++ {
		save(b, s, note(fmt.Sprintf("crane number%d has grease%d at quay%d", i, i*7, i*13)))
	}
}

// BenchmarkLoad makes the index of 10,000 memories from rows and from the snapshot.
func BenchmarkLoad(b *testing.B) {
	f := imported(b, 10_000)
	load := func(b *testing.B) *live {
		s := f.rows()
		l := newLive(s.db, s.options.Log, s.clean)
		if err := l.work(b.Context(), false); err != nil {
			b.Fatal(err)
		}
		return l
	}
	b.Run("rows", func(b *testing.B) {
		for b.Loop() {
			load(b)
		}
	})
	if err := load(b).save(b.Context()); err != nil {
		b.Fatal(err)
	}
	b.Run("snapshot", func(b *testing.B) {
		for b.Loop() {
			load(b)
		}
	})
}

// BenchmarkRecollect asks 10,000 memories with a prompt of 2 KB.
func BenchmarkRecollect(b *testing.B) {
	s := imported(b, 10_000).ready()
	random := rand.New(rand.NewPCG(3, 4))
	var words []string
	for len(strings.Join(words, " ")) < 2000 {
		words = append(words, fmt.Sprintf("w%d", int(random.ExpFloat64()*4000)))
	}
	p := Prompt{Session: "a", Text: strings.Join(words, " ")}
	for b.Loop() {
		told(b, s, p)
	}
}

// BenchmarkForget forgets one of 10,000 memories, and leaves nothing of it in a file.
func BenchmarkForget(b *testing.B) {
	s := imported(b, 10_000).rows()
	for i := 0; b.Loop(); i++ {
		id := save(b, s, note(fmt.Sprintf("crane number%d has grease%d at quay%d", i, i*7, i*13))).ID
		if _, err := s.Forget(b.Context(), id); err != nil {
			b.Fatal(err)
		}
	}
	info, err := os.Stat(s.db.Path())
	if err != nil {
		b.Fatal(err)
	}
	b.ReportMetric(float64(info.Size())/1e6, "MB")
}
