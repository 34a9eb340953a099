package conversation

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"tidepool/internal/conversation/store"
	"tidepool/internal/transcript/transcripttest"
)

// A fixture is a user's home with transcripts of a project.
type fixture struct {
	t       testing.TB
	home    string
	project string // the checkout
	slug    string // the directory of its transcripts
	options Options
}

func newFixture(t testing.TB) *fixture {
	t.Helper()
	home, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	f := &fixture{t: t, home: home, project: filepath.Join(home, "src", "shop"), slug: "-src-shop"}
	if err := os.MkdirAll(f.project, 0o700); err != nil {
		t.Fatal(err)
	}
	f.options = optionsOf(home, f.project)
	return f
}

func optionsOf(home, project string) Options {
	return Options{
		Dir: filepath.Join(home, "state", "conversations"), Project: filepath.Join(project, ".git"), Home: home,
		Checkouts: func() []string { return []string{project} }, Keep: 365 * 24 * time.Hour,
		Eager: true, // tests wait for what is read
	}
}

// path returns the path of a session's transcript.
func (f *fixture) path(session string) string {
	return filepath.Join(f.home, ".claude", "projects", f.slug, session+".jsonl")
}

// write writes a transcript, or replaces it.
func (f *fixture) write(session string, data []byte) {
	f.t.Helper()
	path := f.path(session)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		f.t.Fatal(err)
	}
	if err := os.WriteFile(path, data, 0o600); err != nil {
		f.t.Fatal(err)
	}
}

// say appends a prompt and its answer to a transcript.
func (f *fixture) say(session, id, parent, prompt, answer string) {
	f.t.Helper()
	path := f.path(session)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		f.t.Fatal(err)
	}
	file, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		f.t.Fatal(err)
	}
	defer file.Close()
	if _, err := file.WriteString(f.turn(session, id, parent, prompt, answer)); err != nil {
		f.t.Fatal(err)
	}
}

// turn returns the lines of a turn, whose records are id and id + "a".
func (f *fixture) turn(session, id, parent, prompt, answer string) string {
	up := "null"
	if parent != "" {
		up = fmt.Sprintf("%q", parent+"a")
	}
	return fmt.Sprintf(`{"parentUuid":%s,"isSidechain":false,"cwd":%q,"sessionId":%q,"gitBranch":"main","type":"user","message":{"role":"user","content":%q},"uuid":%q,"timestamp":"2026-03-02T09:00:00.000Z"}
{"parentUuid":%q,"isSidechain":false,"cwd":%q,"sessionId":%q,"type":"assistant","message":{"id":"m%s","role":"assistant","content":[{"type":"text","text":%q}]},"uuid":%q,"timestamp":"2026-03-02T09:00:05.000Z"}
`, up, f.project, session, prompt, id, id, f.project, session, id, answer, id+"a")
}

// archive returns the archive of the project and its keeper, which is not running.
func (f *fixture) archive() (*Archive, *Keeper) {
	f.t.Helper()
	a, err := New(f.options)
	if err != nil {
		f.t.Fatal(err)
	}
	f.t.Cleanup(func() {
		if err := a.Close(); err != nil {
			f.t.Error(err)
		}
	})
	return a, a.Keep()
}

// read returns an archive that has read everything.
func (f *fixture) read() *Archive {
	f.t.Helper()
	a, k := f.archive()
	if err := k.CatchUp(context.Background()); err != nil {
		f.t.Fatal(err)
	}
	return a
}

// search returns what a query finds, once the index is loaded: a question waits two seconds for that.
func search(t testing.TB, a *Archive, q Query) (found Found) {
	t.Helper()
	eventually(t, "the answer is complete", func() bool {
		var err error
		if found, err = a.Search(context.Background(), q); err != nil {
			t.Fatal(err)
		}
		if found.State.State == Partial {
			t.Fatalf("the answer is %+v", found.State)
		}
		return found.State.State == Complete
	})
	return found
}

// places returns the sessions and turns of hits.
func places(found Found) (all []string) {
	for _, h := range found.Hits {
		all = append(all, fmt.Sprint(h.Session, " ", h.Turn))
	}
	return all
}

