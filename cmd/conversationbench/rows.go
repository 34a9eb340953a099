package main

import (
	"fmt"
	"time"

	"tidepool/internal/knownitem"
)

// building measures the first build, beside FTS5's on one of five sessions.
func (b *bench) building() ([]row, error) {
	recent, err := b.step("week", b.all)
	if err != nil {
		return nil, err
	}
	f, err := b.step("build", b.all)
	if err != nil {
		return nil, err
	}
	if _, err := b.step("build", b.small); err != nil {
		return nil, err
	}
	peer, err := b.step("fts5", b.all)
	if err != nil {
		return nil, err
	}
	b.fts5 = peer
	speed, share := rate(b.all.Bytes, f["cpu"]), float64(f["store"])/float64(b.all.Bytes)
	return []row{
		{"first build, transcripts read in a second of processor time", "≥ 60 MB/s", fmt.Sprintf("%.0f MB/s; %.0f MB/s by the clock", speed, rate(b.all.Bytes, f["wall"])),
			fmt.Sprintf("FTS5, texts of one of %d sessions: %.0f MB/s", fts5Share, rate(b.all.Bytes/fts5Share, peer["build"])), speed >= 60},
		{fmt.Sprintf("from the start of the first build to the %d sessions of the last week", b.all.Week), "≤ 2 s", seconds(recent["week"]), "–", recent["week"] <= 2*time.Second},
		{"the store, against the transcripts", "≤ 0.25", fmt.Sprintf("%.2f (%.0f MB)", share, mb(int64(f["store"]))), "–", share <= 0.25},
	}, nil
}

// asking measures questions, beside FTS5 and rg.
func (b *bench) asking() ([]row, error) {
	f, err := b.step("ask", b.all)
	if err != nil {
		return nil, err
	}
	small, err := b.step("ask", b.small)
	if err != nil {
		return nil, err
	}
	asked, err := b.all.queries(5)
	if err != nil {
		return nil, err
	}
	grep, ok, err := ripgrep(b.ctx, b.all, asked)
	if err != nil {
		return nil, err
	}
	beside := "rg is not on PATH"
	if ok {
		beside = fmt.Sprintf("rg over the files, unranked: %s of processor time", millis(grep))
	}
	slower := float64(b.fts5["p50"]) / float64(f["p50"])
	return []row{
		{"a query, p50 and p99 of 1,000", "≤ 2 ms, ≤ 20 ms", fmt.Sprintf("%s, %s; %s of processor time", millis(f["p50"]), millis(f["p99"]), millis(f["cpu"])), beside,
			f["p50"] <= 2*time.Millisecond && f["p99"] <= 20*time.Millisecond},
		{fmt.Sprintf("FTS5 on one of %d sessions, against that", fts5Share), "≥ 20× slower", fmt.Sprintf("%.0f×", slower), fmt.Sprintf("p50 %s, p99 %s", millis(b.fts5["p50"]), millis(b.fts5["p99"])), slower >= 20},
		{"memory of the index", "≤ 100 MB", fmt.Sprintf("%.0f MB", mb(int64(f["memory"]))), "–", f["memory"] <= 100e6},
		{fmt.Sprintf("memory of the index at %d turns", b.small.Turns), "≤ 15 MB", fmt.Sprintf("%.1f MB", mb(int64(small["memory"]))), "–", small["memory"] <= 15e6},
		{"memory of an archive that nobody has asked", "0 (below 1 MB)", fmt.Sprintf("%.2f MB", mb(int64(f["unused"]))), "–", f["unused"] < 1e6},
		{"from the start, with a snapshot, to the first answer", "≤ 0.5 s", seconds(f["complete"]), "–", f["complete"] <= 500*time.Millisecond},
	}, nil
}

// following measures how soon a turn is found.
func (b *bench) following() ([]row, error) {
	f, err := b.step("follow", b.all)
	if err != nil {
		return nil, err
	}
	return []row{{fmt.Sprintf("a turn appended, until it is found: the slowest of %d", appended), "≤ 1 s", seconds(f["slowest"]), "the median: " + millis(f["median"]), f["slowest"] <= time.Second}}, nil
}

// quality publishes how often a search finds the one turn that a query is about, beside conversation-search's plain BM25. Half of the
// queries chose the weights; these are the others.
func (b *bench) quality() ([]row, error) {
	history, err := knownitem.History(b.ctx, b.root)
	if err != nil {
		return nil, err
	}
	compared, err := knownitem.Compare(history, knownitem.Dialogues())
	if err != nil {
		return nil, err
	}
	var rows []row
	for _, c := range compared {
		rows = append(rows, row{
			fmt.Sprintf("hit@1, hit@5, MRR of %d queries: %s", c.Ours.Queries, c.Set), "above the peer", score(c.Ours),
			"conversation-search's BM25: " + score(c.Plain), c.Ours.Mean > c.Plain.Mean,
		})
	}
	return rows, nil
}

func score(s knownitem.Score) string { return fmt.Sprintf("%.2f, %.2f, %.2f", s.First, s.Five, s.Mean) }

// rate returns megabytes in a second.
func rate(bytes int64, took time.Duration) float64 { return mb(bytes) / took.Seconds() }

func seconds(d time.Duration) string { return fmt.Sprintf("%.2f s", d.Seconds()) }

func millis(d time.Duration) string { return fmt.Sprintf("%.2f ms", float64(d)/1e6) }
