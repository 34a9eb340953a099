package conversation

import (
	"context"
	"slices"
	"strings"
	"sync"

	"tidepool/internal/conversation/store"
	"tidepool/internal/fulltext"
)

// An index finds turns in memory: their words, and what queries filter by. Many goroutines search it. Changes come from follow alone, one
// at a time.
type index struct {
	following sync.Mutex // held for the whole of follow, before mu
	rev       int64      // what follow has seen; guarded by following
	sessions  int64      // the same of sessions
	unsaved   int        // turns that the last snapshot does not have; guarded by following

	mu    sync.RWMutex
	words *fulltext.Index // replaced by load and clear only
	docs  []doc           // by number of the document; those that are not found have no session
	of    map[int64]*session
	sids  []named // the ids of all sessions, in order
	last  int64   // the highest number of a session
	found int     // docs with a session

	main fulltext.Set // the docs of sessions with people, not of subagents: a query looks at these unless it says otherwise
}

// A doc is what queries filter by. There may be 200,000, so it has 24 bytes and no pointer.
type doc struct {
	session int64
	at      int64 // milliseconds; 0: unknown
	number  int32
	flags   uint8
}

const docAbandoned = 1

// A session is what is known of one in memory.
type session struct {
	store.Session
	project  string // name of the checkout
	checkout string // its path, in lower case
}

// A named is a session by its id.
type named struct {
	sid string
	id  int64
}

func newIndex() *index {
	return &index{words: fulltext.New(Weights()), of: map[int64]*session{}, main: fulltext.Set{}}
}

// follow brings the index up to date with the store. ok is false if the index cannot be continued, because something was forgotten, or
// too much has been removed since. The caller then makes a new one.
func (x *index) follow(ctx context.Context, s *store.Store, project func(cwd string) string) (ok bool, err error) {
	x.following.Lock()
	defer x.following.Unlock()
	rev, err := s.Revision(ctx)
	if err != nil || rev == x.rev && rev == x.sessions { // a snapshot has the turns only
		return true, err
	}
	if forgot, err := s.Forgot(ctx); err != nil || x.rev > 0 && forgot > x.rev {
		return false, err
	}
	if err := x.followSessions(ctx, s, rev, project); err != nil {
		return false, err
	}
	ok, err = s.Changes(ctx, x.rev, func(c store.Change) error {
		x.apply(&c)
		return ctx.Err()
	})
	if ok && err == nil {
		// A transaction that came meanwhile is seen again the next time, as one without changes.
		x.rev = rev
	}
	return ok, err
}

// followSessions reads the sessions that have changed.
func (x *index) followSessions(ctx context.Context, s *store.Store, rev int64, project func(cwd string) string) error {
	changed, err := s.Sessions(ctx, x.sessions)
	if err != nil {
		return err
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	added := false // a session is new
	moved := false // a session that has docs has changed between a person's and a subagent's, or is new
	for _, one := range changed {
		checkout := project(one.Cwd)
		x.last = max(x.last, one.ID)
		old := x.of[one.ID]
		if old == nil {
			added, x.sids = true, append(x.sids, named{one.SID, one.ID})
		}
		moved = moved || x.found > 0 && (old == nil || old.Sidechain != one.Sidechain)
		x.of[one.ID] = &session{one, nameOf(checkout), lower(checkout)}
	}
	x.sessions = rev
	if added {
		slices.SortFunc(x.sids, func(a, b named) int { return strings.Compare(a.sid, b.sid) })
	}
	if moved {
		for id := range x.docs {
			x.main = x.main.With(uint32(id), x.isMain(&x.docs[id]))
		}
	}
	return nil
}

// isMain reports whether a doc is of a session that is no subagent's. mu is held.
func (x *index) isMain(d *doc) bool {
	s := x.of[d.session]
	return s != nil && !s.Sidechain
}

// apply puts one changed turn into the index.
func (x *index) apply(c *store.Change) {
	x.unsaved++
	if !c.Found {
		x.words.Delete(c.ID)
		x.set(c.ID, doc{})
		return
	}
	d := doc{session: c.Session, number: int32(c.Number)}
	if !c.At.IsZero() {
		d.at = c.At.UnixMilli()
	}
	if c.Abandoned {
		d.flags |= docAbandoned
	}
	x.set(c.ID, d) // before the words: a search asks about every document that it meets
	x.words.Put(c.ID, fieldsOf(&c.Body))
}

func (x *index) set(id uint32, d doc) {
	x.mu.Lock()
	defer x.mu.Unlock()
	for uint32(len(x.docs)) <= id {
		x.docs = append(x.docs, doc{})
	}
	if x.docs[id].session != 0 {
		x.found--
	}
	if d.session != 0 {
		x.found++
	}
	x.docs[id] = d
	x.main = x.main.With(id, x.isMain(&d))
}

// doc returns what is known of a document. mu is held.
func (x *index) doc(id uint32) (d *doc, s *session, ok bool) {
	if int(id) >= len(x.docs) || x.docs[id].session == 0 {
		return nil, nil, false
	}
	d = &x.docs[id]
	s, ok = x.of[d.session]
	return d, s, ok
}

// bytes returns about how much memory the index takes.
func (x *index) bytes() int {
	x.mu.RLock()
	defer x.mu.RUnlock()
	const perDoc, perSession = 24, 600
	return x.words.Bytes() + perDoc*cap(x.docs) + perSession*len(x.of)
}