func TestSearchFindsWords(t *testing.T) {
	f := newFixture(t)
	f.say("aaaaaaaa-1", "u1", "", "the retries hammer the gateway", "capped at 3 with jitter in `gateway/retry.go`")
	f.say("aaaaaaaa-1", "u2", "u1", "and the timeout?", "```go\nctx, cancel := context.WithTimeout(ctx, maxWait)\n```\nthat is all")
	f.say("bbbbbbbb-1", "u3", "", "paint the gateway blue", "the stylesheet is blue now")
	a := f.read()
	for query, want := range map[string][]string{
		"jitter":               {"aaaaaaaa-1 0"},
		"context.WithTimeout":  {"aaaaaaaa-1 1"},
		"maxWait":              {"aaaaaaaa-1 1"},
		"retry.go":             {"aaaaaaaa-1 0"},
		`"gateway blue"`:       {"bbbbbbbb-1 0"},
		"bbbbbbbb":             {"bbbbbbbb-1 0"},
		"gateway aaaaaaaa-1":   {"aaaaaaaa-1 0"},
		"nothing-of-this-kind": nil,
	} {
		if got := places(search(t, a, Query{Text: query})); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", query, got, want)
		}
	}
	found := search(t, a, Query{Text: "hammer xyzzy"})
	if !slices.Equal(found.Unknown, []string{"xyzzy"}) || found.Matches != 1 {
		t.Errorf("%+v", found)
	}
	hit := found.Hits[0]
	if hit.Project != "shop" || hit.Cwd != f.project || hit.Branch != "main" || !hit.Resumable || hit.Title == "" ||
		hit.At != time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC) || !strings.Contains(hit.Snippet.Claude, "capped") || !strings.Contains(hit.Snippet.User, "hammer") {
		t.Errorf("%+v", hit)
	}
}

func TestFilters(t *testing.T) {
	f := newFixture(t)
	f.say("aaaaaaaa-1", "u1", "", "gateway", "the answer says nothing")
	f.say("bbbbbbbb-1", "u2", "", "what is broken", "the gateway")
	a := f.read()
	noon := time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)
	for name, test := range map[string]struct {
		query Query
		want  []string
	}{
		"prompts":       {Query{Role: RoleUser}, []string{"aaaaaaaa-1 0"}},
		"answers":       {Query{Role: RoleClaude}, []string{"bbbbbbbb-1 0"}},
		"session":       {Query{Session: "bbbb"}, []string{"bbbbbbbb-1 0"}},
		"other project": {Query{Project: "elsewhere"}, nil},
		"project":       {Query{Project: "SHOP", Limit: 1}, []string{"bbbbbbbb-1 0"}},
		"branch":        {Query{Branch: "other"}, nil},
		"since":         {Query{Since: noon}, nil},
		"until":         {Query{Until: noon.Add(-12 * time.Hour)}, nil},
		"except":        {Query{Except: Place{"aaaaaaaa-1", CurrentTurn}}, []string{"bbbbbbbb-1 0"}},
		"except a turn": {Query{Except: Place{"bbbbbbbb-1", 0}}, []string{"aaaaaaaa-1 0"}},
		"a page":        {Query{Skip: 1}, []string{"aaaaaaaa-1 0"}},
	} {
		test.query.Text = "gateway"
		if got := places(search(t, a, test.query)); !slices.Equal(got, test.want) {
			t.Errorf("%s: %q, want %q", name, got, test.want)
		}
	}
}

func TestOtherProjectsAreNotStored(t *testing.T) {
	f := newFixture(t)
	f.say("aaaaaaaa-1", "u1", "", "mine", "gateway")
	f.write("bbbbbbbb-1", []byte(strings.ReplaceAll(f.turn("bbbbbbbb-1", "u2", "", "foreign", "gateway"), f.project, f.project+"-other")))
	a := f.read()
	if got := places(search(t, a, Query{Text: "gateway foreign"})); !slices.Equal(got, []string{"aaaaaaaa-1 0"}) {
		t.Errorf("found %q", got)
	}
	if data, err := os.ReadFile(f.options.StorePath()); err != nil || strings.Contains(string(data), "bbbbbbbb") {
		t.Errorf("the store names the other session: %v", err)
	}
}

