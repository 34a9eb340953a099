package doctor

import "context"

// Recall checks that memories can be kept and found.
type Recall struct {
	Enabled bool // in the settings
	// Open opens the memories, and returns what they are. Problem is what is wrong although they can be opened; "": nothing.
	Open func(ctx context.Context) (text, problem string, err error)
}

// Look opens them.
func (r Recall) Look(ctx context.Context) []Finding {
	const name = "memories"
	if !r.Enabled {
		return []Finding{fine(name, "switched off by recall.enabled")}
	}
	text, wrong, err := r.Open(ctx)
	switch {
	case err != nil:
		return []Finding{trouble(name, "agent memory status says the same; memory.db is to be on a local disk that you can write", err)}
	case wrong != "":
		return []Finding{problem(name, "agent memory status says more", "%s", wrong)}
	}
	return []Finding{fine(name, "%s", text)}
}
