package work

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestSync(t *testing.T) {
	unknown := `echo 'Error: unknown command "'$1'" for "bd"' >&2; exit 1`
	for name, test := range map[string]struct {
		bd      string
		remotes bool
		how     string
		synced  bool
		reason  string
	}{
		"from main":    {`case "$*" in version) ;; "sync --help") echo 'Usage: bd sync [--from-main]' ;; "sync --from-main") ;; *) ` + unknown + `;; esac`, false, "bd sync --from-main", true, ""},
		"no push":      {`case "$*" in version) ;; "sync --help") echo 'Usage: bd sync [--no-push]' ;; "sync --no-push") ;; *) ` + unknown + `;; esac`, false, "bd sync --no-push", true, ""},
		"only pushing": {`case "$*" in version) ;; "sync --help") echo 'Usage: bd sync' ;; *) ` + unknown + `;; esac`, false, "", false, "only by pushing"},
		"dolt":         {bdToday, true, "bd dolt pull", true, ""},
		"dolt alone":   {bdToday, false, "", false, "no Dolt remote"},
		"neither":      {`case "$*" in version) ;; *) ` + unknown + `;; esac`, false, "", false, "neither"},
		"help of all":  {`case "$*" in version) ;; *"--help") echo 'Usage: beads [command]' ;; *) ` + unknown + `;; esac`, false, "", false, "neither"},
		"fails":        {`case "$*" in version) ;; "sync --help") echo 'Usage: bd sync [--from-main]' ;; *) echo 'fatal: no network' >&2; exit 1 ;; esac`, false, "bd sync --from-main", false, "no network"},
	} {
		t.Run(name, func(t *testing.T) {
			d := newDesk(t, "main")
			d.program("bd", test.bd)
			if test.remotes {
				d.write("remotes", "origin  https://doltremoteapi.example/acme/demo\n")
			}
			got := d.work().Sync(t.Context())
			if got.How != test.how || got.Synced != test.synced || !strings.Contains(got.Reason, test.reason) || got.Synced == (got.Reason != "") {
				t.Errorf("%+v; bd was asked %q", got, d.asked("bd"))
			}
		})
	}
	d := newDesk(t, "main")
	if got := d.work().Sync(t.Context()); got.Synced || !strings.Contains(got.Hint, "install beads") {
		t.Errorf("without bd: %+v", got)
	}
}

func TestComplete(t *testing.T) {
	for name, test := range map[string]struct {
		branch, id, message, status string
		dirty, closed               bool
	}{
		"of the branch": {"bd-a3f8/fix-login", "", "Bead demo-a3f8 has been closed.", "closed", false, true},
		"by its name":   {"main", "demo-a3f8", "Bead demo-a3f8 has been closed.", "closed", false, true},
		"dirty":         {"main", "demo-a3f8", "Warning: You have uncommitted changes. Please commit before completing: README", "in_progress", true, false},
		"of no branch":  {"main", "", "Could not determine bead ID.", "open", false, false},
	} {
		t.Run(name, func(t *testing.T) {
			d := newDesk(t, test.branch)
			d.program("bd", bdToday)
			if test.dirty {
				d.write("README", "changed\n")
			}
			c, err := d.work().Complete(t.Context(), test.id)
			if err != nil || !strings.HasPrefix(c.Message, test.message) || c.Status != test.status {
				t.Errorf("%+v, %v", c, err)
			}
			if closed := slices.Contains(d.asked("bd"), "close demo-a3f8"); closed != test.closed {
				t.Errorf("bd was asked %q", d.asked("bd"))
			}
		})
	}
	d := newDesk(t, "main")
	d.program("bd", bdToday)
	if _, err := d.work().Complete(t.Context(), "demo-none"); err == nil {
		t.Error("an unknown issue was closed")
	}
	d.program("bd", `echo '[{"id":"demo-a3f8","status":"closed"}]'`)
	if c, err := d.work().Complete(t.Context(), "demo-a3f8"); err != nil || c.Message != "Bead demo-a3f8 is already closed." {
		t.Errorf("%+v, %v", c, err)
	}
}

