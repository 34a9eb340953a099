package conversation

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"tidepool/internal/sqlite"
	"tidepool/internal/transcript/transcripttest"
	"tidepool/internal/wording"
)

// A transcript of several pieces is read to its end at once, also when it was rewritten.
func TestLargeTranscript(t *testing.T) {
	f := newFixture(t)
	for seed := range uint64(2) {
		file := transcripttest.Generate(seed, transcripttest.Options{Turns: 2500, Cwd: f.project, Session: "s"})
		if len(file.Data()) < 2*pieceSize {
			t.Fatalf("%d bytes", len(file.Data()))
		}
		f.write("s", file.Data())
		_, turns, err := f.read().Conversation(t.Context(), "s", len(file.Want)-1, 1)
		if err != nil || len(turns) != 1 || turns[0].Answer != file.Want[len(file.Want)-1].Answer {
			t.Errorf("the last turn of %d: %+v, %v", len(file.Want), turns, err)
		}
	}
}

// Turns between damaged lines are found, and the damaged lines are counted.
func TestDamagedLines(t *testing.T) {
	f := newFixture(t)
	damaged := []string{
		strings.Repeat("\x00", 70_000), `{"type":"user","message":{"role":"user","cont`, "\xff\xfe", "[]", "null", `"type":"user"`, "}{", strings.Repeat("[", 100_000),
	}
	for i, line := range damaged {
		f.write("s", append([]byte(f.turn("s", "u0", "", "before the zebra", "an answer\x00\xff")), line+"\n"+f.turn("s", "u1", "u0", "behind the giraffe", "another")...))
		a := f.read()
		if got := places(search(t, a, Query{Text: "zebra giraffe"})); len(got) != 2 {
			t.Errorf("line %d: found %v", i, got)
		}
		status, err := a.Status(t.Context())
		if err != nil || status.Unreadable+status.Skipped == 0 {
			t.Errorf("line %d: %+v, %v", i, status, err)
		}
	}
}

// A store of a newer program is left as it is, and whoever asks is told which program is needed.
func TestStoreOfANewerProgram(t *testing.T) {
	f := newFixture(t)
	f.say("s", "u0", "", "zebra", "yes")
	if err := f.read().Close(); err != nil {
		t.Fatal(err)
	}
	db, err := sql.Open("sqlite", f.options.StorePath())
	if err == nil {
		_, err = db.Exec("PRAGMA user_version = 99")
	}
	if err := errors.Join(err, db.Close()); err != nil {
		t.Fatal(err)
	}
	before, err := os.ReadFile(f.options.StorePath())
	if err != nil {
		t.Fatal(err)
	}
	a, k := f.archive()
	var newer *sqlite.NewerError
	if err := k.CatchUp(t.Context()); !errors.As(err, &newer) || wording.HintOf(err) == "" {
		t.Errorf("read: %v", err)
	}
	if err := k.Run(t.Context()); !errors.As(err, &newer) {
		t.Errorf("keep: %v", err)
	}
	found, err := a.Search(t.Context(), Query{Text: "zebra"})
	if !errors.As(err, &newer) || found.State.State != Partial || !strings.Contains(found.State.Why, "99") {
		t.Errorf("search: %+v, %v", found.State, err)
	}
	after, err := os.ReadFile(f.options.StorePath())
	if err != nil || string(after) != string(before) {
		t.Errorf("the store was changed, %v", err)
	}
}

