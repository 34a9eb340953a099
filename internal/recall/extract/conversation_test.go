package extract_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"tidepool/internal/fulltext"
	"tidepool/internal/recall/extract"
	"tidepool/internal/recall/memory"
)

func conversation(t *testing.T, agent string) *extract.Conversation {
	t.Helper()
	all := extract.Conversations{Root: "/project"}
	c, known := all.Of(extract.Key{Session: "s", Agent: agent})
	if known {
		t.Fatal("a new conversation is known")
	}
	return c
}

func now() time.Time { return time.Date(2026, 3, 12, 10, 0, 0, 0, time.UTC) }

func bash(command string, exit int, output string) extract.ToolUse {
	return extract.ToolUse{Name: "Bash", Command: command, Output: output, Exit: exit, Failed: exit != 0, At: now()}
}

func edit(file string) extract.ToolUse {
	return extract.ToolUse{Name: "Edit", File: "/project/" + file, At: now()}
}

// of returns the drafts of a kind.
func of(kind memory.Kind, drafts []memory.Draft) []memory.Draft {
	return slices.DeleteFunc(slices.Clone(drafts), func(d memory.Draft) bool { return d.Kind != kind })
}

const (
	drainFails  = "--- FAIL: TestDrain (0.00s)\n    queue_test.go:12: got 3 results, want 4\nFAIL\nFAIL\tx/queue\t0.01s\nFAIL\n"
	drainPasses = "ok  \tx/queue\t0.01s\n"
)

// A flaky test is repaired and committed: the fix, what the commit decides, and the session are learned.
func TestConversation(t *testing.T) {
	c := conversation(t, "")
	if got := c.Prompt("The drain test is flaky, find out why and fix it.", now()); len(got) > 0 {
		t.Errorf("the prompt is remembered: %v", got)
	}
	if got := c.Tool(bash("go test ./queue", 1, drainFails)); len(got) > 0 {
		t.Errorf("a failure alone is remembered: %v", got)
	}
	c.Tool(edit("queue/queue.go"))
	got := c.Tool(bash("go test ./queue", 0, drainPasses))
	want := "`go test ./queue` failed: TestDrain: queue_test.go:12: got 3 results, want 4\nIt passed after changes to queue/queue.go."
	if len(got) != 1 || got[0].Kind != memory.Fix || got[0].Content != want || got[0].Outcome != memory.Success || got[0].Turn != 1 {
		t.Fatalf("the fix is %+v", got)
	}
	got = c.Tool(bash(`git commit -qam "queue: wait for the last worker" -m "Stop waits instead of closing, because a closed channel drops results."`, 0,
		"[main 1234567] queue: wait for the last worker\n 1 file changed\n"))
	fixes, decisions, sessions := of(memory.Fix, got), of(memory.Decision, got), of(memory.Session, got)
	if len(fixes) != 1 || fixes[0].Content != want+"\nCommit: queue: wait for the last …" || fixes[0].Commit != "1234567" {
		t.Errorf("the fix with its commit is %+v", fixes)
	}
	if len(decisions) != 1 || decisions[0].Content != "queue: wait for the last worker: Stop waits instead of closing, because a closed channel drops results." {
		t.Errorf("the decision is %+v", decisions)
	}
	summary := "Goal: The drain test is flaky, find out why and fix it.\nCommits: queue: wait for the last worker\nFiles: queue/queue.go\nLast: go test passed"
	if len(sessions) != 1 || sessions[0].Content != summary || !sessions[0].Replaces || sessions[0].Session != "s" {
		t.Errorf("the session is %+v", sessions)
	}
	if again := c.Summary(); len(again) > 0 {
		t.Errorf("the same summary is returned twice: %v", again)
	}
	if again := c.Commit(extract.Commit{Hash: "1234567890abcdef", Subject: "queue: wait for the last worker"}); len(again) > 0 {
		t.Errorf("the same commit counts twice: %v", again)
	}
	resumed := conversation(t, "")
	resumed.Resume(summary)
	resumed.Tool(edit("queue/stop.go"))
	if got := resumed.Summary(); len(got) != 1 || !strings.Contains(got[0].Content, "Commits: queue: wait for the last worker\nFiles: queue/stop.go, queue/queue.go") {
		t.Errorf("the resumed summary is %+v", got)
	}
}

// With its commit a fix still says nearly the same as without, whatever the subject: it is to be merged with the one that is kept.
func TestAFixWithItsCommitIsTheSameFix(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		c := conversation(t, "")
		c.Tool(bash("go test ./queue", 1, strings.ReplaceAll(drainFails, "got 3", "got "+rapid.StringMatching(`[a-zA-Z0-9_ ]{1,100}`).Draw(r, "got"))))
		c.Tool(edit("queue/queue.go"))
		before := of(memory.Fix, c.Tool(bash("go test ./queue", 0, drainPasses)))
		subject := rapid.StringMatching(`[a-z]+/?[a-z]*: [A-Za-z_. ]{1,120}`).Draw(r, "subject")
		after := of(memory.Fix, c.Commit(extract.Commit{Hash: "1234567", Subject: subject}))
		if len(before) != 1 || len(after) != 1 || after[0].Commit != "1234567" {
			r.Fatalf("before %+v, after %+v", before, after)
		}
		a, b := words(before[0]), words(after[0])
		both := 0
		for word := range a {
			if b[word] {
				both++
			}
		}
		if either := len(a) + len(b) - both; float64(both) < .8*float64(either) {
			r.Fatalf("%d of %d words of %q are shared", both, either, after[0].Content)
		}
	})
}

func words(d memory.Draft) map[string]bool {
	all := map[string]bool{}
	for _, word := range fulltext.Words(d.Gist + "\n" + d.Content) {
		all[word] = true
	}
	return all
}