func TestFilePR(t *testing.T) {
	d := newDesk(t, "bd-a3f8/fix-login")
	both(bdToday, ghToday)(d)
	w := d.work()
	draft, err := w.DraftPR(t.Context(), "", "")
	if err != nil || draft.Title != "[demo-a3f8] Fix the login" || draft.Base != "main" || draft.Head != "bd-a3f8/fix-login" {
		t.Fatalf("%+v, %v", draft, err)
	}
	for _, part := range []string{"Closes demo-a3f8\n", "## Description\n\nIt fails.\n", "  → demo-2: Keys\n", "## Dependents\n\n  → demo-9: Release\n"} {
		if !strings.Contains(draft.Body, part) {
			t.Errorf("the body lacks %q:\n%s", part, draft.Body)
		}
	}
	for _, line := range d.asked("gh") {
		if strings.HasPrefix(line, "pr create") {
			t.Errorf("a draft was filed: %s", line)
		}
	}
	if url, err := w.FilePR(t.Context(), draft); err != nil || url != "https://github.com/acme/demo/pull/8" {
		t.Errorf("%q, %v", url, err)
	}
	d.git("checkout", "--quiet", "-b", "other")
	if _, err := w.DraftPR(t.Context(), "", ""); err == nil || !strings.Contains(err.Error(), "pass title") {
		t.Errorf("a branch without an issue: %v", err)
	}
	d.program("gh", `case "$*" in "repo view"*) echo main ;; *) echo 'pull request create failed: GraphQL: Head sha can'"'"'t be blank' >&2; exit 1 ;; esac`)
	if _, err := w.FilePR(t.Context(), draft); err == nil || !strings.Contains(err.Error(), "Head sha") {
		t.Errorf("a refusal of the server: %v", err)
	}
}

func TestReviews(t *testing.T) {
	d := newDesk(t, "main")
	both(bdToday, ghToday)(d)
	by, err := d.work().Reviews(t.Context(), 7)
	if err != nil {
		t.Fatal(err)
	}
	bob, eve := by["bob"], by["eve"]
	if len(bob) != 2 || bob[0].State != "CHANGES_REQUESTED" || bob[1].Path != "a.go" || bob[1].Line != 3 {
		t.Errorf("bob: %+v", bob)
	}
	if len(eve) != 1 || eve[0].Line != 0 || eve[0].Body != "there" {
		t.Errorf("eve: %+v", eve)
	}
	if _, err := d.work().Reviews(t.Context(), 8); err == nil {
		t.Error("a pull request that is not there has reviews")
	}
}

func TestSpawn(t *testing.T) {
	d := newDesk(t, "main")
	d.program("bd", `
case "$2" in
blocked-1) echo '[{"id":"blocked-1","title":"No","status":"blocked"}]' ;;
*) `+strings.TrimPrefix(bdToday, "\n")+`;; esac`)
	w := d.work()
	plots, failed, err := w.PlanWorktrees(t.Context(), []string{"a3f8", "blocked-1", "demo-none"})
	if err != nil || len(plots) != 1 || len(failed) != 2 || failed[0][1] != "Bead is blocked: blocked-1" || failed[1][1] != "Bead not found: demo-none" {
		t.Fatalf("%+v %+v %v", plots, failed, err)
	}
	if _, err := os.Stat(plots[0].Path); err == nil {
		t.Error("a plan was carried out")
	}
	s := w.Spawn(t.Context(), plots)
	want := filepath.Join(".worktrees", "bd-demo-a3f8-fix-the-login")
	if len(s.Failed) > 0 || len(s.Worktrees) != 1 || !strings.HasSuffix(s.Worktrees[0][1], want) || !strings.HasPrefix(s.Bootstrap[0], "cd '/") {
		t.Fatalf("%+v", s)
	}
	if branch := d.git("-C", s.Worktrees[0][1], "branch", "--show-current"); strings.TrimSpace(branch) != "bd-demo-a3f8/fix-the-login" {
		t.Errorf("on branch %q", branch)
	}
	if status := d.git("status", "--porcelain"); status != "" {
		t.Errorf("git sees the worktrees: %q", status)
	}
	if again := w.Spawn(t.Context(), plots); len(again.Failed) != 1 || !strings.Contains(again.Failed[0][1], "already exists") {
		t.Errorf("twice: %+v", again)
	}
}
