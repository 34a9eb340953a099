package quality

import (
	"slices"

	"tidepool/internal/recall/evidence"
	"tidepool/internal/recall/index"
	"tidepool/internal/recall/memory"
)

// A Store is memories that are found by the index of recall, as one project.
type Store struct {
	memories []memory.Memory // by number
	index    *index.Index

	vectors [][]float32          // of the memories, by number; see Embed
	asked   map[string][]float32 // of questions; nil: there are no vectors
}

// NewStore returns a store of memories, which it gives numbers from 0.
func NewStore(lists ...[]memory.Memory) *Store {
	s := &Store{memories: slices.Concat(lists...), index: index.New()}
	for i := range s.memories {
		s.memories[i].N = uint32(i)
		s.index.Put(index.DocOf(&s.memories[i]))
	}
	return s
}

// Rank ranks the memories for a prompt, but for those of some dialogues, and reads so many. c are the constants to use.
func (s *Store) Rank(prompt string, without []string, depth int, c *evidence.Constants) (evidence.Ranking, error) {
	q := index.Query{Text: prompt, Limit: depth, Depth: depth, Read: s.read, Cosine: s.cosines(prompt), Constants: c}
	if len(without) > 0 {
		q.Keep = func(d index.Doc) bool { return !slices.Contains(without, d.Project) }
	}
	return s.index.Rank(q)
}

const (
	// forSessions is how many memories are looked at for five sessions.
	forSessions = 50
	// forPrompt is how many recall looks at for a prompt.
	forPrompt = 20
)

func (s *Store) read(numbers []uint32) ([]memory.Memory, error) {
	found := make([]memory.Memory, len(numbers))
	for i, n := range numbers {
		found[i] = s.memories[n]
	}
	return found, nil
}

// sessions returns the sessions of a ranking, by their best memories.
func (s *Store) sessions(r *evidence.Ranking) []string {
	var found []string
	for _, c := range r.Candidates {
		if session := s.memories[c.N].Session; !slices.Contains(found, session) {
			found = append(found, session)
		}
	}
	return found
}

// maxTold is how many memories a prompt is told.
const maxTold = 3

// told returns the numbers of the memories that a prompt is told.
func told(r *evidence.Ranking, c *evidence.Constants) []uint32 {
	var told []uint32
	for _, one := range r.Candidates {
		if !r.Thin && one.Z.Z() >= c.Bar && len(told) < maxTold {
			told = append(told, one.N)
		}
	}
	return told
}

// answers reports whether a memory is of a session with the answer, or has it itself if the question names no sessions.
func (s *Store) answers(q *Question, n uint32) bool {
	return slices.Contains(q.Sessions, s.memories[n].Session) || len(q.Sessions) == 0 && q.exactly(n)
}

func (q *Question) exactly(n uint32) bool { return slices.Contains(q.Turns, int(n)) }

// Len returns how many memories there are.
func (s *Store) Len() int { return len(s.memories) }
