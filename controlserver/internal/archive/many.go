package archive

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"tidepool/internal/conversation"
)

// A Source answers questions about conversations: an archive, or Many of them.
type Source interface {
	Search(ctx context.Context, q conversation.Query) (conversation.Found, error)
	List(ctx context.Context, q conversation.ListQuery) (found []conversation.Summary, total int, state conversation.Completeness, err error)
	Turn(ctx context.Context, session string, number int) (conversation.Turn, error)
	Conversation(ctx context.Context, session string, offset, limit int) (conversation.Summary, []conversation.Turn, error)
}

// Many are the archives of several projects, asked as one. One after the other is asked, so that the memory that they need adds
// up slowly and a cancelled question ends soon.
type Many struct {
	Sources []Source
	Missing string // one line that says which archives could not be opened, and why; "": none
}

// Search merges the hits of all archives by their scores. How rare a word is counts within each archive, so scores of two
// archives compare roughly.
func (m *Many) Search(ctx context.Context, q conversation.Query) (conversation.Found, error) {
	limit := cmp.Or(q.Limit, 10)
	each := q
	each.Skip, each.Limit = 0, min(q.Skip+limit, mostHits)
	all := conversation.Found{State: m.state()}
	for i, source := range m.Sources {
		found, err := source.Search(ctx, each)
		if isUnknown(err) && q.Session != "" {
			continue // another archive has it
		}
		if err != nil {
			return all, err
		}
		all.Hits = append(all.Hits, found.Hits...)
		all.Matches += found.Matches
		all.State = worse(all.State, found.State)
		if i == 0 {
			all.Unknown, all.Ignored = found.Unknown, found.Ignored
		} else {
			all.Unknown = slices.DeleteFunc(slices.Clone(all.Unknown), func(word string) bool { return !slices.Contains(found.Unknown, word) })
		}
	}
	slices.SortStableFunc(all.Hits, func(a, b conversation.Hit) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), b.At.Compare(a.At))
	})
	first := min(q.Skip, len(all.Hits))
	all.Hits = all.Hits[first:min(first+limit, len(all.Hits))]
	return all, nil
}

// Bounds of what one archive gives at a time.
const (
	mostHits     = 200
	mostSessions = 1000
)

// List merges the sessions of all archives, the latest first.
func (m *Many) List(ctx context.Context, q conversation.ListQuery) ([]conversation.Summary, int, conversation.Completeness, error) {
	limit := cmp.Or(q.Limit, 50)
	each := q
	each.Skip, each.Limit = 0, min(q.Skip+limit, mostSessions)
	var all []conversation.Summary
	total, state := 0, m.state()
	for _, source := range m.Sources {
		found, n, s, err := source.List(ctx, each)
		if err != nil {
			return nil, 0, state, err
		}
		all, total, state = append(all, found...), total+n, worse(state, s)
	}
	slices.SortStableFunc(all, func(a, b conversation.Summary) int { return b.Last.Compare(a.Last) })
	first := min(q.Skip, len(all))
	return all[first:min(first+limit, len(all))], total, state, nil
}

// Turn asks the archive that has the session.
func (m *Many) Turn(ctx context.Context, session string, number int) (conversation.Turn, error) {
	source, err := m.holder(ctx, session)
	if err != nil {
		return conversation.Turn{}, err
	}
	return source.Turn(ctx, session, number)
}

// Conversation asks the archive that has the session.
func (m *Many) Conversation(ctx context.Context, session string, offset, limit int) (conversation.Summary, []conversation.Turn, error) {
	source, err := m.holder(ctx, session)
	if err != nil {
		return conversation.Summary{}, nil, err
	}
	return source.Conversation(ctx, session, offset, limit)
}

// holder returns the archive that has a session. A prefix is ambiguous if sessions of two archives begin with it.
func (m *Many) holder(ctx context.Context, session string) (Source, error) {
	var holder Source
	unknown := &conversation.SessionError{Asked: session}
	var ids []string
	for _, source := range m.Sources {
		summary, _, err := source.Conversation(ctx, session, 0, 1)
		if missing, is := errors.AsType[*conversation.SessionError](err); is {
			unknown.Asked = missing.Asked
			unknown.Several = unknown.Several || missing.Several
			unknown.Nearest = append(unknown.Nearest, missing.Nearest...)
			continue
		}
		if err != nil {
			return nil, err
		}
		if !slices.Contains(ids, summary.Session) {
			holder, ids = source, append(ids, summary.Session)
		}
	}
	switch {
	case len(ids) == 1 && !unknown.Several:
		return holder, nil
	case len(ids) > 0:
		unknown.Several, unknown.Nearest = true, append(ids, unknown.Nearest...)
	}
	unknown.Nearest = unknown.Nearest[:min(len(unknown.Nearest), 5)]
	return nil, unknown
}

func isUnknown(err error) bool {
	missing, is := errors.AsType[*conversation.SessionError](err)
	return is && !missing.Several
}

// state is complete, unless an archive is missing.
func (m *Many) state() conversation.Completeness {
	if m.Missing != "" {
		return conversation.Completeness{State: conversation.Partial, Why: m.Missing}
	}
	return conversation.Completeness{State: conversation.Complete}
}

// worse returns what an answer covers that is made of two.
func worse(a, b conversation.Completeness) conversation.Completeness {
	switch {
	case a.State == conversation.Complete || a.State == "":
		return b
	case b.State == conversation.Complete || b.State == "":
		return a
	case a.State == conversation.Indexing && b.State == conversation.Indexing:
		return conversation.Completeness{State: conversation.Indexing, Share: min(a.Share, b.Share)}
	case a.State == conversation.Indexing:
		return conversation.Completeness{State: conversation.Partial, Why: fmt.Sprintf("%d%% of the transcripts of a project are read; %s", int(a.Share*100), b.Why)}
	case b.State == conversation.Indexing:
		return worse(b, a)
	case a.Why == b.Why:
		return a
	}
	return conversation.Completeness{State: conversation.Partial, Why: a.Why + "; " + b.Why}
}
