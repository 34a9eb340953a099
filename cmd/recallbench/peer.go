package main

import (
	"cmp"
	"context"
	"database/sql"
	"path/filepath"
	"slices"
	"strings"
	"time"

	_ "modernc.org/sqlite" // registers the driver that FTS5 is measured with

	"tidepool/internal/fulltext"
	"tidepool/internal/measure"
)

const (
	promptTerms = 64 // words of a prompt that recall takes
	rareTerms   = 12 // those of them that it looks up
	peerShare   = 5  // one of so many prompts is asked of FTS5, which takes a hundred times as long
	stopShare   = 10 // a word that one of so many memories has counts as a stop word, which recall does not look up
)

// fts5 asks SQLite's full-text search for the memories that have any of a prompt's words: once with the 64 words that recall
// takes of it, once with the 12 rarest of them, which recall looks up.
func fts5(ctx context.Context, dir string) (measure.Figures, error) {
	c, err := openCorpus(dir)
	if err != nil {
		return nil, err
	}
	db, err := sql.Open("sqlite", filepath.Join(dir, "fts5.db")+"?_pragma=journal_mode(wal)&_pragma=synchronous(normal)")
	if err != nil {
		return nil, err
	}
	defer db.Close()
	db.SetMaxOpenConns(1)
	frequency, err := buildFTS5(ctx, db, c.Memories)
	if err != nil {
		return nil, err
	}
	f := measure.Figures{}
	asked := prompts(c.Prompts/peerShare, c.Memories)
	for name, most := range map[string]int{"all": promptTerms, "rare": rareTerms} {
		var times []time.Duration
		used := measure.CPU()
		for _, prompt := range asked {
			start := time.Now()
			if err := askFTS5(ctx, db, rarest(prompt, frequency, c.Memories/stopShare, most)); err != nil {
				return nil, err
			}
			times = append(times, time.Since(start))
		}
		f[name+" p99"], f[name+" cpu"] = measure.Percentile(times, 99), (measure.CPU()-used)/time.Duration(len(asked))
	}
	return f, nil
}

// buildFTS5 indexes the memories' words, which are already cut and stemmed, and returns how many memories have each.
func buildFTS5(ctx context.Context, db *sql.DB, memories int) (frequency map[string]int, err error) {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return nil, err
	}
	defer tx.Rollback()
	if _, err := tx.ExecContext(ctx, `CREATE VIRTUAL TABLE memory USING fts5(text, tokenize = "unicode61 remove_diacritics 0 tokenchars '._-/'")`); err != nil {
		return nil, err
	}
	insert, err := tx.PrepareContext(ctx, "INSERT INTO memory VALUES(?)")
	if err != nil {
		return nil, err
	}
	frequency = map[string]int{}
	for draft := range drafts(memories) {
		words := fulltext.Words(draft.Content)
		if _, err := insert.ExecContext(ctx, strings.Join(words, " ")); err != nil {
			return nil, err
		}
		slices.Sort(words)
		for _, word := range slices.Compact(words) {
			frequency[word]++
		}
	}
	return frequency, tx.Commit()
}

// rarest returns the rarest of the first words of a prompt that some memory has and no more than so many have.
func rarest(prompt string, frequency map[string]int, often, most int) []string {
	var words []string
	for _, word := range fulltext.Words(prompt) {
		if frequency[word] > 0 && frequency[word] <= often && !slices.Contains(words, word) && len(words) < promptTerms {
			words = append(words, word)
		}
	}
	slices.SortStableFunc(words, func(a, b string) int { return cmp.Compare(frequency[a], frequency[b]) })
	return words[:min(most, len(words))]
}

// askFTS5 reads the 30 best memories that have any of the words.
func askFTS5(ctx context.Context, db *sql.DB, words []string) error {
	for i, word := range words {
		words[i] = `"` + strings.ReplaceAll(word, `"`, `""`) + `"`
	}
	rows, err := db.QueryContext(ctx, "SELECT rowid FROM memory WHERE memory MATCH ? ORDER BY rank LIMIT 30", strings.Join(words, " OR "))
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var id int64
		if err := rows.Scan(&id); err != nil {
			return err
		}
	}
	return rows.Err()
}
