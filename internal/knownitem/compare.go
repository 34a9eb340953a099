package knownitem

import "tidepool/internal/conversation"

// A Comparison is how often the ranking of conversations and that of conversation-search find what a set's queries are about.
type Comparison struct {
	Set         string
	Ours, Plain Score
}

// Compare measures the queries for publishing of sets, whole and by three words.
func Compare(sets ...Set) ([]Comparison, error) {
	var found []Comparison
	for _, set := range sets {
		index, err := NewIndex(set.Turns)
		if err != nil {
			return nil, err
		}
		rank, err := index.Rank(conversation.Weights())
		if err != nil {
			return nil, err
		}
		plain := NewPlain(set.Turns)
		for _, s := range []Set{set, set.Shortened()} {
			half := s.Half(false)
			found = append(found, Comparison{s.Name, Evaluate(half, rank), Evaluate(half, plain.Rank)})
		}
	}
	return found, nil
}
