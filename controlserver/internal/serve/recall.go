package serve

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"time"

	"tidepool/internal/config"
	"tidepool/internal/conversation/tail"
	"tidepool/internal/journal"
	"tidepool/internal/ollama"
	"tidepool/internal/recall"
	"tidepool/internal/recall/extractor"
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
	log    *slog.Logger
}

// newMemories returns the memories of a project. It opens nothing.
func newMemories(place protocol.Place, settings *config.Config, log *slog.Logger) *memories {
	m := &memories{log: log}
	m.opener = recollect.NewOpener(func(ctx context.Context) (*recollect.Opened, error) {
		opened, err := openMemories(ctx, place, settings, log)
		if err != nil {
			log.Warn("nothing is remembered or told", "err", err, "hint", wording.HintOf(err))
		}
		return opened, err
	})
	m.opener.Enable(settings.Recall.Enabled)
	m.hooks = recollect.New(recollect.Options{Opener: m.opener, Root: place.Project, Budget: settings.Recall.Budget, Log: log})
	return m
}

// openMemories opens the user's memories for a project, the journal among them, and what the settings name beside them.
func openMemories(ctx context.Context, place protocol.Place, settings *config.Config, log *slog.Logger) (*recollect.Opened, error) {
	options, err := RecallOptions(ctx, place, settings.Recall)
	if err != nil {
		return nil, &recall.OffError{Err: err}
	}
	options.Log = log
	if options.Scrub, err = scrub.New(scrub.Options{}); err != nil {
		return nil, &recall.OffError{Err: err}
	}
	opened := new(recollect.Opened)
	addTeam(opened, &options, settings.Recall.Team)
	addEmbedder(opened, &options, settings)
	if opened.Store, err = recall.Open(ctx, options); err != nil {
		opened.CloseRest()
		return nil, err
	}
	addExtractor(opened, options.Scrub, settings)
	opened.Journal = journal.New(opened.Store.Database(), journal.Options{
		Project: options.Project, Scrub: options.Scrub, Log: log,
		Save: func(ctx context.Context, d memory.Draft) (string, error) {
			saved, err := opened.Store.Save(ctx, d)
			return saved.ID, err
		},
	})
	opened.CatchUp = recollect.NewCatchUp(recollect.CatchUpOptions{Lessons: opened.Store, Open: newTranscripts().Open, Root: place.Project, Log: log})
	for _, missing := range opened.Missing {
		log.Warn("recall does without what a setting names", "why", missing)
	}
	return opened, nil
}

// newTranscripts returns where Claude Code keeps its transcripts.
func newTranscripts() *tail.Finder {
	home, _ := os.UserHomeDir() // without one, no file is found
	return tail.NewFinder(tail.Options{Home: home})
}

// addTeam adds the memories that a team shares.
func addTeam(opened *recollect.Opened, options *recall.Options, address string) {
	if address == "" {
		return
	}
	shared, err := team.Open(team.Options{Address: address, Scrub: options.Scrub})
	if err != nil {
		opened.Missing = append(opened.Missing, missing("recall.team", err))
		return
	}
	options.Team = shared
	opened.Rest = append(opened.Rest, shared.Close)
}

// addEmbedder adds the model that compares meanings.
func addEmbedder(opened *recollect.Opened, options *recall.Options, settings *config.Config) {
	if settings.Recall.Embedder == "" {
		return
	}
	client, err := ollama.New(ollama.Options{Endpoint: settings.Scout.Endpoint, Model: settings.Recall.Embedder, Remember: -1})
	if err != nil {
		opened.Missing = append(opened.Missing, missing("recall.embedder, at scout.endpoint", err))
		return
	}
	options.Embedder = client
	opened.Rest = append(opened.Rest, client.Close)
}

// addExtractor adds the model that reads what sessions did.
func addExtractor(opened *recollect.Opened, scrubber *scrub.Scrubber, settings *config.Config) {
	if settings.Recall.Extractor == "" {
		return
	}
	x, err := extractor.New(extractor.Options{
		Endpoint: settings.Scout.Endpoint, Model: settings.Recall.Extractor, Scrub: scrubber, Keep: opened.Store.Learn,
	})
	if err != nil {
		opened.Missing = append(opened.Missing, missing("recall.extractor, at scout.endpoint", err))
		return
	}
	opened.Extractor = x
}

// missing says what a setting names and cannot be used.
func missing(setting string, err error) string {
	if hint := wording.HintOf(err); hint != "" {
		return fmt.Sprintf("%s: %v: %s", setting, err, hint)
	}
	return fmt.Sprintf("%s: %v", setting, err)
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

// close writes what was learned. Its failure is logged, because the daemon did its other work well.
func (m *memories) close(signals Signals) {
	ctx, cancel := context.WithTimeout(signals.Hurry, recallTimeout)
	defer cancel()
	if err := m.opener.Close(ctx); err != nil {
		m.log.Warn("what was learned last was not kept", "err", err)
	}
}
