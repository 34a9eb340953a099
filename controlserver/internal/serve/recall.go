package serve

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"tidepool/internal/config"
	"tidepool/internal/httpapi"
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

// state describes the memories for agent status; nil: they are switched off. It opens nothing.
func (m *memories) state(ctx context.Context) *protocol.RecallState {
	if !m.opener.Enabled() {
		return nil
	}
	opened, err := m.opener.Peek()
	switch {
	case opened == nil && err == nil:
		return &protocol.RecallState{State: "unused"}
	case recollect.IsOpening(err):
		return &protocol.RecallState{State: "building", Why: err.Error()}
	case err != nil:
		return &protocol.RecallState{State: "off", Why: err.Error()}
	}
	state := stateOf(opened.Store.Status(ctx), m.hooks.Counts())
	if opened.Team != nil {
		state.Notes = append(state.Notes, teamNotes(opened.Team.Status())...)
	} else if m.team != "" {
		state.Notes = append(state.Notes, "the team's memories are missing: recall.team is no address of a PostgreSQL database, and the log says why")
	}
	return state
}

// teamNotes says what is amiss with the database that a team shares.
func teamNotes(s team.Status) (notes []string) {
	if s.Away != "" {
		notes = append(notes, fmt.Sprintf("the team's memories in %s are missing: %s", s.Name, s.Away))
	}
	if s.Plain {
		notes = append(notes, fmt.Sprintf("what is sent to %s may not be encrypted: add sslmode=verify-full to recall.team", s.Name))
	}
	return notes
}

// stateOf puts a status into the form of the wire.
func stateOf(s recall.Status, told recollect.Counts) *protocol.RecallState {
	state := &protocol.RecallState{
		State: "ready", Memories: s.Counts.Projects[s.Project.Key], Journal: s.Counts.Entries, Told: told.Told, Silent: told.Silent,
		Queued: s.Queued, Dropped: int64(s.Lost), StoreBytes: s.Counts.Bytes, MemoryBytes: int64(s.IndexBytes),
	}
	state.Others = s.Counts.Memories - state.Memories
	if s.Index != recall.IndexReady {
		state.State, state.Why = "building", s.IndexWhy
	}
	for _, note := range []string{s.Place, s.Problem, s.LostWhy} {
		if note != "" {
			state.Notes = append(state.Notes, note)
		}
	}
	for _, aside := range s.Aside {
		state.Notes = append(state.Notes, "could not be read and was set aside: "+aside)
	}
	return state
}

// overHTTP answers for the memories over HTTP.
type overHTTP struct{ *memories }

// Recollect returns what a prompt of a session is told.
func (m overHTTP) Recollect(ctx context.Context, session, prompt string) ([]httpapi.Bite, error) {
	told, err := m.hooks.Recollect(ctx, session, prompt)
	if err != nil {
		return nil, err
	}
	bites := make([]httpapi.Bite, len(told))
	for i, hit := range told {
		bites[i] = httpapi.Bite{
			ID: hit.ID, Bite: wording.Stored(hit.Gist, memory.MaxGist), Date: hit.Created.Local().Format(time.DateOnly),
			Importance: importanceOf(hit.Memory), Type: string(hit.Kind),
		}
	}
	return bites, nil
}

// importanceOf returns "high" for what the user has said or decided, as the clients of /recollect know the word.
func importanceOf(m memory.Memory) string {
	if m.Kind == memory.Preference || m.Kind == memory.Decision {
		return "high"
	}
	return "normal"
}

// Flush returns when what a session has taught is on the disk.
func (m overHTTP) Flush(ctx context.Context, session string) error {
	return m.hooks.Flush(ctx, session)
}

// State opens the memories, so that somebody who waits until they are ready does not wait in vain.
func (m overHTTP) State(ctx context.Context) (state, reason string) {
	opened, err := m.opener.Get(ctx)
	switch {
	case recollect.IsOpening(err):
		return "building", err.Error()
	case err != nil:
		return "off", err.Error()
	}
	s := stateOf(opened.Store.Status(ctx), m.hooks.Counts())
	return s.State, s.Why
}
