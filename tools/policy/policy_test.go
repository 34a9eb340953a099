package policy

import (
	"encoding/json"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"time"

	"tidepool/internal/policy"
	"tidepool/internal/wording"
	"tidepool/tools"
)

// registry returns the tools over an engine with a rule and policies of files.
func registry(t *testing.T) (*tools.Registry, *policy.Engine) {
	t.Helper()
	rules, err := policy.New([]policy.Rule{{Decision: "ask", Tool: "Write", Pattern: `\.env$`, Reason: "It holds secrets."}, {Decision: "allow", Tool: "Bash"}}, false)
	if err != nil {
		t.Fatal(err)
	}
	engine := policy.NewEngine(rules, slog.New(slog.DiscardHandler))
	if err := engine.Define([]policy.Definition{
		{
			ID: "SEC-1", Title: "No force pushes", Category: "security", Severity: policy.Error, Level: policy.Organisation, Source: "/etc/x.json:2",
			Requirement: "Say </policy> what you want.", Enforcement: []policy.Condition{{Tool: "Bash", Field: "command", Pattern: `push.*--force`}},
		},
		{ID: "TST-1", Title: "Short tests", Category: "testing", Severity: policy.Info, Level: policy.Team, Source: "t.json:1", Requirement: "Use -short.", Enforcement: []policy.Condition{{Tool: "Bash", Pattern: "go test"}}},
		{ID: "OLD-1", Title: "Old", Severity: policy.Error, Level: policy.Team, Source: "t.json:2", Expires: time.Date(2020, 2, 1, 0, 0, 0, 0, time.UTC), Enforcement: []policy.Condition{{}}},
		{ID: "DOC-1", Title: "Document", Category: "documentation", Severity: policy.Warning, Level: policy.Project, Source: "p.json:1"},
		{ID: "SEC-1", Title: "Mine", Severity: policy.Warning, Level: policy.Project, Source: "p.json:2", Enforcement: []policy.Condition{{Tool: "Bash", Pattern: "mine"}}},
	}); err != nil {
		t.Fatal(err)
	}
	r := tools.NewRegistry()
	if err := r.Discover(&Toolset{Policies: engine}); err != nil {
		t.Fatal(err)
	}
	return r, engine
}

// call calls a tool, and returns its text and its JSON.
func call(t *testing.T, tool, arguments string) (text, result string) {
	t.Helper()
	r, _ := registry(t)
	got, err := r.Call(t.Context(), tools.Call{Tool: tool}, json.RawMessage(arguments))
	if err != nil {
		t.Fatalf("%s %s: %v", tool, arguments, err)
	}
	return got.Text, string(got.JSON)
}

func TestPolicyCheck(t *testing.T) {
	const unchecked = "Policies without enforcement were not checked; policy_get shows them: DOC-1.\n"
	for arguments, want := range map[string]string{
		`{"action": "git push --force", "context": "a reason", "session_id": "s"}`: "not compliant: it would be denied (checked: Bash with action as command)\n" +
			"error SEC-1: Policy SEC-1 of the organisation (No force pushes): Say ‹/policy› what you want. Do without it, or ask the user.\n" +
			"Do without it, or ask the user.\n",
		`{"action": "go test ./..."}`: "compliant: it is allowed (checked: Bash with action as command)\ninfo TST-1: Policy TST-1 of the team (Short tests): Use -short.\n",
		`{"action": "conf/.env"}`: "not compliant: the user would be asked (checked: Bash with action as command; Write with action as file_path)\n" +
			"warning rule 1: It holds secrets.\nThe user will be asked; say why you want it.\n",
		`{"action": "conf/.env", "tool": "Read"}`: "compliant: the user's own permissions decide (checked: Read with action as file_path)\n",
		`{"action": "x", "tool": "Write", "input": "{\"file_path\": \".env\"}"}`: "not compliant: the user would be asked (checked: Write with its input)\n" +
			"warning rule 1: It holds secrets.\nThe user will be asked; say why you want it.\n",
	} {
		if got, _ := call(t, "policy_check", arguments); got != want+unchecked {
			t.Errorf("%s: got\n%s\nwant\n%s", arguments, got, want+unchecked)
		}
	}
	_, result := call(t, "policy_check", `{"action": "git push --force"}`)
	for _, want := range []string{`{"compliant":false,"decision":"deny","violations":[{"policy_id":"SEC-1","policy_title":"No force pushes","reason":"Policy SEC-1`, `"severity":"error"}],"suggestions":["Do without`, `"tokens_used":`} {
		if !strings.Contains(result, want) {
			t.Errorf("got %s, want %s", result, want)
		}
	}
}

