package serve

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"tidepool/internal/config"
	"tidepool/internal/daemontest"
	"tidepool/internal/diagnostics"
	"tidepool/internal/hook"
	"tidepool/internal/policy"
	"tidepool/internal/recollect"
	"tidepool/internal/redact"
	"tidepool/internal/searchnote"
	"tidepool/protocol"
)

// bash is a tool call that the rules of these tests decide about.
const bash = `{"hook_event_name": "PreToolUse", "session_id": "s", "tool_name": "Bash", "tool_input": {"command": "make"}}`

func policyText(reason string) string {
	return `{"policy": [{"decision": "deny", "tool": "Bash", "reason": "` + reason + `"}]}`
}

// A followed policy is that of a reloader.
type followed struct {
	*reloader
	hooks *hook.Router
}

// reloading makes a reloader for the project in dir.
func reloading(t *testing.T, dir string) followed {
	t.Helper()
	settings, err := config.Load(config.Sources{Project: dir})
	if err != nil {
		t.Fatal(err)
	}
	decided, err := NewPolicy(settings)
	if err != nil {
		t.Fatal(err)
	}
	log := slog.New(slog.DiscardHandler)
	live := live{policy.NewEngine(decided, log), diagnostics.New(nil, dir, newDiagnostics(settings), log), recollect.NewOpener(nil), redact.New(redact.Options{}), searchnote.New(nil, searchnote.Settings{}, log)}
	r := newReloader(config.Path(dir), settings, live, log)
	return followed{r, hook.New(hook.Options{Parts: []hook.Part{
		{Name: "settings", Contributor: r, Conduct: hook.Deciding}, {Name: "policy", Contributor: live.policy, Conduct: hook.Deciding},
	}})}
}

// asked is what the reloader answers, a second after the last time it was asked.
func asked(f followed) string {
	time.Sleep(lookEvery)
	return f.now()
}

// now is what the reloader answers at once.
func (f followed) now() string {
	return string(f.hooks.Hook(context.Background(), &protocol.HookEvent{Input: json.RawMessage(bash)}).Output)
}

// Who switches recall off need not restart the daemon for it.
func TestRecallFollowsTheSettings(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		dir := daemontest.Project(t)
		r := reloading(t, dir)
		for _, on := range []bool{false, true, false} {
			daemontest.WriteConfig(t, dir, fmt.Sprintf(`{"recall": {"enabled": %t}}`, on))
			asked(r)
			if got := r.live.recall.Enabled(); got != on {
				t.Errorf("recall.enabled is %t, and recall is on: %t", on, got)
			}
		}
	})
}

func TestPolicyFollowsTheSettings(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		dir := daemontest.Project(t)
		r := reloading(t, dir)
		if got := asked(r); got != `{"continue":true}` {
			t.Errorf("without settings: %s", got)
		}
		for _, reason := range []string{"the first", "a second one"} {
			daemontest.WriteConfig(t, dir, policyText(reason))
			if got := asked(r); !strings.Contains(got, reason) {
				t.Errorf("after writing %q: %s", reason, got)
			}
		}
		daemontest.WriteConfig(t, dir, `{"pre_tool_use": "allow", "log": {"level": "debug"}}`)
		if got := asked(r); !strings.Contains(got, `"allow"`) {
			t.Errorf("pre_tool_use is not taken: %s", got)
		}
		if s := r.State(); !slices.Equal(s.Restart, []string{"log.level"}) || s.Ignored != nil {
			t.Errorf("state is %+v", s)
		}
	})
}

// Half a file, a rule that cannot be used, a key that nobody knows: the policy before stays whole, until all is right.
func TestSettingsThatCannotBeUsedChangeNothing(t *testing.T) {
	tests := map[string]string{
		"":  "expected a JSON object, got nothing",
		`{`: "config.json:1: not valid JSON",
		"{\"policy\": [\n{\"decision\": \"allow\"},\n{\"decision\": \"deny\", \"pattern\": \"(x\"}]}": "config.json:3: policy[1].pattern: expected a regular expression",
		`{"pre_tool_use": "allow", "polcy": []}`:                                                      `did you mean "policy"?`,
	}
	for text, want := range tests {
		synctest.Test(t, func(t *testing.T) {
			dir := daemontest.Project(t)
			daemontest.WriteConfig(t, dir, policyText("the first"))
			r := reloading(t, dir)
			daemontest.WriteConfig(t, dir, text)
			if got := asked(r); !strings.Contains(got, "the first") {
				t.Errorf("%s: the policy before is gone: %s", text, got)
			}
			if s := r.State(); len(s.Ignored) != 1 || !strings.Contains(s.Ignored[0], want) {
				t.Errorf("%s: state is %+v, want %q", text, s, want)
			}
			daemontest.WriteConfig(t, dir, policyText("the repaired"))
			if got := asked(r); !strings.Contains(got, "the repaired") || r.State().Ignored != nil {
				t.Errorf("%s: after the repair: %s, %+v", text, got, r.State())
			}
		})
	}
}

// An editor that puts a new file in the place of the old one leaves none for a moment.
func TestSettingsThatAreMissing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		dir := daemontest.Project(t)
		daemontest.WriteConfig(t, dir, policyText("the first"))
		r := reloading(t, dir)
		if err := os.Remove(config.Path(dir)); err != nil {
			t.Fatal(err)
		}
		if got := asked(r); !strings.Contains(got, "the first") {
			t.Errorf("at once: %s", got)
		}
		if got := asked(r); got != `{"continue":true}` {
			t.Errorf("for good: %s", got)
		}
	})
}

// A hook costs a look at the disk once a second, not each time.
func TestHooksLookOnceASecond(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		dir := daemontest.Project(t)
		r := reloading(t, dir)
		asked(r)
		daemontest.WriteConfig(t, dir, policyText("the first"))
		if got := r.now(); got != `{"continue":true}` {
			t.Errorf("within the second: %s", got)
		}
		if got := asked(r); !strings.Contains(got, "the first") {
			t.Errorf("after it: %s", got)
		}
	})
}