func TestDeletedTranscriptStays(t *testing.T) {
	f := newFixture(t)
	f.say("aaaaaaaa-1", "u1", "", "mine", "gateway")
	f.read()
	if err := os.RemoveAll(filepath.Join(f.home, ".claude")); err != nil {
		t.Fatal(err)
	}
	a := f.read()
	found := search(t, a, Query{Text: "gateway"})
	if len(found.Hits) != 1 || found.Hits[0].Resumable {
		t.Errorf("%+v", found)
	}
	f.options.Keep = 0
	a = f.read()
	if found := search(t, a, Query{Text: "gateway"}); len(found.Hits) != 0 {
		t.Errorf("kept no longer, but found: %+v", found)
	}
}

// A transcript that was emptied is as good as deleted: what it said stays.
func TestEmptiedTranscript(t *testing.T) {
	f := newFixture(t)
	f.say("aaaaaaaa-1", "u1", "", "mine", "gateway")
	f.read()
	f.write("aaaaaaaa-1", nil)
	found := search(t, f.read(), Query{Text: "gateway"})
	if len(found.Hits) != 1 || found.Hits[0].Resumable {
		t.Errorf("%+v", found)
	}
	f.say("aaaaaaaa-1", "u2", "", "mine", "portal")
	if got := search(t, f.read(), Query{Text: "portal gateway"}); got.Matches != 1 || !got.Hits[0].Resumable {
		t.Errorf("%+v", got)
	}
}

// Forks: nothing is found twice, and the fork reads as a whole.
func TestForkIsFoundOnce(t *testing.T) {
	f := newFixture(t)
	f.say("aaaaaaaa-1", "u1", "", "first question", "gateway answer")
	f.say("aaaaaaaa-1", "u2", "u1", "second question", "of the original")
	copied := f.turn("aaaaaaaa-1", "u1", "", "first question", "gateway answer")
	f.write("ffffffff-1", []byte(copied+f.turn("ffffffff-1", "u3", "u1", "another question", "of the fork")))
	a := f.read()
	if got := places(search(t, a, Query{Text: "gateway"})); !slices.Equal(got, []string{"aaaaaaaa-1 0"}) {
		t.Errorf("found %q", got)
	}
	summary, turns, err := a.Conversation(t.Context(), "ffff", 0, 0)
	if err != nil || len(turns) != 2 || turns[0].Answer != "gateway answer" || turns[1].User != "another question" || summary.ForkedFrom != "aaaaaaaa-1" {
		t.Errorf("%+v %+v %v", summary, turns, err)
	}
}

func TestForgetAndExclude(t *testing.T) {
	f := newFixture(t)
	f.say("aaaaaaaa-1", "u1", "", "mine", "gateway xyzzy")
	f.say("bbbbbbbb-1", "u2", "", "mine", "gateway plugh")
	a := f.read()
	search(t, a, Query{Text: "gateway"}) // which loads the index
	if n, err := a.Forget(t.Context(), "aaaaaaaa"); err != nil || n != 1 {
		t.Fatal(n, err)
	}
	f.say("aaaaaaaa-1", "u3", "u1", "more of it", "gateway xyzzy")
	for range 2 { // the transcript is still there, and is not read again
		if got := places(search(t, a, Query{Text: "gateway"})); !slices.Equal(got, []string{"bbbbbbbb-1 0"}) {
			t.Errorf("found %q", got)
		}
		a = f.read()
	}
	if err := a.Exclude(t.Context(), "src/*"); err != nil {
		t.Fatal(err)
	}
	f.say("cccccccc-1", "u4", "", "mine", "gateway")
	a = f.read()
	if got := places(search(t, a, Query{Text: "gateway"})); !slices.Equal(got, []string{"bbbbbbbb-1 0"}) {
		t.Errorf("found %q", got)
	}
	if n, err := a.ForgetAll(t.Context()); err != nil || n != 1 {
		t.Fatal(n, err)
	}
	if found := search(t, f.read(), Query{Text: "gateway"}); len(found.Hits) != 0 {
		t.Errorf("%+v", found)
	}
	for _, suffix := range []string{"", "-wal"} {
		if data, _ := os.ReadFile(f.options.StorePath() + suffix); strings.Contains(string(data), "xyzzy") || strings.Contains(string(data), "plugh") {
			t.Errorf("%q still has a forgotten word", suffix)
		}
	}
}

