package memories

import (
	"context"
	"fmt"
	"strings"

	"tidepool/controlserver/internal/command"
	"tidepool/controlserver/internal/page"
	"tidepool/internal/recall"
	"tidepool/internal/recall/evidence"
	"tidepool/internal/wording"
	"tidepool/protocol"
)

type whyCommand struct {
	Prompt  []string `arg:"" help:"The prompt."`
	Session string   `help:"The session in which it is typed. What that was told before is not told again. Default: a new one." placeholder:"ID"`
	Limit   int      `short:"n" help:"How many of the memories to print that were considered." default:"5"`
}

// Run prints what a prompt would be told, and each addend of the evidence. Nothing counts as told by it.
func (c *whyCommand) Run(ctx context.Context, place protocol.Place, std command.Stdio) error {
	store, err := openIndexed(ctx, place, std)
	if err != nil {
		return err
	}
	store.awaitIndex(ctx)
	e, err := store.Why(ctx, recall.Prompt{Session: c.Session, Text: strings.Join(c.Prompt, " ")})
	if err := closed(ctx, store, err); err != nil {
		return err
	}
	p := page.New(std.Out)
	printVerdict(p, &e)
	for _, missing := range []string{e.Team, store.missing} {
		if missing != "" {
			p.Row(page.Odd, "team", missing)
		}
	}
	printWords(p, e.Words)
	for i := range e.Candidates[:min(len(e.Candidates), max(0, c.Limit))] {
		printConsidered(p, &e.Candidates[i])
	}
	return p.Err()
}

// printVerdict writes what is told, or why nothing is.
func printVerdict(p *page.Page, e *recall.Explanation) {
	told := 0
	for i := range e.Candidates {
		if e.Candidates[i].Told {
			told++
		}
	}
	if told == 0 {
		p.Row(page.Odd, "silent", "nothing is told: "+e.Why)
	} else {
		p.Row(page.Good, "told", fmt.Sprintf("%s, of %d that were considered", wording.Count(told, "memory"), len(e.Candidates)))
	}
	bar := fmt.Sprintf("z ≥ %.2f tells a memory, z ≥ %.2f one of another project", e.Bar, e.Strong)
	if e.Already > 0 {
		bar += fmt.Sprintf("; the session was told %d before", e.Already)
	}
	p.Row(page.Plain, "bar", bar)
}

// printWords writes how rare each word of the prompt is: in general English, and among the memories.
func printWords(p *page.Page, words []evidence.Word) {
	var parts []string
	for _, w := range words {
		parts = append(parts, fmt.Sprintf("%s %.1f (%d)", w.Text, w.Rare, w.Docs))
	}
	if parts != nil {
		p.Row(page.Plain, "words", strings.Join(parts, ", ")+": how rare in general (in how many memories)")
	}
}

func printConsidered(p *page.Page, c *recall.Considered) {
	printMemory(p, &c.Memory, c.Foreign)
	verdict, tone := "told", page.Good
	if !c.Told {
		verdict, tone = "not told", page.Odd
	}
	text := evidenceText(c)
	if c.Why != "" {
		text = c.Why + "; " + text
	}
	if c.Stale != "" {
		text += "; may be out of date: " + c.Stale
	}
	p.Row(tone, verdict, text)
	if len(c.Matched) > 0 {
		p.Row(page.Plain, "", "words: "+strings.Join(c.Matched, ", "))
	}
	p.Row(page.Plain, "", scoreText(c))
}

// evidenceText is "z 1.71 of 0.83 = cover 3.20 + chance 2.10 + pairs 0.09 + words 0.50 + session 0.51 + store -0.88 + names 1.00 +
// offset -3.60 + behind 0.00".
func evidenceText(c *recall.Considered) string {
	z := c.Z
	return fmt.Sprintf("z %.2f of %.2f = cover %.2f + chance %.2f + pairs %.2f + words %.2f + session %.2f + store %.2f + names %.2f + offset %.2f + behind %.2f",
		z.Z(), c.Needed, z.Cover, z.Chance, z.Pairs, z.Words, z.Whole, z.Store, z.Names, z.Offset, z.Behind)
}

// scoreText is "score 1.92 = 1.00 × (neighbours 0.80 + …)": what the order is by.
func scoreText(c *recall.Considered) string {
	a := c.Addends
	return fmt.Sprintf("score %.2f = %.2f × (neighbours %.2f + best %.2f + session %.2f + pairs %.2f + pieces %.2f + named %.2f + dated %.2f)",
		c.Score, a.Factor, a.Neighbours, a.Best, a.Session, a.Pairs, a.Pieces, a.Named, a.Dated)
}