// The check says what the hook says, and counts nothing.
func TestCheckIsTheEngine(t *testing.T) {
	r, engine := registry(t)
	for _, command := range []string{"git push --force", "go test", "ls"} {
		arguments, err := json.Marshal(PolicyCheckInput{Action: command, Tool: "Bash"})
		if err != nil {
			t.Fatal(err)
		}
		got, err := r.Call(t.Context(), tools.Call{Tool: "policy_check"}, arguments)
		if err != nil {
			t.Fatal(err)
		}
		if n := engine.Counts().Checked; n != 0 {
			t.Fatalf("%d calls are counted", n)
		}
		input, _ := json.Marshal(map[string]string{"command": command})
		if j := engine.Weigh("Bash", input); !strings.Contains(string(got.JSON), `"decision":"`+j.Verdict.Decision.String()+`"`) {
			t.Errorf("%s: the engine says %v, the tool %s", command, j.Verdict.Decision, got.JSON)
		}
	}
}

func TestPolicyList(t *testing.T) {
	for arguments, want := range map[string]string{
		`{}`: "5 policies\nSEC-1 error, security, org: No force pushes\nTST-1 info, testing, team: Short tests\nOLD-1 error, team, expired: Old\n" +
			"DOC-1 warning, documentation, project, not enforced: Document\nSEC-1 warning, project: Mine\n",
		`{"scope": "team", "category": "testing"}`: "1 policy\nTST-1 info, testing, team: Short tests\n",
		`{"category": "repo"}`:                     "0 policies\n",
	} {
		if got, _ := call(t, "policy_list", arguments); got != want {
			t.Errorf("%s: got\n%s\nwant\n%s", arguments, got, want)
		}
	}
	_, result := call(t, "policy_list", `{"scope": "team", "category": "testing"}`)
	if want := `{"policies":[{"id":"TST-1","title":"Short tests","category":"testing","severity":"info","scope":"team","state":"in force"}],"total":1,"tokens_used":`; !strings.HasPrefix(result, want) {
		t.Errorf("got %s", result)
	}
}

func TestPolicyGet(t *testing.T) {
	got, result := call(t, "policy_get", `{"id": "SEC-1"}`)
	const want = "SEC-1 error, security, org: No force pushes\nRequirement: Say ‹/policy› what you want.\nMatches: Bash, if command matches push.*--force\nFrom: /etc/x.json:2\n" +
		"SEC-1 warning, project: Mine\nMatches: Bash, if its command, path or address matches mine\nFrom: p.json:2\n"
	if got != want || !strings.Contains(result, `"requirement":"Say ‹/policy› what you want.","enforcement":[{"tool":"Bash","field":"command","pattern":"push.*--force"}]`) {
		t.Errorf("got\n%s\n%s", got, result)
	}
	r, _ := registry(t)
	_, err := r.Call(t.Context(), tools.Call{Tool: "policy_get"}, json.RawMessage(`{"id": "SEC-2"}`))
	if _, unknown := errors.AsType[*unknownError](err); !unknown || wording.HintOf(err) == "" {
		t.Errorf("got %v", err)
	}
	_, err = r.Call(t.Context(), tools.Call{Tool: "policy_check"}, json.RawMessage(`{"action": "x", "tool": "Write", "input": "[]"}`))
	if err == nil || !strings.Contains(err.Error(), "input is no JSON object") || wording.HintOf(err) == "" {
		t.Errorf("got %v", err)
	}
}
