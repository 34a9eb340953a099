package conversation

import (
	"slices"
	"strings"
	"time"

	"tidepool/internal/fulltext"
)

// A filter decides which turns a query looks at, before they are ranked. The index is locked while it is used.
type filter struct {
	index    *index
	query    *Query
	text     string // the words, without an id
	session  int64  // the only one; 0: all that match
	fields   []fulltext.Field
	verdicts []verdict // of sessions, by number: there are far fewer than turns
	except   int64     // the session that is being asked from, once its verdict is known
	project  string
	since    int64 // milliseconds
	until    int64 // 0: no bound
}

// A verdict is whether the turns of a session are looked at.
type verdict uint8

const (
	unknown verdict = iota
	in
	out
)

// filter returns the filter of a query. mu is held.
func (x *index) filter(q *Query) *filter {
	f := &filter{index: x, query: q, text: q.Text, verdicts: make([]verdict, x.last+1), project: lower(q.Project)}
	f.since, f.until = bound(q.Since), bound(q.Until)
	switch q.Role {
	case RoleUser:
		f.fields = []fulltext.Field{fieldPrompt}
	case RoleClaude:
		f.fields = []fulltext.Field{fieldProse, fieldCode, fieldTools}
	}
	if q.Session != "" {
		f.session = x.withID(q.Session)
		return f
	}
	words := strings.Fields(q.Text)
	for i, word := range words[:min(len(words), mostPrefixed)] {
		if id := x.withPrefix(word); id != 0 {
			f.session = id
			f.text = strings.Join(append(words[:i:i], words[i+1:]...), " ")
			break
		}
	}
	return f
}

// bound returns the milliseconds of a bound. The zero of a bound is none, so 1970 is a millisecond later.
func bound(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	if ms := t.UnixMilli(); ms != 0 {
		return ms
	}
	return 1
}

// withID returns the session with an id, 0 if there is none.
func (x *index) withID(sid string) int64 {
	for _, s := range x.withBeginning(sid) {
		if s.sid == sid {
			return s.id
		}
	}
	return 0
}

// withPrefix returns the one session whose id begins with a word of a query, 0 if there is none or several.
func (x *index) withPrefix(word string) int64 {
	if len(word) < minPrefix {
		return 0
	}
	found := x.withBeginning(word)
	if len(found) == 1 || len(found) > 1 && found[0].sid == word {
		return found[0].id
	}
	return 0
}

// withBeginning returns the sessions whose ids begin with some text, in order.
func (x *index) withBeginning(text string) []named {
	start, _ := slices.BinarySearchFunc(x.sids, text, func(s named, text string) int { return strings.Compare(s.sid, text) })
	end := start
	for end < len(x.sids) && strings.HasPrefix(x.sids[end].sid, text) {
		end++
	}
	return x.sids[start:end]
}

// in says which turns are looked at: those of a set, and of them those for which a function returns true. nil is all.
func (f *filter) in() (fulltext.Set, func(id uint32) bool) {
	q := f.query
	if f.session != 0 || f.since != 0 || f.until != 0 || f.project != "" || q.Branch != "" || q.Subagents {
		return nil, f.keep
	}
	if q.Except.Session == "" {
		return f.index.main, nil
	}
	some := slices.Clone(f.index.main)
	session := f.index.withID(q.Except.Session)
	for id := range f.index.docs {
		if d := &f.index.docs[id]; d.session == session && session != 0 && f.excepted(d, f.index.of[session]) {
			some = some.With(uint32(id), false)
		}
	}
	return some, nil
}

// keep reports whether a turn is looked at. It is asked of each turn that has one of the words.
func (f *filter) keep(id uint32) bool {
	if int(id) >= len(f.index.docs) {
		return false
	}
	d := &f.index.docs[id]
	if f.since != 0 && d.at < f.since || f.until != 0 && (d.at == 0 || d.at >= f.until) || d.session > f.index.last {
		return false
	}
	v := f.verdicts[d.session]
	if v == unknown {
		v = f.verdict(d.session)
		f.verdicts[d.session] = v
	}
	return v == in && (d.session != f.except || !f.excepted(d, f.index.of[d.session]))
}

func (f *filter) verdict(id int64) verdict {
	s := f.index.of[id]
	if s == nil || !f.keepSession(id, s) { // a document that is none has no session
		return out
	}
	if s.SID == f.query.Except.Session {
		f.except = id
	}
	return in
}

func (f *filter) keepSession(id int64, s *session) bool {
	if f.session != 0 {
		return id == f.session // of a subagent, too: it was named
	}
	q := f.query
	return (q.Subagents || !s.Sidechain) && (q.Branch == "" || s.Branch == q.Branch) && strings.Contains(s.checkout, f.project)
}

// excepted reports whether a turn is the one that is being asked from.
func (f *filter) excepted(d *doc, s *session) bool {
	except := f.query.Except
	if except.Turn == CurrentTurn {
		return int(d.number) == s.Turns-1
	}
	return int(d.number) == except.Turn
}
