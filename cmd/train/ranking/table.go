package main

import (
	"fmt"

	"tidepool/internal/fulltext"
	"tidepool/internal/knownitem"
)

// table prints what rankings give on the queries for publishing.
func table(sets []knownitem.Set, weights ...fulltext.Weights) error {
	fmt.Println("| queries | ranking | hit@1 | hit@5 | MRR |")
	fmt.Println("|---|---|---|---|---|")
	for _, set := range sets {
		index, err := knownitem.NewIndex(set.Turns)
		if err != nil {
			return err
		}
		plain := knownitem.NewPlain(set.Turns)
		for _, s := range []knownitem.Set{set, set.Shortened()} {
			row(s, "conversation-search's BM25", plain.Rank)
			for _, w := range weights {
				rank, err := index.Rank(w)
				if err != nil {
					return err
				}
				row(s, fmt.Sprint(w), rank)
			}
		}
	}
	return nil
}

func row(s knownitem.Set, ranking string, rank func(query string, most int) []int) {
	score := knownitem.Evaluate(s.Half(false), rank)
	fmt.Printf("| %s (%d) | %s | %.2f | %.2f | %.2f |\n", s.Name, score.Queries, ranking, score.First, score.Five, score.Mean)
}
