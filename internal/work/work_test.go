package work

import (
	"context"
	"reflect"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

func TestStatus(t *testing.T) {
	d := newDesk(t, "bd-a3f8/fix-login")
	d.program("bd", bdToday)
	d.program("gh", ghToday)
	d.write("old name", strings.Repeat("the same text\n", 20))
	d.git("add", "-A")
	d.git("commit", "--quiet", "-m", "more")
	d.git("mv", "old name", "grün  und\tblau")
	d.write("README", "changed\n")
	d.write("neu/ü.txt", "new\n")

	s := d.work().Status(t.Context(), "")

	if len(s.Gaps) > 0 {
		t.Errorf("missing: %+v", s.Gaps)
	}
	if b := s.Bead; b == nil || b.ID != "demo-a3f8" || b.Status != "in_progress" || b.Parent != "demo-1" ||
		len(b.Dependencies) != 2 || b.Dependencies[1].DependencyType != "waits-for-moon" || len(b.Dependents) != 1 {
		t.Errorf("bead %+v", b)
	}
	if w := s.Worktree; w == nil || w.Name != "demo" || w.Branch != "bd-a3f8/fix-login" || w.IsWorktree || w.RepoRoot != w.Path {
		t.Errorf("worktree %+v", w)
	}
	if want := []string{"grün  und\tblau", "README", "neu/"}; !sameElements(s.DirtyFiles, want) {
		t.Errorf("dirty files %q, want %q", s.DirtyFiles, want)
	}
	for _, f := range s.Dirty {
		if f.State == "R." && f.From != "old name" {
			t.Errorf("renamed from %q", f.From)
		}
	}
	p := s.PR
	if p == nil || p.Number != 7 || p.ReviewDecision != "CHANGES_REQUESTED" || len(p.Reviews) != 1 ||
		!reflect.DeepEqual(p.Checks, Checks{Passed: 1, Failed: 1, Pending: 2, Failing: []string{"lint"}}) {
		t.Errorf("pull request %+v", p)
	}
}

func sameElements(a, b []string) bool {
	count := map[string]int{}
	for _, s := range a {
		count[s]++
	}
	for _, s := range b {
		count[s]--
	}
	for _, n := range count {
		if n != 0 {
			return false
		}
	}
	return true
}

// TestStatusWithGaps checks that what one source cannot tell costs only its part, and is said.
func TestStatusWithGaps(t *testing.T) {
	for name, test := range map[string]struct {
		branch, id string
		arrange    func(*desk)
		source     string
		reason     string // part of it
		hint       string
	}{
		"no bd":               {"bd-a3f8/x", "", func(d *desk) { d.program("gh", ghToday) }, "bd", "executable file not found", "install beads"},
		"no tracker at all":   {"main", "", func(*desk) {}, "bd", "no issues are tracked here", ""},
		"no gh":               {"bd-a3f8/x", "", func(d *desk) { d.program("bd", bdToday) }, "gh", "executable file not found", "install the GitHub CLI"},
		"gh without account":  {"bd-a3f8/x", "", both(bdToday, `echo "To get started with GitHub CLI, please run:  gh auth login" >&2; exit 4`), "gh", "not authenticated", "environment.pass"},
		"gh hangs":            {"bd-a3f8/x", "", both(bdToday, `sleep 60 & sleep 60`), "gh", "did not answer in time", ""},
		"gh is cut off":       {"bd-a3f8/x", "", both(bdToday, `echo '[{"number":7,'`), "gh", "cannot be read", ""},
		"gh of another shape": {"bd-a3f8/x", "", both(bdToday, `echo '{"message":"Not Found"}'`), "gh", "reading its answer", ""},
		"gh says nonsense":    {"bd-a3f8/x", "", both(bdToday, `echo 'well, no'`), "gh", "cannot be read", ""},
		"bd hangs":            {"bd-a3f8/x", "", both(`sleep 60 & sleep 60`, ghToday), "bd", "did not answer in time", ""},
		"bd fails":            {"bd-a3f8/x", "", both(`echo 'Error: no beads database found' >&2; echo "run 'bd init'" >&2; exit 1`, ghToday), "bd", "no beads database found", ""},
		"bd exits 0 with woe": {"bd-a3f8/x", "", both(`echo '{"error":"database is locked"}'`, ghToday), "bd", "database is locked", ""},
		"unknown issue":       {"bd-a3f8/x", "demo-zzz", both(bdToday, ghToday), "bd", `no issue "demo-zzz"`, "bd list"},
		"a flag for an issue": {"bd-a3f8/x", "--db=/etc/passwd", both(bdToday, ghToday), "bd", "no issue", "bd list"},
		"branch of no issue":  {"main", "", both(bdToday, ghToday), "bd", "branch main has no issue", "pass bead_id"},
		"no remote":           {"bd-a3f8/x", "", func(d *desk) { both(bdToday, ghToday)(d); d.git("remote", "remove", "origin") }, "gh", "no remote", "git remote add"},
		"a path for a remote": {"bd-a3f8/x", "", func(d *desk) { both(bdToday, ghToday)(d); d.git("remote", "set-url", "origin", d.dir) }, "gh", "no remote", "git remote add"},
		"detached":            {"bd-a3f8/x", "", func(d *desk) { both(bdToday, ghToday)(d); d.git("checkout", "--quiet", "--detach") }, "bd", "no branch", "bead_id"},
	} {
		t.Run(name, func(t *testing.T) {
			d := newDesk(t, test.branch)
			test.arrange(d)
			if strings.Contains(test.reason, "in time") {
				d.opts.TrackerTime, d.opts.HubTime = time.Second, time.Second
			}
			s := d.work().Status(t.Context(), test.id)
			found := false
			for _, g := range s.Gaps {
				found = found || g.Source == test.source && strings.Contains(g.Reason, test.reason) && strings.Contains(g.Hint, test.hint)
			}
			if !found {
				t.Errorf("gaps %+v, want one of %s: %s (%s)", s.Gaps, test.source, test.reason, test.hint)
			}
			if s.Worktree == nil || s.Branch == nil || test.source != "gh" && test.branch != "main" && s.Bead != nil {
				t.Errorf("the rest: %+v", s)
			}
		})
	}
}

func both(bd, gh string) func(*desk) {
	return func(d *desk) { d.program("bd", bd); d.program("gh", gh) }
}

func TestStatusOutsideOfARepository(t *testing.T) {
	d := newDesk(t, "main")
	d.opts.Dir = t.TempDir()
	s := d.work().Status(t.Context(), "")
	if s.Worktree != nil || len(s.Gaps) != 1 || s.Gaps[0].Source != "git" || !strings.Contains(s.Gaps[0].Reason, "not a git repository") {
		t.Errorf("%+v", s)
	}
}

func TestStatusOfALinkedWorktree(t *testing.T) {
	d := newDesk(t, "main")
	both(bdToday, ghToday)(d)
	linked := t.TempDir() + "/side"
	d.git("worktree", "add", "--quiet", "-b", "bd-a3f8/fix-login", linked)
	main := d.work().Status(t.Context(), "").Worktree
	d.opts.Dir = linked
	w := d.work().Status(t.Context(), "").Worktree
	if w == nil || !w.IsWorktree || w.Name != "side" || w.RepoRoot != main.Path || w.Branch != "bd-a3f8/fix-login" {
		t.Errorf("%+v", w)
	}
}

// TestWarningsBeforeJSON: older versions of bd say things on standard output before they answer.
func TestWarningsBeforeJSON(t *testing.T) {
	d := newDesk(t, "main")
	d.program("bd", "echo 'Warning: daemon is not running'\necho\ncat <<'END'\n"+bdShow+"\nEND\n")
	if s := d.work().Status(t.Context(), "demo-a3f8"); s.Bead == nil || s.Bead.Title != "Fix the login" {
		t.Errorf("%+v", s)
	}
}

// TestOneTrackerAtATime holds the tracker's lock and checks that a question waits for it no longer than its deadline.
func TestOneTrackerAtATime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := New(Options{Dir: t.TempDir(), TrackerTime: time.Second})
		w.tracker <- struct{}{}
		begin := time.Now()
		if bead, gap := w.statusOfBead(t.Context(), "demo-1"); bead != nil || gap == nil || !strings.Contains(gap.Reason, "in time") {
			t.Errorf("%+v %+v", bead, gap)
		}
		if took := time.Since(begin); took != time.Second {
			t.Errorf("it took %v", took)
		}
	})
}

