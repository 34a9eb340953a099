package conversation

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"tidepool/internal/conversation/store"
	"tidepool/internal/wording"
)

// Bounds of what is read at once.
const (
	defaultTurns    = 10
	mostTurns       = 200
	defaultSessions = 50
	mostSessions    = 1000
	nearest         = 5 // sessions that an error names
)

// Turn returns a turn of a session, which may be named by a prefix that only one has. Errors: *SessionError, *TurnError.
func (a *Archive) Turn(ctx context.Context, session string, number int) (Turn, error) {
	_, turns, err := a.turns(ctx, session, number, 1)
	if err != nil {
		return Turn{}, err
	}
	return turns[0], nil
}

// Conversation returns a session and its turns from an offset on, at most limit: 0 is 10, and at most 200. Errors: *SessionError,
// and *TurnError for an offset that is no turn of a session that has some.
func (a *Archive) Conversation(ctx context.Context, session string, offset, limit int) (Summary, []Turn, error) {
	return a.turns(ctx, session, offset, min(max(cmp.Or(limit, defaultTurns), 1), mostTurns))
}

func (a *Archive) turns(ctx context.Context, session string, from, limit int) (Summary, []Turn, error) {
	a.refresh(ctx)
	s, err := a.open(ctx)
	if err != nil {
		return Summary{}, nil, err
	}
	if s == nil {
		return Summary{}, nil, &SessionError{Asked: asked(session)}
	}
	one, err := a.session(ctx, s, session)
	if err != nil {
		return Summary{}, nil, err
	}
	if from < 0 || from >= max(one.Turns, 1) {
		return Summary{}, nil, &TurnError{Session: one.SID, Asked: from, Turns: one.Turns}
	}
	rows, err := s.Turns(ctx, one.ID, from, limit)
	if err != nil {
		return Summary{}, nil, err
	}
	turns := make([]Turn, len(rows))
	for i := range rows {
		turns[i] = a.turn(one.SID, &rows[i])
	}
	if len(turns) == 0 && limit == 1 {
		return Summary{}, nil, &TurnError{Session: one.SID, Asked: from, Turns: one.Turns}
	}
	return a.summary(&one), turns, nil
}

func (a *Archive) turn(sid string, r *store.Turn) Turn {
	t := Turn{
		Session: sid, Number: r.Number, At: r.At, User: a.clean(r.User), Answer: a.clean(r.Answer), Tools: slices.Clone(r.Tools),
		Abandoned: r.Abandoned, Forgotten: r.Forgotten, Cut: r.Cut,
	}
	for i := range t.Tools {
		t.Tools[i] = mapTool(t.Tools[i], a.clean)
	}
	return t
}

// mapTool returns a tool with its texts changed.
func mapTool(t Tool, change func(string) string) Tool {
	for _, text := range []*string{&t.File, &t.Command, &t.Pattern, &t.Description, &t.Error} {
		if *text != "" {
			*text = change(*text)
		}
	}
	return t
}

func (a *Archive) summary(s *store.Session) Summary {
	return Summary{
		Session: s.SID, Slug: s.Slug, Title: a.clean(s.Title), Cwd: s.Cwd, Branch: s.Branch, Project: nameOf(a.checkout(s.Cwd)), Parent: s.Parent,
		ForkedFrom: s.ForkedFrom, First: s.First, Last: s.Last, Turns: s.Turns, Resumable: resumable(s), Subagent: s.Sidechain, Source: s.Source,
	}
}

// session returns the session with an id, or the one whose id begins with it.
func (a *Archive) session(ctx context.Context, s *store.Store, id string) (store.Session, error) {
	if id == "" {
		return store.Session{}, &SessionError{}
	}
	found, err := s.WithPrefix(ctx, id, nearest+1)
	if err != nil {
		return store.Session{}, err
	}
	for _, one := range found {
		if one.SID == id || len(found) == 1 {
			return one, nil
		}
	}
	several := len(found) > 1
	if !several {
		if found, err = s.Sessions(ctx, 0); err != nil {
			return store.Session{}, err
		}
		slices.SortStableFunc(found, func(a, b store.Session) int { return shared(b.SID, id) - shared(a.SID, id) })
	}
	e := &SessionError{Asked: asked(id), Several: several}
	for _, one := range found[:min(len(found), nearest)] {
		e.Nearest = append(e.Nearest, wording.Visible(one.SID))
	}
	return store.Session{}, e
}

// asked returns what was asked for, for an error.
func asked(id string) string {
	const most = 64 // characters
	return wording.Visible(wording.Line(id, most))
}

// shared returns how many bytes two ids have in common at the beginning.
func shared(a, b string) (n int) {
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

// List returns the sessions that a query asks for, the last used first, and how many there are altogether.
func (a *Archive) List(ctx context.Context, q ListQuery) (list []Summary, total int, c Completeness, err error) {
	late := a.refresh(ctx)
	s, err := a.open(ctx)
	if err != nil || s == nil {
		return nil, 0, a.without(err), err
	}
	covered, err := a.transcripts(ctx, s)
	if err != nil {
		return nil, 0, c, err
	}
	sessions, err := s.Sessions(ctx, 0)
	if err != nil {
		return nil, 0, c, err
	}
	limit, skip := min(max(cmp.Or(q.Limit, defaultSessions), 1), mostSessions), max(q.Skip, 0)
	for i := range sessions {
		if !a.listed(&q, &sessions[i]) {
			continue
		}
		if total++; total > skip && len(list) < limit {
			list = append(list, a.summary(&sessions[i]))
		}
	}
	return list, total, covered.of(1, late), nil
}

// listed reports whether a query asks for a session. One without turns has said nothing.
func (a *Archive) listed(q *ListQuery, s *store.Session) bool {
	if s.Turns == 0 || s.Sidechain && !q.Subagents || !q.Since.IsZero() && s.Last.Before(q.Since) {
		return false
	}
	if q.Project != "" && !strings.Contains(lower(a.checkout(s.Cwd)), lower(q.Project)) {
		return false
	}
	text := lower(q.Text)
	for _, field := range []string{s.Title, s.Slug, s.Branch, s.SID} {
		if strings.Contains(lower(field), text) {
			return true
		}
	}
	return false
}
