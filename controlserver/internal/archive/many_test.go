package archive

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"tidepool/internal/conversation"
)

// A shelf holds sessions with a turn each, which match every word by the score of their place.
type shelf struct {
	sessions []string
	scores   []float64
	unknown  []string
	state    conversation.Completeness
}

func at(score float64) time.Time { return time.Unix(int64(score*1000), 0).UTC() }

func (s *shelf) Search(_ context.Context, q conversation.Query) (conversation.Found, error) {
	found := conversation.Found{Matches: len(s.sessions), Unknown: s.unknown, State: s.state}
	if q.Session != "" && !slices.Contains(s.sessions, q.Session) {
		return found, &conversation.SessionError{Asked: q.Session}
	}
	for i, id := range s.sessions[:min(len(s.sessions), q.Limit)] {
		found.Hits = append(found.Hits, conversation.Hit{Session: id, Score: s.scores[i], At: at(s.scores[i])})
	}
	return found, nil
}

func (s *shelf) List(_ context.Context, q conversation.ListQuery) (found []conversation.Summary, total int, state conversation.Completeness, err error) {
	for i, id := range s.sessions[:min(len(s.sessions), q.Limit)] {
		found = append(found, conversation.Summary{Session: id, Last: at(s.scores[i])})
	}
	return found, len(s.sessions), s.state, nil
}

func (s *shelf) Turn(_ context.Context, session string, number int) (conversation.Turn, error) {
	return conversation.Turn{Session: session, Number: number}, nil
}

func (s *shelf) Conversation(_ context.Context, session string, _, _ int) (conversation.Summary, []conversation.Turn, error) {
	var like []string
	for _, id := range s.sessions {
		if strings.HasPrefix(id, session) {
			like = append(like, id)
		}
	}
	if len(like) != 1 {
		return conversation.Summary{}, nil, &conversation.SessionError{Asked: session, Nearest: append(like, s.sessions[0])[:max(1, len(like))], Several: len(like) > 1}
	}
	return conversation.Summary{Session: like[0]}, nil, nil
}

func two() *Many {
	done := conversation.Completeness{State: conversation.Complete}
	return &Many{Sources: []Source{
		&shelf{sessions: []string{"aa1", "aa2", "ab3"}, scores: []float64{9, 5, 1}, unknown: []string{"x", "y"}, state: done},
		&shelf{sessions: []string{"ac4", "b5"}, scores: []float64{7, 3}, unknown: []string{"y"}, state: done},
	}}
}

func TestManyMergeByScore(t *testing.T) {
	var got []string
	for skip := 0; skip < 6; skip += 2 {
		found, err := two().Search(t.Context(), conversation.Query{Text: "w", Limit: 2, Skip: skip})
		if err != nil || found.Matches != 5 || !slices.Equal(found.Unknown, []string{"y"}) || found.State.State != conversation.Complete {
			t.Errorf("%+v %v", found, err)
		}
		for _, h := range found.Hits {
			got = append(got, h.Session)
		}
	}
	if want := []string{"aa1", "ac4", "aa2", "b5", "ab3"}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if found, err := two().Search(t.Context(), conversation.Query{Text: "w", Session: "b5"}); err != nil || found.Matches != 2 {
		t.Errorf("of one archive's session: %+v %v", found, err)
	}
	listed, total, _, err := two().List(t.Context(), conversation.ListQuery{Limit: 2, Skip: 1})
	if err != nil || total != 5 || len(listed) != 2 || listed[0].Session != "ac4" || listed[1].Session != "aa2" {
		t.Errorf("%+v %d %v", listed, total, err)
	}
}

func TestManyFindTheHolder(t *testing.T) {
	for prefix, want := range map[string]string{
		"aa1": "<nil>", "b": "<nil>", "ac": "<nil>",
		"aa": `several sessions begin with "aa" [aa1 aa2 ac4]`,
		"a":  `several sessions begin with "a" [ac4 aa1 aa2 ab3]`,
		"z":  `unknown session "z" [aa1 ac4]`,
	} {
		_, _, err := two().Conversation(t.Context(), prefix, 0, 1)
		got := fmt.Sprint(err)
		if named, is := errors.AsType[*conversation.SessionError](err); is {
			got += fmt.Sprint(" ", named.Nearest)
		}
		if got != want {
			t.Errorf("%s: %s, want %s", prefix, got, want)
		}
	}
}

func TestManySayWhatIsMissing(t *testing.T) {
	indexing := func(share float64) conversation.Completeness {
		return conversation.Completeness{State: conversation.Indexing, Share: share}
	}
	partial := func(why string) conversation.Completeness {
		return conversation.Completeness{State: conversation.Partial, Why: why}
	}
	complete := conversation.Completeness{State: conversation.Complete}
	for _, test := range []struct{ a, b, want conversation.Completeness }{
		{complete, complete, complete},
		{complete, indexing(.5), indexing(.5)},
		{indexing(.5), indexing(.2), indexing(.2)},
		{partial("a"), complete, partial("a")},
		{partial("a"), partial("a"), partial("a")},
		{partial("a"), partial("b"), partial("a; b")},
		{indexing(.5), partial("a"), partial("50% of the transcripts of a project are read; a")},
		{partial("a"), indexing(.5), partial("50% of the transcripts of a project are read; a")},
	} {
		many := &Many{Sources: []Source{&shelf{state: test.a}, &shelf{state: test.b}}}
		if found, err := many.Search(t.Context(), conversation.Query{Text: "w"}); err != nil || found.State != test.want {
			t.Errorf("%v and %v: %v %v", test.a, test.b, found.State, err)
		}
	}
	many := &Many{Missing: "x.db is not used"}
	if _, _, state, _ := many.List(t.Context(), conversation.ListQuery{}); state != partial("x.db is not used") {
		t.Errorf("%v", state)
	}
}
