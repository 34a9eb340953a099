package work

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"tidepool/internal/session"
	"tidepool/internal/work"
	"tidepool/protocol"
	"tidepool/tools"
	"tidepool/tools/internal/toolstest"
	"tidepool/tools/people"
)

// exoDesk is a git repository on a branch, with programs that play bd and gh, and a registry of the exo tools.
func exoDesk(t *testing.T, reply func(protocol.Question) *protocol.QuestionReply) (dir string, r *tools.Registry, d *toolstest.FakeUser) {
	t.Helper()
	base := t.TempDir()
	dir, bin := filepath.Join(base, "demo"), filepath.Join(base, "bin")
	for name, script := range map[string]string{
		"bd": `case "$*" in
"show demo-1 --json") echo '[{"id":"demo-1","title":"Fix \u001b[2J it","status":"open","priority":1,"issue_type":"bug","dependencies":[{"id":"demo-2","title":"Keys","status":"open","dependency_type":"blocks"}]}]' ;;
"close demo-1") ;;
*) echo "Error: unknown command" >&2; exit 1 ;; esac`,
		"gh": `echo "$*" >> "` + base + `/gh.log"
case "$1 $2" in
"pr list") echo '[{"number":7,"title":"Fix it","author":{"login":"ann"},"state":"OPEN","url":"https://github.com/acme/demo/pull/7","headRefName":"bd-demo-1/fix","baseRefName":"main","reviewDecision":"REVIEW_REQUIRED","statusCheckRollup":[{"name":"lint","conclusion":"FAILURE"}]}]' ;;
"repo view") echo main ;;
"pr create") echo https://github.com/acme/demo/pull/8 ;;
*) exit 1 ;; esac`,
	} {
		if err := os.MkdirAll(bin, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(bin, name), []byte("#!/bin/sh\n"+script+"\n"), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("PATH", bin+":"+os.Getenv("PATH"))
	for _, args := range [][]string{
		{"init", "--quiet", "--initial-branch", "bd-demo-1/fix", dir},
		{"-C", dir, "-c", "user.name=a", "-c", "user.email=a@example.com", "commit", "--quiet", "--allow-empty", "-m", "begin"},
		{"-C", dir, "remote", "add", "origin", "https://github.com/acme/demo"},
	} {
		if out, err := exec.Command("git", args...).CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	d = toolstest.NewFakeUser(t, reply)
	r = tools.NewRegistry()
	if err := r.Discover(&Toolset{Work: work.New(work.Options{Dir: dir}), Root: dir, People: &people.Toolset{Asker: d}}); err != nil {
		t.Fatal(err)
	}
	return dir, r, d
}

func TestExoStatus(t *testing.T) {
	dir, r, _ := exoDesk(t, toolstest.Saying("no", ""))
	if err := os.WriteFile(filepath.Join(dir, "ü new"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	got, err := r.Call(t.Context(), tools.Call{Tool: "exo_status"}, json.RawMessage(`{}`))
	if err != nil {
		t.Fatal(err)
	}
	want := `bug demo-1: Fix [2J it (open, priority 1)
  needs demo-2: Keys (open, blocks)
worktree demo: ` + dir + `
branch bd-demo-1/fix, without an upstream
1 uncommitted:
  ?? ü new
pull request #7 open: Fix it (bd-demo-1/fix → main)
  https://github.com/acme/demo/pull/7
  review: review required; checks: 0 passed, 1 failed, 0 pending
  failing: lint
`
	if got.Text != want {
		t.Errorf("got\n%swant\n%s", got.Text, want)
	}
	for _, part := range []string{`"dirty_files":["ü new"]`, `"is_worktree":false`, `"prNumber":7`, `"missing":[]`} {
		if !strings.Contains(string(got.JSON), part) {
			t.Errorf("%s lacks %s", got.JSON, part)
		}
	}
	got, err = r.Call(t.Context(), tools.Call{Tool: "exo_reconstitute"}, json.RawMessage(`{}`))
	if err != nil || !strings.HasPrefix(got.Text, "issues not synced: bd version: exit status 1: Error: unknown command\n") {
		t.Errorf("%v\n%s", err, got.Text)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := r.Call(ctx, tools.Call{Tool: "exo_status"}, json.RawMessage(`{}`)); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

// TestExoStatusOfAnotherCheckout asks from a worktree.
func TestExoStatusOfAnotherCheckout(t *testing.T) {
	dir, r, _ := exoDesk(t, toolstest.Saying("no", ""))
	side := filepath.Join(t.TempDir(), "side")
	if out, err := exec.Command("git", "-C", dir, "worktree", "add", "--quiet", "-b", "other", side).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	got, err := r.Call(t.Context(), tools.Call{Tool: "exo_status", Caller: session.Conversation{Dir: side}}, json.RawMessage(`{}`))
	if err != nil || !strings.Contains(got.Text, "branch other") || !strings.Contains(got.Text, "missing (bd): the name of branch other has no issue in it") {
		t.Errorf("%v\n%s", err, got.Text)
	}
}

// TestFilingAsksFirst checks that nothing leaves the machine without a yes.
func TestFilingAsksFirst(t *testing.T) {
	for name, test := range map[string]struct {
		reply func(protocol.Question) *protocol.QuestionReply
		want  string
		filed bool
	}{
		"yes":    {toolstest.Saying("yes", ""), `{"url":"https://github.com/acme/demo/pull/8","error":null}`, true},
		"no":     {toolstest.Saying("no", ""), `{"url":null,"error":"the user said no (ui)"}`, false},
		"nobody": {func(protocol.Question) *protocol.QuestionReply { return nil }, ``, false},
	} {
		t.Run(name, func(t *testing.T) {
			dir, r, d := exoDesk(t, test.reply)
			ctx := t.Context()
			if test.want == "" {
				var cancel context.CancelFunc
				ctx, cancel = context.WithTimeout(ctx, 2_000_000_000)
				defer cancel()
			}
			got, err := r.Call(ctx, tools.Call{Tool: "file_pr"}, json.RawMessage(`{}`))
			if string(got.JSON) != test.want || (err != nil) != (test.want == "") {
				t.Errorf("%s %v", got.JSON, err)
			}
			log, _ := os.ReadFile(filepath.Join(dir, "..", "gh.log"))
			if filed := strings.Contains(string(log), "pr create"); filed != test.filed {
				t.Errorf("gh was asked\n%s", log)
			}
			if q := d.Asked; !strings.HasPrefix(q.Text, "File a pull request on acme/demo: [demo-1] Fix") || !strings.Contains(q.Details, "Closes demo-1") {
				t.Errorf("the user was asked %+v", q)
			}
		})
	}
}

func TestSpawningOutsideAsksFirst(t *testing.T) {
	dir, r, d := exoDesk(t, toolstest.Saying("no", ""))
	got, err := r.Call(t.Context(), tools.Call{Tool: "spawn_agents"}, json.RawMessage(`{"bead_ids":["demo-1"]}`))
	if err != nil || d.Asked.ID != "" || !strings.Contains(got.Text, "demo-1: cd '"+dir+"/.worktrees/bd-demo-1-fix") {
		t.Errorf("inside: %v\n%s%+v", err, got.Text, d.Asked)
	}
	narrow := tools.NewRegistry()
	if err := narrow.Discover(&Toolset{Work: work.New(work.Options{Dir: dir}), Root: filepath.Join(dir, "below"), People: &people.Toolset{Asker: d}}); err != nil {
		t.Fatal(err)
	}
	if _, err := narrow.Call(t.Context(), tools.Call{Tool: "spawn_agents"}, json.RawMessage(`{"bead_ids":["demo-1"]}`)); err == nil || !strings.Contains(err.Error(), "the user said no") {
		t.Errorf("outside: %v", err)
	}
}

func TestExoComplete(t *testing.T) {
	_, r, _ := exoDesk(t, toolstest.Saying("no", ""))
	got, err := r.Call(t.Context(), tools.Call{Tool: "exo_complete"}, json.RawMessage(`{}`))
	if err != nil || !strings.Contains(string(got.JSON), `"bead_id":"demo-1","status":"closed"`) || !strings.HasPrefix(got.Text, "Bead demo-1 has been closed.") {
		t.Errorf("%s %v", got.JSON, err)
	}
}

// A program's message keeps its lines.
func TestMessagesKeepTheirLines(t *testing.T) {
	failed := work.Gap{Source: "bd", Reason: "bd show: exit status 1: Error: no beads database found\nHint: run 'bd init'\x1b", Hint: "run bd doctor"}
	out := &ExoStatusOutput{Status: work.Status{Gaps: []work.Gap{failed}}}
	if got, want := out.Text(), "missing (bd): bd show: exit status 1: Error: no beads database found\n  Hint: run 'bd init': run bd doctor\n"; !strings.Contains(got, want) {
		t.Errorf("got %s", got)
	}
}
