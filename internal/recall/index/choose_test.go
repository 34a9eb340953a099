package index

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"tidepool/internal/fulltext"
	"tidepool/internal/recall/evidence"
	"tidepool/internal/recall/memory"
)

// Of many memories those are read that reading all would choose: of each session the six best first, then the next six, by their words.
func TestReadAreTheBestOfMany(t *testing.T) {
	words := strings.Fields("retry gateway jitter cap header pnpm flaky drain worker order web")
	random := rand.New(rand.NewPCG(4, 4))
	for range 5 {
		x, model := New(), naive{}
		for n := range uint32(250) {
			m := memory.Memory{N: n, Turn: random.IntN(40), Alpha: float64(1 + random.IntN(3)), Beta: 1, Session: fmt.Sprint("s", random.IntN(12))}
			if random.IntN(4) == 0 {
				m.Session = ""
			}
			for range 1 + random.IntN(7) {
				m.Content += words[random.IntN(len(words))] + " "
			}
			model[n] = m
			x.Put(DocOf(&m))
		}
		c := evidence.Fitted()
		for _, text := range []string{"flaky drain", "retry gateway jitter header order web", "pnpm"} {
			r := &ranker{cutter: fulltext.NewCutter()}
			found, _ := r.find(x, evidence.Ask(r.cutter, text, c), &Query{}, &c)
			want := model.best(text, c)
			if len(found) != defaultDepth || len(want) != defaultDepth {
				t.Fatalf("%d are read, not %d", len(found), len(want))
			}
			for i, f := range found {
				if f.found.N != want[i] {
					t.Fatalf("%q: %d is read in place %d, not %d", text, f.found.N, i, want[i])
				}
			}
		}
	}
}

// best returns the numbers of the memories that are to be read.
func (n naive) best(text string, c evidence.Constants) []uint32 {
	type one struct {
		n     uint32
		turn  int
		score float64
	}
	score := func(f evidence.Found) float64 {
		return f.Factor * (c.Neighbours*f.Neighbours + c.Best*f.Best + c.Session*f.Session)
	}
	all := n.find(text, c)
	var list []one
	for _, numbers := range n.sessions() {
		var own []one
		for _, number := range numbers {
			if f, ok := all[number]; ok {
				own = append(own, one{n: number, score: score(f)})
			}
		}
		slices.SortFunc(own, func(a, b one) int { return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(b.n, a.n)) })
		for i := range own {
			own[i].turn = i / perSession
		}
		list = append(list, own...)
	}
	slices.SortFunc(list, func(a, b one) int {
		return cmp.Or(cmp.Compare(a.turn, b.turn), cmp.Compare(b.score, a.score), cmp.Compare(b.n, a.n))
	})
	var numbers []uint32
	for _, o := range list[:min(len(list), defaultDepth)] {
		numbers = append(numbers, o.n)
	}
	return numbers
}
