package recall

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"tidepool/internal/recall/memory"
	"tidepool/internal/scrub"
)

// A fixture is a home with memories, and a project.
type fixture struct {
	t       testing.TB
	options Options
}

func newFixture(t testing.TB) *fixture {
	t.Helper()
	base, err := filepath.EvalSymlinks(t.TempDir())
	must(t, err)
	f := &fixture{t: t, options: Options{Dir: filepath.Join(base, "data", "tidepool"), Scrub: scrubber(t)}}
	f.options.Project = f.project(filepath.Join(base, "harbor"))
	return f
}

func scrubber(t testing.TB) *scrub.Scrubber {
	t.Helper()
	s, err := scrub.New(scrub.Options{})
	must(t, err)
	return s
}

// project returns the project of a directory, which it makes.
func (f *fixture) project(dir string) memory.Project {
	f.t.Helper()
	must(f.t, os.MkdirAll(dir, 0o700))
	p, err := ProjectOf(f.t.Context(), dir)
	must(f.t, err)
	return p
}

// in returns the fixture of another project of the same home.
func (f *fixture) in(dir string) *fixture {
	o := f.options
	o.Project = f.project(dir)
	return &fixture{f.t, o}
}

// open opens the memories, and closes them when the test ends.
func (f *fixture) open() *Store {
	f.t.Helper()
	s, err := Open(f.t.Context(), f.options)
	must(f.t, err)
	f.t.Cleanup(func() { closeStore(f.t, s) })
	return s
}

func closeStore(t testing.TB, s *Store) {
	t.Helper()
	if s.life.Err() != nil {
		return // the test has closed it
	}
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	must(t, s.Close(ctx))
}

func must(t testing.TB, errs ...error) {
	t.Helper()
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
}

func save(t testing.TB, s *Store, d memory.Draft) Saved {
	t.Helper()
	saved, err := s.Save(context.Background(), d)
	must(t, err)
	return saved
}

func note(text string) memory.Draft { return memory.Draft{Content: text, Source: "memory_save"} }

// gists returns what a complete answer found.
func gists(t testing.TB, s *Store, q Query) []string {
	t.Helper()
	found, err := s.Recall(context.Background(), q)
	must(t, err)
	if !found.Complete {
		t.Errorf("the answer to %q is incomplete: %s", q.Text, found.Why)
	}
	var all []string
	for _, h := range found.Memories {
		all = append(all, h.Gist)
	}
	return all
}

func TestSaveAndRecall(t *testing.T) {
	f := newFixture(t)
	s := f.open()
	d := memory.Draft{
		Kind: memory.Fix, Content: "TestDrainOrder raced because Stop closed the channel too early.\nThe worker now returns first.", Outcome: memory.Success,
		Session: "s/1", Turn: 3, Tags: []string{"race"}, Files: []string{"pool/drain.go"}, Commit: "abcdef1", Source: "memory_save",
	}
	saved := save(t, s, d)
	if saved.Kept != KeptNew || !strings.HasPrefix(saved.ID, "mem_") || len(saved.ID) != 16 {
		t.Errorf("%+v", saved)
	}
	save(t, s, note("The web directory uses pnpm."))
	found, err := s.Recall(t.Context(), Query{Text: "why was drain order racing"})
	must(t, err)
	if !found.Complete || len(found.Memories) != 1 {
		t.Fatalf("%+v", found)
	}
	m := found.Memories[0]
	if m.ID != saved.ID || m.Gist != "TestDrainOrder raced because Stop closed the channel too early." || m.Trust != memory.Saved || m.Foreign || m.Score <= 0 || m.Project != f.options.Project {
		t.Errorf("%+v", m)
	}
	for name, q := range map[string]Query{
		"a file":       {Text: "drain.go"},
		"a tag":        {Text: "race"},
		"kind":         {Text: "drain", Kinds: []memory.Kind{memory.Fix}},
		"outcome":      {Text: "drain", Outcome: memory.Success},
		"session":      {Text: "drain", Session: "s/1"},
		"since":        {Text: "drain", Since: time.Now().Add(-time.Hour)},
		"project":      {Text: "drain", Project: "harbor"},
		"own project":  {Text: "drain", Scope: ScopeProject},
		"project path": {Text: "drain", Project: f.options.Project.Path},
	} {
		if got := gists(t, s, q); len(got) != 1 {
			t.Errorf("%s: %q", name, got)
		}
	}
	for name, q := range map[string]Query{
		"kind":    {Text: "drain", Kinds: []memory.Kind{memory.Note, memory.Value}},
		"outcome": {Text: "drain", Outcome: memory.Failure},
		"session": {Text: "drain", Session: "s"},
		"since":   {Text: "drain", Since: time.Now().Add(time.Hour)},
		"user":    {Text: "drain", Scope: ScopeUser},
		"word":    {Text: "zebra"},
		"nothing": {},
	} {
		if got := gists(t, s, q); len(got) != 0 {
			t.Errorf("%s: %q", name, got)
		}
	}
	var project *ProjectError
	if _, err := s.Recall(t.Context(), Query{Text: "drain", Project: "none"}); !errors.As(err, &project) || !strings.Contains(project.Hint(), "harbor") {
		t.Error(err)
	}
	got, err := s.Get(t.Context(), saved.ID)
	if err != nil || got.Content != d.Content || got.Session != "s/1" {
		t.Errorf("%+v, %v", got, err)
	}
	var none *UnknownError
	if _, err := s.Get(t.Context(), "mem_000000000000"); !errors.As(err, &none) {
		t.Error(err)
	}
	listed, err := s.List(t.Context(), ListQuery{Limit: 1})
	if err != nil || len(listed) != 1 || listed[0].Gist != "The web directory uses pnpm." {
		t.Errorf("%+v, %v", listed, err)
	}
}