// Records of the future count as of the time when their file was changed, and that as now if it is of the future, too.
func TestClockAYearAhead(t *testing.T) {
	f := newFixture(t)
	now := time.Date(2025, 3, 2, 9, 0, 0, 0, time.UTC) // a year before the records
	f.options.Now = func() time.Time { return now }
	changed := map[string]time.Time{"old": now.Add(-48 * time.Hour), "new": now.Add(-time.Hour), "ahead": now.Add(365 * 24 * time.Hour)}
	for session, at := range changed {
		f.say(session, session+"-u0", "", "zebra", "yes")
		if err := os.Chtimes(f.path(session), at, at); err != nil {
			t.Fatal(err)
		}
	}
	a := f.read()
	got := map[string]time.Time{}
	for _, hit := range search(t, a, Query{Text: "zebra"}).Hits {
		got[hit.Session] = hit.At
	}
	changed["ahead"] = now
	if diff := cmp.Diff(changed, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if got := places(search(t, a, Query{Text: "zebra", Since: now.Add(-2 * time.Hour)})); len(got) != 2 {
		t.Errorf("since two hours: %v", got)
	}
	for session := range changed {
		if err := os.Remove(f.path(session)); err != nil {
			t.Fatal(err)
		}
	}
	f.options.Keep = 24 * time.Hour
	if got := places(search(t, f.read(), Query{Text: "zebra"})); len(got) != 2 {
		t.Errorf("kept for a day: %v", got)
	}
}

// An answer that lacks a transcript which may not be read says so, in this process as in others.
func TestRefusedTranscriptIsSaid(t *testing.T) {
	f := newFixture(t)
	f.slug = strings.NewReplacer("/", "-", ".", "-", "_", "-").Replace(f.project) // what stands elsewhere may be of other projects
	f.say("s", "u0", "", "zebra", "yes")
	if err := os.Symlink(f.path("s"), f.path("link")); err != nil {
		t.Fatal(err)
	}
	ask := func(a *Archive) Completeness {
		t.Helper()
		found, err := a.Search(t.Context(), Query{Text: "zebra"})
		if err != nil || len(found.Hits) != 1 {
			t.Errorf("%+v, %v", found, err)
		}
		return found.State
	}
	other, err := New(f.options)
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	want := Completeness{State: Partial, Why: f.path("link") + " is not read: it is a link"}
	for _, a := range []*Archive{f.read(), other} {
		if got := ask(a); got != want {
			t.Errorf("got %+v", got)
		}
	}
	if err := os.Remove(f.path("link")); err != nil {
		t.Fatal(err)
	}
	// One that was read before.
	if err := errors.Join(os.Rename(f.path("s"), f.path("t")), os.Symlink(f.path("t"), f.path("s"))); err != nil {
		t.Fatal(err)
	}
	want.Why = f.path("s") + " is not read: a link, or no directory, is on the way to it"
	for _, a := range []*Archive{f.read(), other} {
		if got := ask(a); got != want {
			t.Errorf("got %+v", got)
		}
	}
	if err := os.Remove(f.path("s")); err != nil {
		t.Fatal(err)
	}
	for _, a := range []*Archive{f.read(), other} {
		if got := ask(a); got.State != Complete {
			t.Errorf("got %+v", got)
		}
	}
}

// 10,000 sessions are read and listed; the second time none of them is read again. The race detector watches 2,500.
func TestTenThousandSessions(t *testing.T) {
	f := newFixture(t)
	sessions := 10_000
	if raceDetector {
		sessions = 2_500
	}
	for i := range sessions {
		f.write(fmt.Sprintf("%05d-session", i), []byte(f.turn("s"+strconv.Itoa(i), "u"+strconv.Itoa(i), "", "zebra number "+strconv.Itoa(i), "yes")))
	}
	a := f.read()
	listed, total, state, err := a.List(t.Context(), ListQuery{Limit: 20, Skip: sessions - 10})
	if err != nil || total != sessions || len(listed) != 10 || state.State != Complete {
		t.Errorf("%d of %d, %+v, %v", len(listed), total, state, err)
	}
	if got := places(search(t, a, Query{Text: "zebra 2345"})); len(got) == 0 || got[0] != "02345-session 0" {
		t.Errorf("found %v", got)
	}
	b, k := f.archive()
	if err := k.CatchUp(t.Context()); err != nil {
		t.Fatal(err)
	}
	if read := k.total.Load(); read != 0 {
		t.Errorf("%d bytes are read again", read)
	}
	search(t, b, Query{Text: "zebra"})
}

// Files that grow, shrink, vanish, come back, are renamed and replaced while they are read end in the store of one reading.
func TestFilesChangeWhileTheyAreRead(t *testing.T) {
	f := newFixture(t)
	if err := os.MkdirAll(filepath.Dir(f.path("x")), 0o700); err != nil {
		t.Fatal(err)
	}
	_, k := f.archive()
	ctx, cancel := context.WithCancel(t.Context())
	var running sync.WaitGroup
	running.Go(func() {
		for ctx.Err() == nil {
			if err := k.CatchUp(ctx); err != nil && ctx.Err() == nil {
				t.Error(err)
			}
		}
	})
	var changing sync.WaitGroup
	last := make([][]byte, 4)
	for i := range last {
		changing.Go(func() { last[i] = f.change(fmt.Sprintf("%08d-session", i), uint64(i)) })
	}
	changing.Wait()
	cancel()
	running.Wait()
	for i, data := range last {
		f.write(fmt.Sprintf("%08d-session", i), data)
	}
	if err := k.CatchUp(t.Context()); err != nil {
		t.Fatal(err)
	}
	got := dump(t, f.options.StorePath())
	f.options.Dir += "-anew"
	f.read()
	if diff := cmp.Diff(dump(t, f.options.StorePath()), got); diff != "" {
		t.Errorf("(-read anew +followed):\n%.3000s", diff)
	}
}

// change does what may happen to a transcript, many times, and returns what the file is to be at last.
func (f *fixture) change(session string, seed uint64) []byte {
	random := rand.New(rand.NewPCG(seed, 0))
	data := transcripttest.Generate(seed, transcripttest.Options{Turns: 60, Cwd: f.project, Shapes: true, Session: session}).Data()
	path := f.path(session)
	must := func(err error) {
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			f.t.Error(err)
		}
	}
	for range 150 {
		size := random.IntN(len(data))
		switch random.IntN(6) {
		case 0:
			must(os.WriteFile(path, data[:size], 0o600))
		case 1:
			must(os.Truncate(path, int64(size)))
		case 2:
			must(os.Remove(path))
		case 3:
			must(os.Rename(path, path+".away"))
			must(os.Rename(path+".away", path))
		case 4:
			must(os.WriteFile(path+".tmp", data[:size], 0o600))
			must(os.Rename(path+".tmp", path))
		case 5:
			seed++
			data = transcripttest.Generate(seed, transcripttest.Options{Turns: 60, Cwd: f.project, Shapes: true, Session: session}).Data()
			must(os.WriteFile(path, data, 0o600))
		}
	}
	return data
}
