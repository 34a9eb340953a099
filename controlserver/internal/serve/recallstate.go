package serve

import (
	"context"
	"fmt"
	"time"

	"tidepool/internal/httpapi"
	"tidepool/internal/recall"
	"tidepool/internal/recall/memory"
	"tidepool/internal/recall/team"
	"tidepool/internal/recollect"
	"tidepool/internal/wording"
	"tidepool/protocol"
)

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
	var failed error
	if state.Journal, failed = opened.Journal.Open(ctx); failed != nil {
		state.Notes = append(state.Notes, "the journal cannot be read: "+failed.Error())
	}
	state.Notes = append(state.Notes, opened.Missing...)
	if opened.Extractor != nil {
		if s := opened.Extractor.Status(); s.LastError != "" {
			state.Notes = append(state.Notes, fmt.Sprintf("%s has read %s and kept %s: %s", s.Model, wording.Count(s.Asked, "turn"), wording.Count(s.Kept, "memory"), s.LastError))
		}
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
		State: "ready", Memories: s.Counts.Projects[s.Project.Key], Told: told.Told, Silent: told.Silent,
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
	if s.Team != nil {
		state.Notes = append(state.Notes, teamNotes(*s.Team)...)
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