// What was saved is there for who opens the memories next, from the snapshot or without it.
func TestReopen(t *testing.T) {
	f := newFixture(t)
	s := f.open()
	save(t, s, note("the harbor crane needs grease"))
	if got := gists(t, s, Query{Text: "crane"}); len(got) != 1 {
		t.Fatalf("%q", got)
	}
	closeStore(t, s)
	snapshot := filepath.Join(f.options.Dir, "memory.index")
	data, err := os.ReadFile(snapshot)
	must(t, err)
	for name, spoil := range map[string]func(){
		"as it is": func() {},
		"missing":  func() { must(t, os.Remove(snapshot)) },
		"half":     func() { must(t, os.WriteFile(snapshot, data[:len(data)/2], 0o600)) },
		"empty":    func() { must(t, os.WriteFile(snapshot, nil, 0o600)) },
		"one bit": func() {
			must(t, os.WriteFile(snapshot, append(data[:len(data)-9:len(data)-9], flip(data[len(data)-9:])...), 0o600))
		},
		"of another": func() { must(t, os.WriteFile(snapshot, append(flip(data[:16:16]), data[16:]...), 0o600)) },
		"a link":     func() { must(t, os.Rename(snapshot, snapshot+"2"), os.Symlink(snapshot+"2", snapshot)) },
		"a directory": func() {
			must(t, os.RemoveAll(snapshot), os.Mkdir(snapshot, 0o700))
		},
	} {
		must(t, os.RemoveAll(snapshot), os.WriteFile(snapshot, data, 0o600))
		spoil()
		s := f.open()
		if got := gists(t, s, Query{Text: "crane"}); len(got) != 1 {
			t.Errorf("%s: %q", name, got)
		}
		ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
		if err := s.Close(ctx); (err != nil) != (name == "a directory") {
			t.Errorf("%s: %v", name, err)
		}
		cancel()
	}
}

// flip returns bytes of which the first is another one.
func flip(data []byte) []byte {
	data = slices.Clone(data)
	data[0] ^= 0x40
	return data
}