func TestCancelled(t *testing.T) {
	d := newDesk(t, "bd-a3f8/x")
	both(bdToday, ghToday)(d)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if s := d.work().Status(ctx, ""); s.Bead != nil || s.PR != nil || len(s.Gaps) == 0 {
		t.Errorf("%+v", s)
	}
}

// TestWarningsThatLookLikeJSON begin with a bracket, as log lines do.
func TestWarningsThatLookLikeJSON(t *testing.T) {
	d := newDesk(t, "main")
	d.program("bd", "echo '[WARN] schema is old'\necho '{slow}'\ncat <<'END'\n"+bdShow+"\nEND\necho 'Tip: bd ready'\n")
	if s := d.work().Status(t.Context(), "demo-a3f8"); s.Bead == nil || s.Bead.Title != "Fix the login" {
		t.Errorf("%+v", s)
	}
}

// TestPullRequestBehindAWarning that gh prints where its answer belongs.
func TestPullRequestBehindAWarning(t *testing.T) {
	d := newDesk(t, "bd-a3f8/fix-login")
	both(bdToday, "echo 'A new release of gh is available'\n"+ghToday)(d)
	if s := d.work().Status(t.Context(), ""); s.PR == nil || s.PR.Number != 7 {
		t.Errorf("%+v %+v", s.PR, s.Gaps)
	}
}

