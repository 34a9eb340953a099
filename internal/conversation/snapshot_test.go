package conversation

import (
	"context"
	"fmt"
	"io"
	"testing"

	"tidepool/internal/conversation/store"
	"tidepool/internal/transcript/transcripttest"
)

// saved returns a store with a snapshot of its index.
func saved(t *testing.T) (*fixture, *store.Store, *index) {
	f := newFixture(t)
	for seed := range uint64(3) {
		file := transcripttest.Generate(seed, transcripttest.Options{Turns: 30, Cwd: f.project})
		f.write(file.Session, file.Data())
	}
	a := f.read()
	s, err := store.Open(t.Context(), f.options.StorePath(), "")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	x := newIndex()
	if ok, err := x.follow(t.Context(), s, a.checkout); err != nil || !ok {
		t.Fatal(ok, err)
	}
	if err := x.save(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	return f, s, x
}

// ranks returns what an index finds, with scores.
func ranks(x *index) (all []string) {
	for _, text := range []string{"the", "retry gateway", "function let other", "queue server"} {
		q := Query{Text: text, Limit: 50}
		q.bound()
		found, r := x.search(&q, nil)
		all = append(all, fmt.Sprint(text, found.Matches, found.Unknown))
		for _, p := range r.hits {
			all = append(all, fmt.Sprint(p.session.SID, p.doc.number, p.score))
		}
	}
	return all
}

func TestSnapshotGivesTheSameIndex(t *testing.T) {
	f, s, x := saved(t)
	loaded := newIndex()
	if err := loaded.load(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	if loaded.rev != x.rev || loaded.found != x.found || loaded.found == 0 {
		t.Errorf("revision %d, %d turns; want %d, %d", loaded.rev, loaded.found, x.rev, x.found)
	}
	f.say("aaaaaaaa-1", "u1", "", "the latest", "retry gateway")
	a := f.read() // which the snapshot lacks
	for _, y := range []*index{x, loaded} {
		if ok, err := y.follow(t.Context(), s, a.checkout); err != nil || !ok {
			t.Fatal(ok, err)
		}
	}
	if want, got := fmt.Sprint(ranks(x)), fmt.Sprint(ranks(loaded)); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// TestSnapshotThatLacksNothing: the sessions are not in it, and nothing has changed since.
func TestSnapshotThatLacksNothing(t *testing.T) {
	f, s, x := saved(t)
	a, _ := f.archive()
	loaded := newIndex()
	if err := loaded.load(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	if ok, err := loaded.follow(t.Context(), s, a.checkout); err != nil || !ok {
		t.Fatal(ok, err)
	}
	if want, got := fmt.Sprint(ranks(x)), fmt.Sprint(ranks(loaded)); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// TestCommandLeavesASnapshot to the next one, which would need as long as this one without it.
func TestCommandLeavesASnapshot(t *testing.T) {
	f := newFixture(t)
	file := transcripttest.Generate(1, transcripttest.Options{Turns: saveBehind + 1, Cwd: f.project})
	f.write(file.Session, file.Data())
	f.read()
	s, err := store.OpenReadOnly(t.Context(), f.options.StorePath())
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if behind, err := s.Behind(t.Context()); err != nil || behind != 0 {
		t.Errorf("the snapshot lacks %d turns: %v", behind, err)
	}
	if got := search(t, f.read(), Query{Text: "queue server"}); got.Matches == 0 {
		t.Errorf("%+v", got)
	}
}

// A snapshot that is torn anywhere is none.
func TestTornSnapshot(t *testing.T) {
	_, s, _ := saved(t)
	var whole []byte
	var rev int64
	_, err := s.Segment(t.Context(), func(r int64, from io.Reader) error {
		rev = r
		var err error
		whole, err = io.ReadAll(from)
		return err
	})
	if err != nil || len(whole) == 0 {
		t.Fatal(len(whole), err)
	}
	torn := map[string][]byte{"empty": nil}
	for _, at := range []int{0, 4, 9, 100, len(whole) / 2, len(whole) - 1} {
		torn[fmt.Sprint("cut at ", at)] = whole[:at]
		changed := append([]byte(nil), whole...)
		changed[at] ^= 0x40
		torn[fmt.Sprint("changed at ", at)] = changed
	}
	for name, data := range torn {
		err := s.PutSegment(context.Background(), rev, func(w io.Writer) error { _, err := w.Write(data); return err })
		if err != nil {
			t.Fatal(err)
		}
		x := newIndex()
		if err := x.load(t.Context(), s); err != nil || x.rev != 0 || x.found != 0 {
			t.Errorf("%s: revision %d, %d turns, %v", name, x.rev, x.found, err)
		}
	}
}