func TestErrorsNameTheNearest(t *testing.T) {
	f := newFixture(t)
	f.say("aaaaaaaa-1", "u1", "", "one", "a")
	f.say("aaaaaaaa-2", "u2", "", "two", "b")
	a := f.read()
	_, err := a.Turn(t.Context(), "aaaa", 0)
	if e, ok := err.(*SessionError); !ok || !e.Several || len(e.Nearest) != 2 {
		t.Errorf("%v", err)
	}
	_, err = a.Turn(t.Context(), "aaaaaaaa-9", 0)
	if e, ok := err.(*SessionError); !ok || e.Several || len(e.Nearest) != 2 {
		t.Errorf("%v", err)
	}
	for _, n := range []int{-1, 1} {
		_, err = a.Turn(t.Context(), "aaaaaaaa-1", n)
		if e, ok := err.(*TurnError); !ok || e.Turns != 1 || e.Nearest() != 0 {
			t.Errorf("%v", err)
		}
	}
}

func TestFiveOfOneSession(t *testing.T) {
	f := newFixture(t)
	parent := ""
	for i := range 12 {
		id := fmt.Sprint("u", i)
		f.say("aaaaaaaa-1", id, parent, "gateway gateway", "short")
		parent = id
	}
	f.say("bbbbbbbb-1", "v1", "", "something longer about a gateway and much else", "short")
	a := f.read()
	found := search(t, a, Query{Text: "gateway"})
	if len(found.Hits) != 6 || found.Hits[5].Session != "bbbbbbbb-1" || found.Hits[4].More != 7 || found.Matches != 13 {
		t.Errorf("%q, more %+v", places(found), found)
	}
	rest := search(t, a, Query{Text: "gateway", Skip: 6})
	all := append(places(found), places(rest)...)
	slices.Sort(all)
	if len(slices.Compact(all)) != 13 {
		t.Errorf("the pages have %q", all)
	}
	if one := search(t, a, Query{Text: "gateway", Session: "aaaa"}); len(one.Hits) != 10 {
		t.Errorf("%d hits of the one session", len(one.Hits))
	}
}

// The archive of a generated transcript has the turns that the generator says it must have.
func TestGeneratedTranscript(t *testing.T) {
	for seed := range uint64(10) {
		f := newFixture(t)
		file := transcripttest.Generate(seed, transcripttest.Options{Turns: 20, Cwd: f.project, Shapes: true})
		f.write(file.Session, file.Data())
		a := f.read()
		_, turns, err := a.Conversation(t.Context(), file.Session, 0, 200)
		if err != nil {
			t.Fatal(err)
		}
		if len(turns) != len(file.Want) {
			t.Fatalf("seed %d: %d turns, want %d", seed, len(turns), len(file.Want))
		}
		for i, want := range file.Want {
			got := turns[i]
			if diff := cmp.Diff([]any{want.User, want.Answer, want.Tools, want.At.UnixMilli(), want.Abandoned}, []any{got.User, got.Answer, got.Tools, got.At.UnixMilli(), got.Abandoned}); diff != "" {
				t.Fatalf("seed %d turn %d (-want +got):\n%s", seed, i, diff)
			}
		}
	}
}

// dump returns all that a store says of its sessions, but for the numbers of rows.
func dump(t testing.TB, path string) string {
	t.Helper()
	s, err := store.OpenReadOnly(context.Background(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	sessions, err := s.Sessions(context.Background(), 0)
	if err != nil {
		t.Fatal(err)
	}
	slices.SortFunc(sessions, func(a, b store.Session) int { return strings.Compare(a.SID, b.SID) })
	var out strings.Builder
	sids := map[int64]string{}
	for _, one := range sessions {
		turns, err := s.Turns(context.Background(), one.ID, 0, 1<<20)
		if err != nil {
			t.Fatal(err)
		}
		sids[one.ID] = one.SID
		one.ID, one.File = 0, 0
		fmt.Fprintf(&out, "%+v\n", one)
		for _, turn := range turns {
			turn.ID, turn.Session = 0, 0
			fmt.Fprintf(&out, "  %+v\n", turn)
		}
	}
	var found []string
	_, err = s.Changes(context.Background(), 0, func(c store.Change) error {
		if c.Found {
			found = append(found, fmt.Sprint(sids[c.Session], c.Number))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(found)
	fmt.Fprintln(&out, found)
	return out.String()
}
