package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"tidepool/internal/figures"
	"tidepool/internal/recall/evidence"
	"tidepool/internal/recall/quality"
)

// qualityOf measures recall on the public dialogues in a directory. Package quality says what counts.
func qualityOf(ctx context.Context, dir string) ([]figures.Row, error) {
	d, err := quality.Read(ctx, dir)
	if err != nil {
		return nil, err
	}
	c := evidence.Fitted()
	rows, err := finding(d, &c)
	if err != nil {
		return nil, err
	}
	groups, err := d.Publishing(ctx)
	if err != nil {
		return nil, err
	}
	tallies := make([]quality.Tally, len(groups))
	for i, g := range groups {
		if tallies[i], err = quality.Tell(g.Trials, &c); err != nil {
			return nil, err
		}
		rows = append(rows, telling(g.Name, &tallies[i]))
	}
	for _, kind := range []string{quality.AnotherDialogue, quality.GenericPrompts, quality.NearMiss, quality.AnotherProgram} {
		rows = append(rows, silence(kind, groups, tallies))
	}
	return rows, nil
}

// finding measures how far up the session with the answer comes.
func finding(d *quality.Data, c *evidence.Constants) ([]figures.Row, error) {
	var rows []figures.Row
	for _, set := range []struct {
		what        string
		of          []quality.Dialogue
		first, five float64
	}{
		{"LoCoMo by session, ten dialogues", slices.Concat(d.Tuned, d.Held), .78, .945},
		{"LoCoMo by session, the five that nothing was fitted on", d.Held, .77, .93},
		{"REALTALK by session, nothing fitted on it", d.Real, .67, .89},
	} {
		h, err := quality.Find(quality.Subjects(set.of), c)
		if err != nil {
			return nil, err
		}
		plain := quality.FindPlain(set.of)
		rows = append(rows, figures.Row{
			What: fmt.Sprintf("%s: hit@1, hit@5 of %d questions", set.what, h.Questions), Hold: fmt.Sprintf("≥ %.2f, ≥ %.3g", set.first, set.five),
			Measured: fmt.Sprintf("%.3f, %.3f", h.First, h.Five), Beside: fmt.Sprintf("plain BM25 by session: %.3f, %.3f", plain.First, plain.Five),
			Held: h.First >= set.first && h.Five >= set.five,
		})
	}
	return rows, nil
}

// telling says how often questions were told the right memory. The known items of programs have no bound.
func telling(name string, t *quality.Tally) figures.Row {
	hold := 0.
	switch {
	case strings.HasPrefix(name, "LoCoMo"):
		hold = .68
	case strings.HasPrefix(name, "REALTALK"):
		hold = .52
	}
	r := figures.Row{
		What: "right memory told: " + name, Hold: "–", Measured: fmt.Sprintf("%.3f of %d questions", t.RightShare(), t.Questions),
		Beside: fmt.Sprintf("the very memory %.3f; %.1f memories to each that was told any", t.ExactShare(), float64(t.Memories)/float64(max(t.Spoken, 1))),
		Held:   t.RightShare() >= hold,
	}
	if hold > 0 {
		r.Hold = fmt.Sprintf("≥ %.2f", hold)
	}
	return r
}

// least is the share of the prompts of each kind that are to be told nothing.
const least = .9

func silence(kind string, groups []quality.Group, tallies []quality.Tally) figures.Row {
	r := figures.Row{What: "silence: " + kind, Hold: fmt.Sprintf("≥ %.2f each", least), Beside: "–", Held: true}
	var parts []string
	for i, g := range groups {
		for _, s := range tallies[i].Silences {
			if s.Kind == kind {
				parts = append(parts, fmt.Sprintf("%s %.3f", g.Name, s.Share()))
				r.Held = r.Held && s.Share() >= least
			}
		}
	}
	r.Measured = strings.Join(parts, "; ")
	return r
}
