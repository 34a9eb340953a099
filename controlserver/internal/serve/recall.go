package serve

import (
	"context"
	"log/slog"
	"time"

	"tidepool/internal/config"
	"tidepool/internal/journal"
	"tidepool/internal/recall"
	"tidepool/internal/recall/memory"
	"tidepool/internal/recall/team"
	"tidepool/internal/recollect"
	"tidepool/internal/scrub"
	"tidepool/internal/state"
	"tidepool/internal/wording"
	"tidepool/protocol"
)

// recallTimeout is how long closing may take: what was learned is written, and the index.
const recallTimeout = 5 * time.Second

// memories are what the daemon remembers of the user's projects. They are opened at the first use, and keep no daemon running.
type memories struct {
	opener *recollect.Opener
	hooks  *recollect.Contributor
	team   string // the setting
	log    *slog.Logger
}

// newMemories returns the memories of a project. It opens nothing.
func newMemories(place protocol.Place, settings config.Recall, log *slog.Logger) *memories {
	m := &memories{team: settings.Team, log: log}
	m.opener = recollect.NewOpener(func(ctx context.Context) (*recollect.Opened, error) {
		opened, err := openMemories(ctx, place, settings, log)
		if err != nil {
			log.Warn("nothing is remembered or told", "err", err, "hint", wording.HintOf(err))
		}
		return opened, err
	})
	m.opener.Enable(settings.Enabled)
	m.hooks = recollect.New(recollect.Options{Opener: m.opener, Root: place.Project, Budget: settings.Budget, Log: log})
	return m
}

// openMemories opens the user's memories for a project, and the journal among them.
func openMemories(ctx context.Context, place protocol.Place, settings config.Recall, log *slog.Logger) (*recollect.Opened, error) {
	options, err := RecallOptions(ctx, place, settings)
	if err != nil {
		return nil, &recall.OffError{Err: err}
	}
	scrubber, err := scrub.New(scrub.Options{})
	if err != nil {
		return nil, &recall.OffError{Err: err}
	}
	shared, err := openTeam(settings.Team, scrubber)
	if err != nil {
		log.Warn("the team's memories are missing", "err", err, "hint", wording.HintOf(err))
	}
	options.Scrub, options.Team, options.Log = scrubber, shared, log
	store, err := recall.Open(ctx, options)
	if err != nil {
		if shared != nil {
			shared.Close()
		}
		return nil, err
	}
	entries := journal.New(store.Database(), journal.Options{
		Project: options.Project, Scrub: scrubber, Log: log,
		Save: func(ctx context.Context, d memory.Draft) (string, error) {
			saved, err := store.Save(ctx, d)
			return saved.ID, err
		},
	})
	return &recollect.Opened{Store: store, Journal: entries, Team: shared}, nil
}

// RecallOptions returns how the memories are opened for a project, by its daemon and by commands. They find the user's own database in
// the same place, or else the one that the project has for itself.
func RecallOptions(ctx context.Context, place protocol.Place, settings config.Recall) (recall.Options, error) {
	project, err := recall.ProjectOf(ctx, place.Project)
	if err != nil {
		return recall.Options{}, err
	}
	options := recall.Options{Project: project, Root: place.Project, Scope: settings.Scope, Floor: settings.Floor}
	if place.Managed {
		options.Fallback = state.Of(place.Project)
	}
	return options, nil
}

// openTeam returns the memories that a team shares; nil: it shares none.
func openTeam(address string, scrubber *scrub.Scrubber) (*team.Team, error) {
	if address == "" {
		return nil, nil
	}
	return team.Open(team.Options{Address: address, Scrub: scrubber})
}

// close writes what was learned. Its failure is logged, because the daemon did its other work well.
func (m *memories) close(signals Signals) {
	ctx, cancel := context.WithTimeout(signals.Hurry, recallTimeout)
	defer cancel()
	if err := m.opener.Close(ctx); err != nil {
		m.log.Warn("what was learned last was not kept", "err", err)
	}
}
