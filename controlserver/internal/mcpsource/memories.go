package mcpsource

import (
	"context"
	"strings"

	"tidepool/internal/mcpfeature"
	"tidepool/internal/recall"
	"tidepool/internal/recall/memory"
)

// mostMemories is how many of the newest memories are looked at.
const mostMemories = 1000

// A Finder lists memories, as [recall.Store] does.
type Finder interface {
	List(ctx context.Context, q recall.ListQuery) ([]memory.Memory, error)
}

// Memories are those of the project.
type Memories struct {
	// Open returns the memories and the project, at every use. The error says why recall is off.
	Open func(ctx context.Context) (Finder, memory.Project, error)
}

// List returns the newest memories whose id begins with the text, or whose gist has it, in any case.
func (m *Memories) List(ctx context.Context, q mcpfeature.Query) (mcpfeature.Found, error) {
	store, project, err := m.Open(ctx)
	if err != nil {
		return mcpfeature.Found{}, err
	}
	limit := q.Limit + 1
	if q.Text != "" {
		limit = mostMemories
	}
	all, err := store.List(ctx, recall.ListQuery{Project: project.Key, Limit: limit})
	if err != nil {
		return mcpfeature.Found{}, err
	}
	var found mcpfeature.Found
	if len(all) == limit {
		found.Lacks = "older ones"
	}
	for _, memory := range all {
		if !matches(memory, q.Text) {
			continue
		}
		if found.Total++; found.Total <= q.Limit {
			found.Items = append(found.Items, itemOf(memory))
		}
	}
	return found, nil
}

func itemOf(m memory.Memory) mcpfeature.Item {
	return mcpfeature.Item{ID: m.ID, Title: m.Gist, About: string(m.Kind) + ", " + m.Updated.Local().Format("2 Jan 2006"), At: m.Updated}
}

func matches(m memory.Memory, text string) bool {
	return strings.HasPrefix(m.ID, text) || strings.Contains(strings.ToLower(m.Gist), strings.ToLower(text))
}
