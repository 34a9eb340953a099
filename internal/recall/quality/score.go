package quality

import (
	"slices"

	"tidepool/internal/fulltext"
	"tidepool/internal/recall/evidence"
)

// A Hits says how often a session with the answer was found.
type Hits struct {
	Questions int
	First     float64 // share of the questions for which it came first: hit@1
	Five      float64 // among the first five: hit@5
	Mean      float64 // mean of 1/rank, 0 beyond five: MRR
}

func (h *Hits) count(q *Question, sessions []string) {
	h.Questions++
	for i, session := range sessions[:min(len(sessions), 5)] {
		if slices.Contains(q.Sessions, session) {
			h.Five++
			h.Mean += 1 / float64(i+1)
			if i == 0 {
				h.First++
			}
			return
		}
	}
}

func (h *Hits) share() {
	if n := float64(h.Questions); n > 0 {
		h.First, h.Five, h.Mean = h.First/n, h.Five/n, h.Mean/n
	}
}

// A Subject is a dialogue in a store.
type Subject struct {
	Dialogue
	Store *Store
}

// Subjects puts each dialogue into a store of its own.
func Subjects(dialogues []Dialogue) []Subject {
	var all []Subject
	for _, d := range dialogues {
		all = append(all, Subject{d, NewStore(d.Memories)})
	}
	return all
}

// Find asks each dialogue's store its questions.
func Find(subjects []Subject, c *evidence.Constants) (Hits, error) {
	var h Hits
	for _, s := range subjects {
		for _, q := range s.Questions {
			r, err := s.Store.Rank(q.Text, nil, forSessions, c)
			if err != nil {
				return h, err
			}
			h.count(&q, s.Store.sessions(&r))
		}
	}
	h.share()
	return h, nil
}

// FindPlain measures the peer: each session is one text, and texts are ranked by BM25 (k1 1.2, b 0.75) of the same words.
func FindPlain(dialogues []Dialogue) Hits {
	var h Hits
	for _, d := range dialogues {
		names, texts := d.sessions()
		x := fulltext.New(fulltext.Weights{Weight: []float64{1}, Length: []float64{.75}, K1: 1.2})
		for i, text := range texts {
			x.Put(uint32(i), []string{text})
		}
		for _, q := range d.Questions {
			var sessions []string
			for _, hit := range x.Search(fulltext.Query{Text: q.Text, Limit: 5}).Hits {
				sessions = append(sessions, names[hit.ID])
			}
			h.count(&q, sessions)
		}
	}
	h.share()
	return h
}

// sessions returns the names of the sessions and their texts.
func (d *Dialogue) sessions() (names, texts []string) {
	for _, m := range d.Memories {
		if len(names) == 0 || names[len(names)-1] != m.Session {
			names, texts = append(names, m.Session), append(texts, "")
		}
		texts[len(texts)-1] += m.Content + "\n"
	}
	return names, texts
}
