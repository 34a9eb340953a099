package index

import (
	"cmp"
	"math"
	"slices"

	"tidepool/internal/fulltext"
	"tidepool/internal/recall/evidence"
	"tidepool/internal/recall/memory"
)

// naive is what an Index must find: it keeps the memories, and reads all of them for each prompt.
type naive map[uint32]memory.Memory

// A naiveText is a memory or a session as its words.
type naiveText struct {
	n      uint32
	counts map[string]float64
	length float64 // in averages
}

// sum returns BM25 of each text.
func sums(texts []naiveText, terms []string, k1, b float64) (of []float64, most float64) {
	of = make([]float64, len(texts))
	for _, term := range terms {
		with := 0
		for _, t := range texts {
			if t.counts[term] > 0 {
				with++
			}
		}
		idf := math.Log(1 + (float64(len(texts))-float64(with)+.5)/(float64(with)+.5))
		most += idf
		for i, t := range texts {
			if t.counts[term] > 0 {
				of[i] += idf * t.counts[term] / (t.counts[term] + k1*(1-b+b*t.length))
			}
		}
	}
	return of, most
}

func (n naive) text(number uint32) naiveText {
	m := n[number]
	t := naiveText{n: number, counts: map[string]float64{}}
	for _, word := range fulltext.Words(textOf(&m)) {
		t.counts[word]++
		t.length++
	}
	return t
}

// sessions returns the numbers of the memories of each session, in order.
func (n naive) sessions() [][]uint32 {
	of := map[string][]uint32{}
	var all [][]uint32
	for number, m := range n {
		if m.Session == "" {
			all = append(all, []uint32{number})
			continue
		}
		of[m.Session] = append(of[m.Session], number)
	}
	for _, numbers := range of {
		all = append(all, numbers)
	}
	for _, numbers := range all {
		slices.SortFunc(numbers, func(a, b uint32) int { return cmp.Or(cmp.Compare(n[a].Turn, n[b].Turn), cmp.Compare(a, b)) })
	}
	slices.SortFunc(all, func(a, b []uint32) int { return cmp.Compare(a[0], b[0]) })
	return all
}

// rarest returns the words of a prompt that memories have, the rarest.
func (n naive) rarest(text string) []string {
	with := map[string]int{}
	for number := range n {
		for word := range n.text(number).counts {
			with[word]++
		}
	}
	var terms []string
	for _, word := range fulltext.Words(text) {
		if with[word] > 0 && !slices.Contains(terms, word) {
			terms = append(terms, word)
		}
	}
	slices.SortStableFunc(terms, func(a, b string) int { return cmp.Compare(with[a], with[b]) })
	return terms[:min(len(terms), lookedUp)]
}

// find returns what the memories with a word of the prompt, and their neighbours, score by their words.
func (n naive) find(text string, c evidence.Constants) map[uint32]evidence.Found {
	terms, sessions := n.rarest(text), n.sessions()
	var memories, whole []naiveText
	var of []int // sessions of memories
	words, size, group, groups := 0., 0., 0., 0.
	for _, numbers := range sessions {
		for _, number := range numbers {
			m := n[number]
			words, size = words+n.text(number).length/float64(len(n)), size+float64(len(textOf(&m)))/float64(len(n))
			if len(numbers) > 1 {
				group += float64(len(textOf(&m)))
			}
		}
		if len(numbers) > 1 {
			groups++
		}
	}
	for i, numbers := range sessions {
		session := naiveText{counts: map[string]float64{}}
		for _, number := range numbers {
			t := n.text(number)
			for word, count := range t.counts {
				session.counts[word] += count
			}
			m := n[number]
			if length := float64(len(textOf(&m))); len(numbers) > 1 {
				session.length += length / (group / groups)
			} else {
				session.length += length / size
			}
			t.length /= words
			memories, of = append(memories, t), append(of, i)
		}
		whole = append(whole, session)
	}
	own, most := sums(memories, terms, c.K1, c.B)
	shared, sessionMost := sums(whole, terms, c.SessionK1, c.SessionB)
	found := map[uint32]evidence.Found{}
	at := func(i, session int) float64 {
		if i < 0 || i >= len(own) || of[i] != session {
			return 0
		}
		return own[i]
	}
	for i, t := range memories {
		sum := own[i] + c.Next*(at(i-1, of[i])+at(i+1, of[i])) + c.Second*(at(i-2, of[i])+at(i+2, of[i]))
		if sum == 0 {
			continue
		}
		var best []float64
		for j := range memories {
			if of[j] == of[i] {
				best = append(best, own[j])
			}
		}
		slices.SortFunc(best, func(a, b float64) int { return cmp.Compare(b, a) })
		second, alone := best[0], len(best) == 1
		if len(best) > 1 {
			second = best[1]
		}
		m := n[t.n]
		found[t.n] = evidence.Found{
			N: t.n, Neighbours: sum / most, Best: (best[0] + second) / (2 * most), Session: shared[of[i]] / sessionMost, Alone: alone,
			Factor: evidence.Factor(confidenceOf(&m), m.SupersededBy != ""), At: m.Created,
		}
	}
	return found
}