func runGit(t testing.TB, dir string, args ...string) string {
	t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@example.com", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@example.com")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("git %v: %v\n%s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

// repository makes a repository with one commit.
func repository(t testing.TB, dir string) string {
	t.Helper()
	must(t, os.MkdirAll(dir, 0o700))
	runGit(t, dir, "init", "-q", "-b", "main")
	runGit(t, dir, "commit", "-q", "--allow-empty", "-m", "first")
	return dir
}

// Two checkouts of one name are two projects, worktrees of one repository are one.
func TestProjectOf(t *testing.T) {
	f := newFixture(t)
	base := filepath.Dir(f.options.Project.Path)
	one, two := repository(t, base+"/one/api"), repository(t, base+"/two/api")
	runGit(t, one, "worktree", "add", "-q", base+"/tree")
	must(t, os.MkdirAll(one+"/web/src", 0o700))
	a, b := f.project(one), f.project(two)
	if a.Name != "api" || b.Name != "api" || a.Key == b.Key || a.Path != one || len(a.Key) != 16 {
		t.Errorf("%+v, %+v", a, b)
	}
	for _, dir := range []string{base + "/tree", one + "/web/src"} {
		if p := f.project(dir); p != a {
			t.Errorf("%s is of %+v", dir, p)
		}
	}
	runGit(t, base, "clone", "-q", "--bare", one, "bare.git")
	runGit(t, base+"/bare.git", "worktree", "add", "-q", base+"/of-bare")
	if p := f.project(base + "/of-bare"); p.Name != "bare" || p.Path != base+"/bare.git" {
		t.Errorf("%+v", p)
	}
	if _, err := ProjectOf(t.Context(), base+"/none"); err == nil {
		t.Error("a directory that is not there is a project")
	}
}

// A repository that was moved keeps its memories, one that was copied or cloned has none, and one that takes the old path has none of the moved one.
func TestMovedProject(t *testing.T) {
	f := newFixture(t)
	base := filepath.Dir(f.options.Project.Path)
	first := f.in(repository(t, base+"/first"))
	s := first.open()
	saved := save(t, s, note("the crane needs grease"))
	closeStore(t, s)
	runGit(t, base, "clone", "-q", base+"/first", "clone")
	closeStore(t, f.in(base+"/clone").open())
	must(t, os.Rename(base+"/first", base+"/second"))
	second := f.in(base + "/second")
	if directoryOf(second.options.Project.Path).Born == 0 {
		t.Fatal("this file system has no birth times: run the tests on another one")
	}
	s = second.open()
	m, err := s.Get(t.Context(), saved.ID)
	if err != nil || m.Project != second.options.Project {
		t.Errorf("%+v, %v", m.Project, err)
	}
	if found, err := s.Recall(t.Context(), Query{Text: "crane"}); err != nil || len(found.Memories) != 1 || found.Memories[0].Foreign {
		t.Errorf("%+v, %v", found, err)
	}
	closeStore(t, s)
	s = f.in(repository(t, base+"/first")).open()
	if got := gists(t, s, Query{Text: "crane", Scope: ScopeProject}); len(got) != 0 {
		t.Errorf("another repository at the old path has %q", got)
	}
}

func TestScopes(t *testing.T) {
	f := newFixture(t)
	other := f.in(filepath.Join(filepath.Dir(f.options.Project.Path), "other"))
	s := other.open()
	save(t, s, note("the crane at the foreign quay"))
	save(t, s, memory.Draft{Content: "the crane is yellow, says the user", Scope: memory.ForUser})
	mine := f.open()
	save(t, mine, note("the crane at our own basin"))
	for scope, want := range map[string]int{"": 3, ScopeAll: 3, ScopeProject: 2, ScopeUser: 1} {
		if got := gists(t, mine, Query{Text: "crane", Scope: scope}); len(got) != want {
			t.Errorf("%q: %q", scope, got)
		}
	}
	if got := gists(t, mine, Query{Text: "crane", Project: "other"}); len(got) != 1 || got[0] != "the crane at the foreign quay" {
		t.Errorf("%q", got)
	}
	found, err := mine.Recall(t.Context(), Query{Text: "crane"})
	must(t, err)
	for _, h := range found.Memories {
		if h.Foreign != (h.Gist == "the crane at the foreign quay") {
			t.Errorf("%q: foreign is %v", h.Gist, h.Foreign)
		}
	}
	f.options.Scope = ScopeProject
	narrow := f.open()
	if got := gists(t, narrow, Query{Text: "crane"}); len(got) != 2 {
		t.Errorf("%q", got)
	}
	for _, q := range []Query{{Text: "crane", Scope: ScopeAll}, {Text: "crane", Project: "other"}} {
		found, err := narrow.Recall(t.Context(), q)
		if err != nil || found.Complete || !strings.Contains(found.Why, "recall.scope") || slices.ContainsFunc(found.Memories, func(h Hit) bool { return h.Foreign }) {
			t.Errorf("%+v: %+v, %v", q, found, err)
		}
	}
}

// What one process saves, the other one finds at once.
func TestTwoStoresAreInStep(t *testing.T) {
	f := newFixture(t)
	one, two := f.open(), f.open()
	for i := range 20 {
		from, to := one, two
		if i%2 == 1 {
			from, to = two, one
		}
		saved := save(t, from, note(fmt.Sprintf("crane number%d", i)))
		if got := gists(t, to, Query{Text: fmt.Sprintf("number%d", i), Limit: 1}); len(got) != 1 {
			t.Fatalf("%d: %q", i, got)
		}
		if i%5 == 4 {
			_, err := from.Forget(t.Context(), saved.ID)
			must(t, err)
			if got := gists(t, to, Query{Text: fmt.Sprintf("number%d", i), Limit: 1}); len(got) == 1 && strings.Contains(got[0], fmt.Sprint(i)) {
				t.Fatalf("%d is forgotten and found: %q", i, got)
			}
		}
	}
}
