package memories

import (
	"context"
	"encoding/json"
	"strings"
	"time"

	"tidepool/controlserver/internal/command"
	"tidepool/controlserver/internal/page"
	"tidepool/internal/moment"
	"tidepool/internal/recall"
	"tidepool/internal/recall/memory"
	"tidepool/internal/wording"
	"tidepool/protocol"
)

type recallCommand struct {
	Words   []string `arg:"" help:"What to look for."`
	Limit   int      `short:"n" help:"How many to print, at most 50." default:"10"`
	Of      string   `help:"Only memories of this project: its name or its path." placeholder:"PROJECT"`
	Scope   string   `help:"project: of this project and for you; user: for you; team: what the team shares; all. Default: recall.scope." enum:",project,user,team,all" default:""`
	Kind    []string `help:"Only this kind, such as fix or preference. May be given more than once." placeholder:"KIND"`
	Outcome string   `help:"Only what ended so." enum:",success,failure,abandoned" default:""`
	Since   string   `help:"Only what was learned since then: 2w (m, h, d, w, y), yesterday, 2025-11-03." placeholder:"WHEN"`
	Session string   `help:"Only what was learned in this session." placeholder:"ID"`
	JSON    bool     `help:"Print one JSON object."`
}

// Run prints what is found, the best first.
func (c *recallCommand) Run(ctx context.Context, place protocol.Place, std command.Stdio) error {
	query, err := c.query(time.Now())
	if err != nil {
		return err
	}
	store, err := openIndexed(ctx, place, std)
	if err != nil {
		return err
	}
	store.awaitIndex(ctx)
	found, err := store.Recall(ctx, query)
	if err := closed(ctx, store, err); err != nil {
		return err
	}
	if store.missing != "" {
		found.Complete, found.Why = false, strings.TrimPrefix(found.Why+"; "+store.missing, "; ")
	}
	if c.JSON {
		return printFound(std, found)
	}
	p := page.New(std.Out)
	p.Text(page.Plain, wording.Count(len(found.Memories), "memory")+"; "+completeness(found.Complete, found.Why))
	for _, hit := range found.Memories {
		printMemory(p, &hit.Memory, hit.Foreign)
	}
	return p.Err()
}

func (c *recallCommand) query(now time.Time) (recall.Query, error) {
	since, err := moment.Parse(c.Since, now)
	if err != nil {
		return recall.Query{}, &command.UsageError{Err: err}
	}
	kinds, err := kindsOf(c.Kind)
	return recall.Query{
		Text: strings.Join(c.Words, " "), Limit: max(1, c.Limit), Project: c.Of, Scope: c.Scope, Kinds: kinds, Outcome: memory.Outcome(c.Outcome),
		Since: since, Session: c.Session,
	}, err
}

// completeness is "complete", or "incomplete: the index is being built".
func completeness(complete bool, why string) string {
	if complete {
		return "complete"
	}
	return "incomplete: " + why
}

// printFound writes an answer as one JSON object.
func printFound(std command.Stdio, found recall.Found) error {
	type hit struct {
		record
		Score float64 `json:"score"`
	}
	answer := struct {
		Memories []hit  `json:"memories"`
		Complete bool   `json:"complete"`
		Why      string `json:"why,omitempty"`
	}{[]hit{}, found.Complete, found.Why}
	for _, h := range found.Memories {
		answer.Memories = append(answer.Memories, hit{recordOf(&h.Memory), h.Score})
	}
	return json.NewEncoder(std.Out).Encode(answer)
}
