package knownitem

import (
	"bytes"
	"strings"

	"tidepool/internal/conversation"
	"tidepool/internal/fulltext"
)

// An Index has turns that can be ranked by any weights.
type Index struct{ snapshot []byte }

// NewIndex indexes turns.
func NewIndex(turns []Turn) (*Index, error) {
	x := fulltext.New(conversation.Weights())
	for i, t := range turns {
		x.Put(uint32(i), []string{t.Prompt, t.Prose, t.Code, strings.Join(t.Files, "\n")})
	}
	var snapshot bytes.Buffer
	if err := x.Snapshot(&snapshot); err != nil {
		return nil, err
	}
	return &Index{snapshot.Bytes()}, nil
}

// Rank returns the ranking by some weights, for [Evaluate].
func (x *Index) Rank(w fulltext.Weights) (func(query string, most int) []int, error) {
	index, err := fulltext.Load(bytes.NewReader(x.snapshot), w)
	if err != nil {
		return nil, err
	}
	return func(query string, most int) []int {
		var turns []int
		for _, hit := range index.Search(fulltext.Query{Text: query, Limit: most}).Hits {
			turns = append(turns, int(hit.ID))
		}
		return turns
	}, nil
}
