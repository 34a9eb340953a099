package command

import (
	"context"
	"sync"

	"tidepool/controlserver/internal/serve"
	"tidepool/controlserver/internal/ui"
	"tidepool/internal/config"
	"tidepool/internal/recall"
	"tidepool/internal/recall/memory"
	"tidepool/protocol"
)

// toldShown is how many of the memories that were told last are shown.
const toldShown = 100

// A toldPage gives agent ui what was told at prompts. It opens the memories at the first look; who made it closes it.
type toldPage struct {
	place    protocol.Place
	settings config.Recall

	mu    sync.Mutex
	store *recall.Store // nil: nobody has looked yet
}

// page returns the page; the zero one if recall is switched off.
func (t *toldPage) page() ui.Memories {
	if !t.settings.Enabled {
		return ui.Memories{}
	}
	page := ui.Memories{Told: t.told}
	if RequirePerson() == nil {
		page.Forget = t.forget
	}
	return page
}

func (t *toldPage) open(ctx context.Context) (*recall.Store, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.store != nil {
		return t.store, nil
	}
	options, err := serve.RecallOptions(ctx, t.place, t.settings)
	if err != nil {
		return nil, err
	}
	t.store, err = recall.OpenDatabase(ctx, options)
	return t.store, err
}

func (t *toldPage) told(ctx context.Context) ([]ui.Memory, error) {
	store, err := t.open(ctx)
	if err != nil {
		return nil, err
	}
	tellings, err := store.Lately(ctx, toldShown)
	var all []ui.Memory
	for _, one := range tellings {
		shown := ui.Memory{ID: one.ID, Kind: string(one.Kind), Gist: one.Gist, At: one.At}
		if one.Project.Key != store.Project().Key && one.Scope != memory.ForUser {
			shown.Project = one.Project.Name
		}
		all = append(all, shown)
	}
	return all, err
}

func (t *toldPage) forget(ctx context.Context, id string) error {
	store, err := t.open(ctx)
	if err != nil {
		return err
	}
	_, err = store.Forget(ctx, id)
	return err
}

// close closes the memories if they were opened.
func (t *toldPage) close(ctx context.Context) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.store == nil {
		return nil
	}
	return t.store.Close(ctx)
}
