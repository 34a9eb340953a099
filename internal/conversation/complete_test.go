package conversation

import (
	"context"
	"fmt"
	"testing"
)

// running runs a keeper until the test ends.
func running(t testing.TB, k *Keeper) {
	t.Helper()
	ctx, end := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- k.Run(ctx) }()
	t.Cleanup(func() {
		end()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
}

// TestCompleteMeansAll asks while transcripts are read for the first time. Every answer that claims to be complete has all turns
// that match, however the reading and the question meet.
func TestCompleteMeansAll(t *testing.T) {
	const sessions = 5
	for range 30 {
		f := newFixture(t)
		for n := range sessions {
			f.say(fmt.Sprintf("aaaaaaa%d-1", n), fmt.Sprint("u", n), "", "where is the pelican", "in zoo.go")
		}
		a, k := f.archive()
		running(t, k)
		for state := ""; state != Complete; {
			found, err := a.Search(t.Context(), Query{Text: "pelican"})
			if err != nil {
				t.Fatal(err)
			}
			if state = found.State.State; state == Complete && found.Matches != sessions {
				t.Fatalf("%d of %d turns match, and the answer claims to be complete", found.Matches, sessions)
			}
		}
		listed, total, state, err := a.List(t.Context(), ListQuery{})
		if err != nil || total != sessions || len(listed) != sessions || state.State != Complete {
			t.Fatalf("%d of %d sessions are listed: %+v, %v", len(listed), total, state, err)
		}
	}
}

// TestNoTranscripts has an archive of a project in which nothing was said yet: that is complete, and what comes then is found.
func TestNoTranscripts(t *testing.T) {
	f := newFixture(t)
	a, k := f.archive()
	running(t, k)
	awaitComplete(t, a, 0)
	f.say("aaaaaaaa-1", "u1", "", "where is the pelican", "in zoo.go")
	k.Hint(f.path("aaaaaaaa-1"))
	awaitComplete(t, a, 1)
}

// awaitComplete asks until the answer is complete and has so many turns.
func awaitComplete(t testing.TB, a *Archive, turns int) {
	t.Helper()
	for {
		found, err := a.Search(t.Context(), Query{Text: "pelican"})
		if err != nil {
			t.Fatal(err)
		}
		if found.State.State == Complete && found.Matches == turns {
			return
		}
	}
}
