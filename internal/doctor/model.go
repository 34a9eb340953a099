package doctor

import (
	"context"
	"errors"
	"time"
)

// modelLimit is how long Ollama may take to say whether it has a model.
const modelLimit = 3 * time.Second

// Model checks whoever scores what scout finds.
type Model struct {
	Scorer string // "ollama" or "heuristic"
	Advice string // how to have another one; "" if somebody has chosen it
	Name   string // of the model, and where it runs
	Whose  string // "the daemon (pid 7)"; may be empty
	// Ask asks the server for the model, without loading it. nil: the scorer needs none.
	Ask func(context.Context) error
}

// Look asks for the model, if one is configured.
func (m Model) Look(ctx context.Context) []Finding {
	found := m.look(ctx)
	for i := range found {
		if m.Whose != "" {
			found[i].Text = m.Whose + ": " + found[i].Text
		}
	}
	return found
}

func (m Model) look(ctx context.Context) []Finding {
	const name = "scorer"
	switch {
	case m.Advice != "":
		return []Finding{fine(name, "%s, as none is chosen; %s", m.Scorer, m.Advice)}
	case m.Ask == nil:
		return []Finding{fine(name, "%s", m.Scorer)}
	}
	ctx, cancel := context.WithTimeout(ctx, modelLimit)
	defer cancel()
	err := m.Ask(ctx)
	switch {
	case err == nil:
		return []Finding{fine(name, "%s has %s", m.Scorer, m.Name)}
	case errors.Is(err, context.DeadlineExceeded):
		return []Finding{problem(name, "see whether the server is well, and scout.endpoint right", "%s has not answered within %v about %s", m.Scorer, modelLimit, m.Name)}
	}
	return []Finding{trouble(name, "see whether the server is well, and scout.endpoint right", err)}
}
