package browser

import (
	"context"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"tidepool/internal/conversation"
)

const (
	mostHits     = 50  // turns that are listed
	mostSessions = 200 // sessions that are listed
	mostSnippet  = 160 // characters
)

// An item is a line of the list: a turn that matches, or a session.
type item struct {
	session   string
	title     string
	detail    string // what is said there, or how long the session is
	dir       string
	at        time.Time
	turn      int
	resumable bool
	more      int // other turns of the session that match
}

// results are the outcome of a search.
type results struct {
	number   int
	query    string
	items    []item
	total    int    // that match, listed or not
	unit     string // what items are: "turn", "conversation"
	unknown  []string
	state    conversation.Completeness
	err      error
	selected item // keep this one selected, if it is there; zero: select the first
}

// opened is the message for an archive that has been opened.
type opened struct {
	scope   int
	archive Archive
	err     error
}

// again is the message to search once more, because the answer was not complete: transcripts are being read, or a store was
// being made.
type again struct{ search int }

// enter goes on with an archive.
func (m *model) enter(o opened) tea.Cmd {
	m.opening[o.scope] = false
	if o.err != nil {
		m.notice = failure(o.err)
		if o.scope == m.scope {
			m.results = results{err: o.err}
		}
		return nil
	}
	m.archives[o.scope] = o.archive
	if o.scope != m.scope {
		return nil
	}
	return tea.Batch(m.find(), func() tea.Msg {
		_, _ = o.archive.Search(m.ctx, conversation.Query{Text: "warm", Limit: 1}) // loads the index before the first key; the key's search reports errors
		return nil
	})
}

// open opens the archive of the scope, unless that is being done.
func (m *model) open() tea.Cmd {
	if m.opening[m.scope] {
		return nil
	}
	m.opening[m.scope] = true
	scope, open := m.scope, m.options.Scopes[m.scope].Open
	return func() tea.Msg {
		archive, err := open(m.ctx)
		return opened{scope, archive, err}
	}
}

// find searches for what is typed; for nothing it lists the latest conversations.
func (m *model) find() tea.Cmd {
	m.cancel()
	archive := m.archive()
	if archive == nil {
		return m.open()
	}
	ctx, cancel := context.WithCancel(m.ctx)
	m.cancel = cancel
	m.search++
	number, query := m.search, strings.TrimSpace(m.line.Value())
	var keep item
	if query == m.results.query {
		keep, _ = m.item()
	}
	return func() tea.Msg {
		r := found(ctx, archive, query)
		r.number, r.selected = number, keep
		return r
	}
}

// found returns turns, or for a query that none matches, which may be the beginning of a word, conversations by their titles.
func found(ctx context.Context, archive Archive, query string) results {
	r := results{query: query}
	if query != "" {
		f, err := archive.Search(ctx, conversation.Query{Text: query, Limit: mostHits, MaxSnippet: mostSnippet})
		r.unit, r.unknown, r.state, r.total, r.err = "turn", f.Unknown, f.State, f.Matches, err
		for _, h := range f.Hits {
			r.items = append(r.items, item{h.Session, h.Title, snippet(h.Snippet), h.Cwd, h.At, h.Turn, h.Resumable, h.More})
		}
		if err != nil || len(f.Hits) > 0 {
			return r
		}
	}
	all, total, state, err := archive.List(ctx, conversation.ListQuery{Text: query, Limit: mostSessions})
	r.unit, r.total, r.err = "conversation", total, err
	if r.state.State == "" || r.state.State == conversation.Complete {
		r.state = state // else more turns may match than the search has seen
	}
	for _, s := range all {
		r.items = append(r.items, item{session: s.Session, title: s.Title, detail: summaryLine(s), dir: s.Cwd, at: s.Last, resumable: s.Resumable})
	}
	return r
}

// show shows results, and the passage of the selected one.
func (m *model) show(r results) tea.Cmd {
	if r.number != m.search {
		return nil // typed over
	}
	if m.results.err != nil && r.err == nil {
		m.notice = ""
	}
	m.results, m.selected = r, 0
	for i, it := range r.items {
		if it.session == r.selected.session && it.turn == r.selected.turn {
			m.selected = i
		}
	}
	if r.err != nil {
		m.notice = failure(r.err)
	}
	look := tea.Cmd(nil)
	if it, is := m.item(); m.mode == typing && !(is && m.passage.shows(it, r)) {
		look = m.preview()
	}
	if r.err == nil && r.state.State == conversation.Complete {
		return look
	}
	number := m.search
	return tea.Batch(look, tea.Tick(time.Second, func(time.Time) tea.Msg { return again{number} }))
}

// refresh searches once more, unless something else has been typed.
func (m *model) refresh(a again) tea.Cmd {
	if a.search != m.search {
		return nil
	}
	return m.find()
}