// TestProgramThatLeavesOneRunning, with the same output: older versions of bd start a daemon.
func TestProgramThatLeavesOneRunning(t *testing.T) {
	d := newDesk(t, "main")
	d.program("bd", "sleep 5 &\ncat <<'END'\n"+bdShow+"\nEND\n")
	if s := d.work().Status(t.Context(), "demo-a3f8"); s.Bead == nil {
		t.Errorf("%+v", s.Gaps)
	}
}

func TestStatusWithoutCommits(t *testing.T) {
	d := newDesk(t, "main")
	d.opts.Dir = t.TempDir()
	d.dir = d.opts.Dir
	d.git("init", "--quiet", "--initial-branch", "bd-a3f8/fix-login")
	d.write("ü\r\n.txt", "new\r\n")
	both(bdToday, ghToday)(d)
	s := d.work().Status(t.Context(), "")
	if s.Branch == nil || s.Branch.Commit != "" || s.Branch.Name != "bd-a3f8/fix-login" || s.Bead == nil || len(s.DirtyFiles) != 1 || s.DirtyFiles[0] != "ü\r\n.txt" {
		t.Errorf("%+v %+v", s, s.Branch)
	}
}

// TestStatusOfASubmodule is that of the submodule, whose git directory lies in another repository.
func TestStatusOfASubmodule(t *testing.T) {
	d := newDesk(t, "main")
	both(bdToday, ghToday)(d)
	other := newDesk(t, "main")
	d.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", other.dir, "part")
	d.opts.Dir = d.dir + "/part"
	w := d.work().Status(t.Context(), "").Worktree
	if w == nil || w.Name != "part" || w.IsWorktree || w.RepoRoot != w.Path {
		t.Errorf("%+v", w)
	}
}

// TestRemoteOfAPartialClone has its filter behind the URL.
func TestRemoteOfAPartialClone(t *testing.T) {
	d := newDesk(t, "main")
	d.git("config", "remote.origin.promisor", "true")
	d.git("config", "remote.origin.partialclonefilter", "blob:none")
	p, err := d.work().position(t.Context())
	if err != nil || p.remote.String() != "acme/demo" {
		t.Errorf("%+v, %v", p, err)
	}
}
