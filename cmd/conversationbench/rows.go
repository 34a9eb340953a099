package main

import (
	"fmt"
	"time"

	"tidepool/internal/figures"
	"tidepool/internal/knownitem"
)

// building measures the first build, beside FTS5's on one of five sessions.
func (b *bench) building() ([]figures.Row, error) {
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
	return []figures.Row{
		{What: "first build, transcripts read in a second of processor time", Hold: "≥ 60 MB/s", Measured: fmt.Sprintf("%.0f MB/s; %.0f MB/s by the clock", speed, rate(b.all.Bytes, f["wall"])),
			Beside: fmt.Sprintf("FTS5, texts of one of %d sessions: %.0f MB/s", fts5Share, rate(b.all.Bytes/fts5Share, peer["build"])), Held: speed >= 60},
		{What: fmt.Sprintf("from the start of the first build to the %d sessions of the last week", b.all.Week), Hold: "≤ 2 s", Measured: seconds(recent["week"]), Beside: "–", Held: recent["week"] <= 2*time.Second},
		{What: "the store, against the transcripts", Hold: "≤ 0.25", Measured: fmt.Sprintf("%.2f (%.0f MB)", share, mb(int64(f["store"]))), Beside: "–", Held: share <= 0.25},
	}, nil
}

// asking measures questions, beside FTS5 and rg.
func (b *bench) asking() ([]figures.Row, error) {
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
	return []figures.Row{
		{What: "a query, p50 and p99 of 1,000", Hold: "≤ 2 ms, ≤ 20 ms", Measured: fmt.Sprintf("%s, %s; %s of processor time", millis(f["p50"]), millis(f["p99"]), millis(f["cpu"])), Beside: beside,
			Held: f["p50"] <= 2*time.Millisecond && f["p99"] <= 20*time.Millisecond},
		{What: fmt.Sprintf("FTS5 on one of %d sessions, against that", fts5Share), Hold: "≥ 20× slower", Measured: fmt.Sprintf("%.0f×", slower), Beside: fmt.Sprintf("p50 %s, p99 %s", millis(b.fts5["p50"]), millis(b.fts5["p99"])), Held: slower >= 20},
		{What: "memory of the index", Hold: "≤ 100 MB", Measured: fmt.Sprintf("%.0f MB", mb(int64(f["memory"]))), Beside: "–", Held: f["memory"] <= 100e6},
		{What: fmt.Sprintf("memory of the index at %d turns", b.small.Turns), Hold: "≤ 15 MB", Measured: fmt.Sprintf("%.1f MB", mb(int64(small["memory"]))), Beside: "–", Held: small["memory"] <= 15e6},
		{What: "memory of an archive that nobody has asked", Hold: "0 (below 1 MB)", Measured: fmt.Sprintf("%.2f MB", mb(int64(f["unused"]))), Beside: "–", Held: f["unused"] < 1e6},
		{What: "from the start, with a snapshot, to the first answer", Hold: "≤ 0.5 s", Measured: seconds(f["complete"]), Beside: "–", Held: f["complete"] <= 500*time.Millisecond},
	}, nil
}

// following measures how soon a turn is found.
func (b *bench) following() ([]figures.Row, error) {
	f, err := b.step("follow", b.all)
	if err != nil {
		return nil, err
	}
	return []figures.Row{{What: fmt.Sprintf("a turn appended, until it is found: the slowest of %d", appended), Hold: "≤ 1 s", Measured: seconds(f["slowest"]), Beside: "the median: " + millis(f["median"]), Held: f["slowest"] <= time.Second}}, nil
}

// quality publishes how often a search finds the one turn that a query is about, beside conversation-search's plain BM25. Half of the
// queries chose the weights; these are the others.
func (b *bench) quality() ([]figures.Row, error) {
	history, err := knownitem.History(b.ctx, b.root)
	if err != nil {
		return nil, err
	}
	compared, err := knownitem.Compare(history, knownitem.Dialogues())
	if err != nil {
		return nil, err
	}
	var rows []figures.Row
	for _, c := range compared {
		rows = append(rows, figures.Row{
			What: fmt.Sprintf("hit@1, hit@5, MRR of %d queries: %s", c.Ours.Queries, c.Set), Hold: "above the peer", Measured: score(c.Ours),
			Beside: "conversation-search's BM25: " + score(c.Plain), Held: c.Ours.Mean > c.Plain.Mean,
		})
	}
	return rows, nil
}

func score(s knownitem.Score) string { return fmt.Sprintf("%.2f, %.2f, %.2f", s.First, s.Five, s.Mean) }

// rate returns megabytes in a second.
func rate(bytes int64, took time.Duration) float64 { return mb(bytes) / took.Seconds() }

func seconds(d time.Duration) string { return fmt.Sprintf("%.2f s", d.Seconds()) }

func millis(d time.Duration) string { return fmt.Sprintf("%.2f ms", float64(d)/1e6) }
