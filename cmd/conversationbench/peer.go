package main

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	_ "modernc.org/sqlite" // registers the driver that FTS5 is measured with

	"tidepool/internal/measure"
)

// fts5Share is the part of the sessions that FTS5 is given: one of five. With all of them a run would take half an hour.
const fts5Share = 5

// fts5 measures SQLite's full-text search over one of five sessions: its build, and ranked queries of any of the words.
func fts5(ctx context.Context, c *corpus) (measure.Figures, error) {
	db, err := sql.Open("sqlite", filepath.Join(c.Dir, "fts5.db")+"?_pragma=journal_mode(wal)&_pragma=synchronous(normal)")
	if err != nil {
		return nil, err
	}
	defer db.Close()
	db.SetMaxOpenConns(1)
	began := measure.CPU()
	if err := buildFTS5(ctx, db, c); err != nil {
		return nil, err
	}
	f := measure.Figures{"build": measure.CPU() - began}
	asked, err := c.queries(200)
	if err != nil {
		return nil, err
	}
	var times []time.Duration
	for _, q := range asked {
		start := time.Now()
		if err := askFTS5(ctx, db, q); err != nil {
			return nil, err
		}
		times = append(times, time.Since(start))
	}
	f["p50"], f["p99"] = measure.Percentile(times, 50), measure.Percentile(times, 99)
	return f, nil
}

// buildFTS5 puts the same four texts of each turn into a table of its own as the archive weighs.
func buildFTS5(ctx context.Context, db *sql.DB, c *corpus) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if _, err := tx.ExecContext(ctx, "CREATE VIRTUAL TABLE turn USING fts5(user, answer, tools, tokenize = 'porter unicode61')"); err != nil {
		return err
	}
	insert, err := tx.PrepareContext(ctx, "INSERT INTO turn VALUES(?, ?, ?)")
	if err != nil {
		return err
	}
	for turn, err := range c.turnsOf(fts5Share) {
		if err != nil {
			return err
		}
		var tools strings.Builder
		for _, t := range turn.Tools {
			tools.WriteString(t.File + " " + t.Command + "\n")
		}
		if _, err := insert.ExecContext(ctx, turn.User, turn.Answer, tools.String()); err != nil {
			return err
		}
	}
	return tx.Commit()
}

// askFTS5 reads the ten best turns that have any of the words.
func askFTS5(ctx context.Context, db *sql.DB, query string) error {
	var any []string
	for _, word := range strings.Fields(query) {
		any = append(any, `"`+strings.ReplaceAll(word, `"`, `""`)+`"`)
	}
	rows, err := db.QueryContext(ctx, "SELECT rowid FROM turn WHERE turn MATCH ? ORDER BY bm25(turn, 3, 2, 2) LIMIT 10", strings.Join(any, " OR "))
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

// ripgrep returns the processor time that rg takes for a query's words over all transcripts, in the median; ok is false without rg.
func ripgrep(ctx context.Context, c *corpus, asked []string) (median time.Duration, ok bool, err error) {
	program, err := exec.LookPath("rg")
	if err != nil {
		return 0, false, nil
	}
	var times []time.Duration
	for _, q := range asked {
		args := []string{"--count", "--ignore-case", "--fixed-strings", "--no-ignore"}
		for _, word := range strings.Fields(q) {
			args = append(args, "-e", word)
		}
		cmd := exec.CommandContext(ctx, program, append(args, c.projects())...)
		var failed *exec.ExitError
		if err := cmd.Run(); err != nil && (!errors.As(err, &failed) || failed.ExitCode() != 1) {
			return 0, false, fmt.Errorf("%s: %w", program, err)
		}
		times = append(times, cmd.ProcessState.UserTime()+cmd.ProcessState.SystemTime())
	}
	return measure.Percentile(times, 50), true, nil
}

// fileSize returns the size of a store with what SQLite keeps beside it.
func fileSize(path string) (total int64, err error) {
	for _, suffix := range []string{"", "-wal"} {
		info, err := os.Stat(path + suffix)
		if err == nil {
			total += info.Size()
		} else if suffix == "" {
			return 0, err
		}
	}
	return total, nil
}
