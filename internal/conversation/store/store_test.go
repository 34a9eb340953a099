package store

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"tidepool/internal/transcript"
)

func newStore(t testing.TB) *Store {
	t.Helper()
	s, err := Open(context.Background(), filepath.Join(t.TempDir(), "c", "store.db"), "/src/shop")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// put stores turns of a session, which it makes with its file if need be.
func put(tx *Tx, sid string, turns ...Turn) error {
	f, err := tx.File("/t/" + sid)
	if err != nil {
		return err
	}
	f.Path, f.Source, f.State = "/t/"+sid, "claude", Live
	if err := tx.PutFile(&f); err != nil {
		return err
	}
	s, err := tx.OfFile(f.ID)
	if err != nil {
		return err
	}
	if s.ID == 0 {
		s.SID = sid
	}
	s.File, s.Source, s.Live = f.ID, "claude", true
	if err := tx.PutSession(&s); err != nil {
		return err
	}
	for _, turn := range turns {
		turn.Session = s.ID
		if err := tx.PutTurn(&turn); err != nil {
			return err
		}
	}
	return nil
}

func update(t testing.TB, s *Store, do func(*Tx) error) {
	t.Helper()
	if err := s.Update(context.Background(), do); err != nil {
		t.Fatal(err)
	}
}

func uuid(n int) string { return fmt.Sprintf("00000000-0000-4000-8000-%012d", n) }

// A found is what an index would hold after all changes since a revision.
type index map[uint32]string

func (x index) follow(t testing.TB, s *Store, since int64) int64 {
	t.Helper()
	ok, err := s.Changes(context.Background(), since, func(c Change) error {
		if since = max(since, c.Rev); c.Found {
			x[c.ID] = fmt.Sprint(c.Session, c.Number, c.Body)
		} else {
			delete(x, c.ID)
		}
		return nil
	})
	if err != nil || !ok {
		t.Fatal("the changes are not known", err)
	}
	return since
}

// Copies: whatever is stored in whatever order, every session reads as it was given, every text is found, and none twice.
func TestCopiesAreFoundOnce(t *testing.T) {
	few(t)
	rapid.Check(t, func(r *rapid.T) {
		dir, err := os.MkdirTemp("", "store")
		if err != nil {
			t.Fatal(err)
		}
		defer os.RemoveAll(dir)
		ctx := context.Background()
		open := func(name string) *Store {
			s, err := Open(ctx, filepath.Join(dir, "c", name), "")
			if err != nil {
				t.Fatal(err)
			}
			return s
		}
		s := open("a")
		defer s.Close()
		model := map[string][]Turn{}
		followed, rev := index{}, int64(0)
		r.Repeat(map[string]func(*rapid.T){
			"put": func(r *rapid.T) {
				sid := rapid.SampledFrom([]string{"aaa", "bbb", "ccc"}).Draw(r, "session")
				turn := Turn{
					Number: rapid.IntRange(0, len(model[sid])).Draw(r, "number"), Copied: rapid.Bool().Draw(r, "copied"),
					UUID: rapid.SampledFrom([]string{"", uuid(1), uuid(2), "odd"}).Draw(r, "uuid"),
					Body: Body{User: rapid.SampledFrom([]string{"p", "q"}).Draw(r, "user"), Answer: rapid.SampledFrom([]string{"", "a", "ab", "ac"}).Draw(r, "answer")},
				}
				if model[sid] = append(model[sid][:turn.Number:turn.Number], append([]Turn{turn}, model[sid][min(turn.Number+1, len(model[sid])):]...)...); true {
					update(t, s, func(tx *Tx) error { return put(tx, sid, turn) })
				}
			},
			"trim": func(r *rapid.T) {
				sid := rapid.SampledFrom([]string{"aaa", "bbb", "ccc"}).Draw(r, "session")
				from := rapid.IntRange(0, len(model[sid])).Draw(r, "from")
				model[sid] = model[sid][:from:from]
				update(t, s, func(tx *Tx) error {
					if err := put(tx, sid); err != nil {
						return err
					}
					session, err := s.WithPrefix(ctx, sid, 1)
					if err != nil || len(session) == 0 {
						return err
					}
					_, err = tx.Trim(session[0].ID, from)
					return err
				})
			},
			"follow": func(*rapid.T) { rev = followed.follow(t, s, rev) },
			"": func(r *rapid.T) {
				found := index{}
				found.follow(t, s, 0)
				checkModel(r, s, model, found)
			},
		})
		followed.follow(t, s, rev)
		whole := index{}
		whole.follow(t, s, 0)
		if diff := cmp.Diff(whole, followed); diff != "" {
			r.Errorf("following the changes gives another index (-whole +followed):\n%s", diff)
		}
		other := open("b")
		defer other.Close()
		for _, sid := range []string{"ccc", "bbb", "aaa"} {
			update(t, other, func(tx *Tx) error { return put(tx, sid, model[sid]...) })
		}
		if diff := cmp.Diff(foundPlaces(t, s), foundPlaces(t, other)); diff != "" {
			r.Errorf("another order finds others (-this +other):\n%s", diff)
		}
	})
}

// checkModel compares the sessions with what was put, and checks that what is found covers everything once.
func checkModel(r *rapid.T, s *Store, model map[string][]Turn, found index) {
	ctx := context.Background()
	covering := map[string][]Body{}
	all := map[string][]Body{}
	for sid, want := range model {
		sessions, err := s.WithPrefix(ctx, sid, 2)
		if err != nil || len(sessions) > 1 {
			r.Fatalf("%d sessions: %v", len(sessions), err)
		}
		var got []Turn
		if len(sessions) == 1 {
			if got, err = s.Turns(ctx, sessions[0].ID, 0, 100); err != nil {
				r.Fatal(err)
			}
			if sessions[0].Turns != len(want) {
				r.Errorf("%s has %d turns, %d are counted", sid, len(want), sessions[0].Turns)
			}
		}
		if len(got) != len(want) {
			r.Fatalf("%s has %d turns, want %d", sid, len(got), len(want))
		}
		for i := range want {
			if !got[i].Body.equals(&want[i].Body) || got[i].Copied != want[i].Copied {
				r.Errorf("%s turn %d is %+v, want %+v", sid, i, got[i], want[i])
			}
			id := want[i].UUID
			if id == "" {
				id = fmt.Sprint(sid, i)
			}
			all[id] = append(all[id], got[i].Body)
			if _, ok := found[got[i].ID]; ok {
				covering[id] = append(covering[id], got[i].Body)
			}
		}
	}
	for id, bodies := range all {
		for _, b := range bodies {
			if !slices.ContainsFunc(covering[id], func(c Body) bool { return c.covers(&b) }) {
				r.Errorf("no turn that is found has the text of %s: %+v", id, b)
			}
		}
		for i, a := range covering[id] {
			for j, b := range covering[id] {
				if i != j && a.covers(&b) {
					r.Errorf("%s is found twice: %+v, %+v", id, a, b)
				}
			}
		}
	}
}

// foundPlaces returns the sessions and numbers of what is found.
func foundPlaces(t *testing.T, s *Store) (places []string) {
	t.Helper()
	sessions, err := s.Sessions(t.Context(), 0)
	if err != nil {
		t.Fatal(err)
	}
	sids := map[int64]string{}
	for _, one := range sessions {
		sids[one.ID] = one.SID
	}
	_, err = s.Changes(t.Context(), 0, func(c Change) error {
		if c.Found {
			places = append(places, fmt.Sprint(sids[c.Session], " ", c.Number))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(places)
	return places
}

func TestUnchangedTurnIsNotChanged(t *testing.T) {
	s := newStore(t)
	turn := Turn{UUID: uuid(1), At: time.Now(), Body: Body{User: "p", Answer: "a", Tools: []transcript.Tool{{Name: "Bash", Command: "ls"}}}}
	update(t, s, func(tx *Tx) error { return put(tx, "aaa", turn) })
	before, _ := s.Revision(t.Context())
	update(t, s, func(tx *Tx) error { return put(tx, "aaa", turn) })
	if after, _ := s.Revision(t.Context()); after != before {
		t.Errorf("revision %d became %d", before, after)
	}
	turn.Answer = "ab"
	update(t, s, func(tx *Tx) error { return put(tx, "aaa", turn) })
	if after, _ := s.Revision(t.Context()); after != before+1 {
		t.Errorf("revision %d became %d", before, after)
	}
}

func TestForget(t *testing.T) {
	s := newStore(t)
	long := strings.Repeat("xyzzy is what nobody may read. ", 300)
	update(t, s, func(tx *Tx) error {
		if err := put(tx, "aaa", Turn{UUID: uuid(1), Body: Body{User: "xyzzy-a", Answer: long}}, Turn{Number: 1, UUID: uuid(2), Body: Body{User: "xyzzy-b"}}); err != nil {
			return err
		}
		return put(tx, "fork", Turn{UUID: uuid(1), Copied: true, Body: Body{User: "xyzzy-a", Answer: long}}, Turn{Number: 1, UUID: uuid(3), Body: Body{User: "stays"}})
	})
	if err := s.PutSegment(t.Context(), 1, func(w io.Writer) error { _, err := io.WriteString(w, long); return err }); err != nil {
		t.Fatal(err)
	}
	session, err := s.WithPrefix(t.Context(), "aa", 2)
	if err != nil || len(session) != 1 {
		t.Fatal(session, err)
	}
	removed, err := s.Forget(t.Context(), session[0], time.Now())
	if err != nil || removed != 2 {
		t.Fatal(removed, err)
	}
	for _, suffix := range []string{"", "-wal"} {
		if data, _ := os.ReadFile(s.Path() + suffix); bytes.Contains(data, []byte("xyzzy")) {
			t.Errorf("the text is still in the file %q", suffix)
		}
	}
	fork, _ := s.WithPrefix(t.Context(), "fork", 1)
	turns, err := s.Turns(t.Context(), fork[0].ID, 0, 10)
	if err != nil || len(turns) != 2 || !turns[0].Forgotten || turns[0].User != "" || turns[1].User != "stays" {
		t.Errorf("the fork is %+v, %v", turns, err)
	}
	update(t, s, func(tx *Tx) error {
		if is, err := tx.IsForgotten("aaa"); !is || err != nil {
			t.Errorf("not forgotten: %v", err)
		}
		return put(tx, "later", Turn{UUID: uuid(2), Copied: true, Body: Body{User: "xyzzy-b"}})
	})
	later, _ := s.WithPrefix(t.Context(), "later", 1)
	if turns, _ := s.Turns(t.Context(), later[0].ID, 0, 10); len(turns) != 1 || turns[0].User != "" {
		t.Errorf("a later copy is stored: %+v", turns)
	}
	if ok, err := s.Segment(t.Context(), func(int64, io.Reader) error { return nil }); ok || err != nil {
		t.Errorf("the snapshot is still there: %v", err)
	}
}

func TestSegment(t *testing.T) {
	s := newStore(t)
	want := bytes.Repeat([]byte("0123456789abcdef"), 50_000)
	for _, data := range [][]byte{want, want[:10], nil, want[:pieceSize]} {
		err := s.PutSegment(t.Context(), 7, func(w io.Writer) error { _, err := w.Write(data); return err })
		if err != nil {
			t.Fatal(err)
		}
		ok, err := s.Segment(t.Context(), func(rev int64, r io.Reader) error {
			got, err := io.ReadAll(r)
			if rev != 7 || !bytes.Equal(got, data) {
				t.Errorf("revision %d, %d bytes, want %d", rev, len(got), len(data))
			}
			return err
		})
		if !ok || err != nil {
			t.Error(ok, err)
		}
	}
}

func TestPathsOfFiles(t *testing.T) {
	s := newStore(t)
	update(t, s, func(tx *Tx) error { return put(tx, "aaa", Turn{Body: Body{User: "p"}}) })
	update(t, s, func(tx *Tx) error { // another file was moved to the path of the first
		f := File{Path: "/t/aaa", Source: "claude", State: Live}
		if err := tx.PutFile(&f); err != nil {
			return err
		}
		session := Session{SID: "aaa", File: f.ID, Live: true}
		return tx.PutSession(&session)
	})
	sessions, err := s.Sessions(t.Context(), 0)
	if err != nil || len(sessions) != 2 {
		t.Fatal(sessions, err)
	}
	for _, one := range sessions {
		if one.SID == "aaa" && one.Live || one.SID == "aaa.2" && !one.Live {
			t.Errorf("%s: live %v", one.SID, one.Live)
		}
	}
	if c, err := s.Counts(t.Context()); err != nil || c.Sessions != 2 || c.Turns != 1 || c.Live != 1 || c.Gone != 1 || c.Bytes == 0 {
		t.Errorf("%+v, %v", c, err)
	}
}

func TestBody(t *testing.T) {
	e, err := newCodec()
	if err != nil {
		t.Fatal(err)
	}
	rapid.Check(t, func(r *rapid.T) {
		text := rapid.StringMatching(`[a-z ]{0,40}`)
		b := Body{
			User: strings.Repeat(text.Draw(r, "user"), rapid.IntRange(0, 100).Draw(r, "n")), Answer: text.Draw(r, "answer"), Cut: rapid.IntRange(0, 1<<40).Draw(r, "cut"),
			Tools: rapid.SliceOfN(rapid.Custom(func(r *rapid.T) transcript.Tool {
				return transcript.Tool{Name: text.Draw(r, "name"), File: text.Draw(r, "file"), Chars: rapid.Int().Draw(r, "chars")}
			}), 0, 3).Draw(r, "tools"),
		}
		data, err := e.encode(&b)
		if err != nil {
			r.Fatal(err)
		}
		got, err := e.decode(bytes.Clone(data))
		if err != nil || !got.equals(&b) {
			r.Fatalf("%+v became %+v: %v", b, got, err)
		}
		if len(data) > 1 {
			e.decode(data[:rapid.IntRange(0, len(data)-1).Draw(r, "torn")]) // which may fail, and must not panic
		}
	})
}

// few has properties checked 25 times: each check opens databases.
func few(t *testing.T) {
	checks := flag.Lookup("rapid.checks")
	if checks.Value.String() != checks.DefValue {
		return // somebody has asked for so many
	}
	if err := checks.Value.Set("25"); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { checks.Value.Set(checks.DefValue) })
}
