package statuspage

import (
	"bytes"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"tidepool/controlserver/internal/page"
	"tidepool/protocol"
)

func TestDescribeServer(t *testing.T) {
	tests := []struct {
		name string
		row  protocol.LanguageServer
		want string
	}{
		{"ready", protocol.LanguageServer{Command: "gopls", State: "ready", PID: 7, MemoryBytes: 300 << 20, Completeness: "complete"}, "gopls ready, pid 7, 300 MB"},
		{"one project", protocol.LanguageServer{Command: "gopls", State: "ready", PID: 7, Trees: []string{"/p"}, Roots: []string{"/p"}}, "gopls ready, pid 7"},
		{"several", protocol.LanguageServer{Command: "gopls", State: "indexing", Done: 2, Total: 9, Completeness: "indexing", Trees: []string{"/p", "/w"}, Roots: []string{"/p/a", "/p/b", "/w/a"}},
			"gopls indexing, 2 of 9, 3 projects in 2 checkouts"},
		{"for drafts", protocol.LanguageServer{Command: "gopls", State: "ready", PID: 8, Drafts: true}, "gopls for drafts ready, pid 8"},
		{"idle", protocol.LanguageServer{Command: "clangd", State: "idle", Completeness: "indexing", Message: "clangd starts with the next question", Note: "stopped: nobody has asked for 30m0s"},
			"clangd idle: clangd starts with the next question; stopped: nobody has asked for 30m0s"},
		{"restarted", protocol.LanguageServer{Command: "tsserver", State: "ready", PID: 9, Restarts: 1, Note: "restarted: it occupied 5000 MB, more than the limit of 4096 MB"},
			"tsserver ready, pid 9, restarts: 1; restarted: it occupied 5000 MB, more than the limit of 4096 MB"},
	}
	for _, test := range tests {
		if got := describeServer(test.row); got != test.want {
			t.Errorf("%s:\ngot  %s\nwant %s", test.name, got, test.want)
		}
	}
}

func TestAnswersRow(t *testing.T) {
	for _, test := range []struct{ completeness, first, second, want string }{
		{"complete", "ready", "idle", "answers       complete"},
		{"indexing", "starting", "idle", "answers       indexing"},
		{"unknown", "idle", "idle", "answers       begin with the start of a language server: all are idle"},
	} {
		var out strings.Builder
		status := &protocol.StatusResponse{Completeness: test.completeness, LanguageServers: []protocol.LanguageServer{{State: test.first}, {State: test.second}}}
		printAnswers(page.New(&out), status)
		if got := strings.TrimSpace(out.String()); got != test.want {
			t.Errorf("%s beside %s:\ngot  %s\nwant %s", test.first, test.second, got, test.want)
		}
	}
}

func TestPrint(t *testing.T) { synctest.Test(t, testPrint) } // whose time stands still

func testPrint(t *testing.T) {
	ago := func(d time.Duration) string { return time.Now().Add(-d).Format(time.RFC3339) }
	s := &protocol.StatusResponse{
		PID: 12, Version: "v1", Commit: "68c4", Build: "1f-2e", Project: "/p\x1b[2J", UptimeMS: 3_600_000, Completeness: "indexing", MemoryBytes: 24 << 20,
		LanguageServers: []protocol.LanguageServer{
			{Language: "go", Command: "gopls", PID: 13, State: "indexing", Since: ago(90 * time.Second), Done: 3, Total: 10, Restarts: 1, Completeness: "indexing", MemoryBytes: 1},
			{Language: "rust", Command: "rust-analyzer", State: "missing", Message: "rust-analyzer is not on PATH", Completeness: "partial"},
		},
		Clients: 2, Calls: 5, CallsInFlight: 1, Sessions: 1,
		Hooks: map[string]int64{"Stop": 1, "PreToolUse": 4},
		RecentHooks: []protocol.HookOutcome{
			{Time: ago(0), Event: "Stop", Decision: "pass", TookUS: 4},
			{Time: ago(0), Event: "PreToolUse", Tool: "Bash", Decision: "deny", Rule: 2, Reason: strings.Repeat("long ", 20) + "\x1b[31m", TookUS: 1234,
				Parts: []protocol.HookPart{{Name: "policy", Decided: true}}},
			{Time: ago(0), Event: "SessionStart", Decision: "pass", TookUS: 4, Parts: []protocol.HookPart{
				{Name: "diagnostics", Failed: "it was late"}, {Name: "trust", Characters: 131}, {Name: "languages", Characters: 88, Cut: 7},
			}},
			{Time: "soon", Decision: "pass", Reason: "its input is no JSON object"},
		},
		Settings: &protocol.SettingsState{LoadedAt: ago(0), Ignored: []string{"config.json:3: no"}, Restart: []string{"log.level"}},
		Problems: []string{"the log cannot be written"},
		Memory: &protocol.MemoryState{
			BudgetBytes: 4096 << 20, BudgetReason: "as set", OccupiedBytes: 25 << 20,
			Occupants: []protocol.MemoryOccupant{{Name: "daemon", Bytes: 24 << 20}, {Name: "gopls", Bytes: 1 << 20}},
		},
	}
	var out bytes.Buffer
	Print(page.New(&out), s)
	now := time.Now().Local().Format(time.TimeOnly)
	want := `daemon        pid 12, version v1 (commit 68c4, build 1f-2e), up 1h0m0s, 24 MB
PROBLEM       the log cannot be written
project       /p\x1b[2J
answers       indexing
go            gopls indexing, 3 of 10 for 1m30s, pid 13, 1 MB, restarts: 1
rust          rust-analyzer missing, answers partial: rust-analyzer is not on
              PATH
memory        25 of 4096 MB (as set): daemon 24, gopls 1
calls         5, 1 in flight
clients       2 attached; hooks came from 1 session
settings      in force since ` + now + `
IGNORED       newer settings: config.json:3: no
              changed, but count from the next start on: log.level
hooks         PreToolUse 4, Stop 1
` + now + `      Stop: pass in 4µs
` + now + `      PreToolUse Bash: deny by rule 2 in 1.23ms: long long long long
              long long long long long long long long long long long long long
              long long long \x1b[31m
` + now + `      SessionStart: pass in 4µs; the model reads 131 characters of
              trust, 88 of languages (7 are cut); diagnostics failed: it was
              late
soon          pass in 0s: its input is no JSON object
`
	if diff := cmp.Diff(want, out.String()); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// failed writes records as the agent does, and a line that a full disk cut.
