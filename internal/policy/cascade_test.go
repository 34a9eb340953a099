package policy

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"tidepool/internal/hook"
	"tidepool/internal/session"
	"tidepool/protocol"
)

// with returns a policy with definitions beside rules.
func with(t interface {
	Helper()
	Fatal(...any)
}, rules []Rule, definitions ...Definition) *Policy {
	t.Helper()
	p, err := New(rules, false)
	if err == nil {
		p, err = p.With(definitions)
	}
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// about returns a policy that is about commands with a word.
func about(level Level, id string, severity Severity, word string) Definition {
	return Definition{ID: id, Title: "Mind " + word, Level: level, Severity: severity, Requirement: "Do not say " + word + ".", Enforcement: []Condition{{Tool: "Bash", Pattern: word}}}
}

func bash(command string) json.RawMessage {
	return json.RawMessage(fmt.Sprintf(`{"command":%q}`, command))
}

func TestOrderOfDecision(t *testing.T) {
	overridable := about(Organisation, "A-1", Error, "rm")
	overridable.Overridable = true
	looser := about(Project, "A-1", Warning, "rm")
	looser.MayOverride = true
	off := looser
	off.Disabled = true
	expired := off
	expired.Expires = time.Now().Add(-time.Second)
	clone := off
	clone.MayOverride = false
	broken := Definition{ID: "B-1", Level: Team, Severity: Info, Fault: "its pattern is none.", Enforcement: []Condition{{Tool: "Bash", Pattern: "(x"}}}
	unread := Definition{Level: Organisation, Source: "/etc/x.json", Fault: "it cannot be read."}
	allow := []Rule{{Decision: "allow", Tool: "Bash"}}
	for _, test := range []struct {
		name        string
		rules       []Rule
		definitions []Definition
		tool        string
		want        protocol.Permission
		by          string // a part of the reason
	}{
		{"deny of the organisation before the project's allow", allow, []Definition{about(Organisation, "A-1", Error, "rm")}, "Bash", protocol.Deny, "Policy A-1 of the organisation (Mind rm): Do not say rm. Do without it"},
		{"ask of the team before the project's allow", allow, []Definition{about(Team, "A-1", Warning, "rm")}, "Bash", protocol.Ask, "Policy A-1 of the team"},
		{"the project's deny before the organisation's ask", []Rule{{Decision: "deny", Tool: "Bash", Reason: "rule"}}, []Definition{about(Organisation, "A-1", Warning, "rm")}, "Bash", protocol.Deny, "rule"},
		{"among equals the higher level", nil, []Definition{about(Project, "P", Error, "rm"), about(Organisation, "O", Error, "rm")}, "Bash", protocol.Deny, "Policy O "},
		{"none matches", allow, []Definition{about(Organisation, "A-1", Error, "mv")}, "Bash", protocol.Allow, ""},
		{"info decides nothing", nil, []Definition{about(Organisation, "A-1", Info, "rm")}, "Bash", protocol.NoDecision, ""},
		{"info does not keep from allowing", allow, []Definition{about(Organisation, "A-1", Info, "rm")}, "Bash", protocol.Allow, ""},
		{"overridden by a looser one", nil, []Definition{overridable, looser}, "Bash", protocol.Ask, "Policy A-1 of this project"},
		{"switched off below", nil, []Definition{overridable, off}, "Bash", protocol.NoDecision, ""},
		{"not if it is not overridable", nil, []Definition{about(Organisation, "A-1", Error, "rm"), off}, "Bash", protocol.Deny, "organisation"},
		{"not after it has expired", nil, []Definition{overridable, expired}, "Bash", protocol.Deny, "organisation"},
		{"not by a file that is not the user's own", nil, []Definition{overridable, clone}, "Bash", protocol.Deny, "organisation"},
		{"a broken one asks about its tool", allow, []Definition{broken}, "Bash", protocol.Ask, "Policy B-1 of the team cannot be used"},
		{"and about no other", nil, []Definition{broken}, "Read", protocol.NoDecision, ""},
		{"an unread file asks about every tool", nil, []Definition{unread}, "Read", protocol.Ask, "A policy file of the organisation cannot be used, so nobody can tell what it denies: it cannot be read."},
	} {
		v, _ := with(t, test.rules, test.definitions...).Decide(test.tool, bash("rm -rf x"))
		if v.Decision != test.want || !strings.Contains(v.Reason, test.by) {
			t.Errorf("%s: %v, %q", test.name, v.Decision, v.Reason)
		}
	}
}

// Texts that nobody can look at are denied and asked about; what is only told is then not told.
func TestLongTextsOfPolicies(t *testing.T) {
	p := with(t, nil, about(Team, "T-1", Warning, "rm"), about(Team, "T-2", Info, "rm"))
	j := p.Weigh("Bash", command(MaxText+1, "ls"))
	if j.Verdict.Decision != protocol.Ask || !strings.HasPrefix(j.Verdict.Reason, `Policy T-1 of the team says "ask", and whether it fits cannot be checked`) || len(j.Told()) > 0 {
		t.Errorf("%+v", j)
	}
}

// What a policy says cannot control a terminal, nor hide.
func TestTextsOfPoliciesAreEscaped(t *testing.T) {
	d := about(Project, "X", Error, "rm")
	d.Title, d.Requirement = "a\x1b[2J", "b\n\u202ec"
	v, _ := with(t, nil, d).Decide("Bash", bash("rm"))
	if want := "Policy X of this project (a␛[2J): b \uFFFDc. Do without it, or ask the user."; v.Reason != want {
		t.Errorf("got %q, want %q", v.Reason, want)
	}
}

// anyDefinition draws a policy of a level.
func anyDefinition(t *rapid.T, level Level) Definition {
	d := about(level, rapid.SampledFrom([]string{"A", "B"}).Draw(t, "id"), rapid.SampledFrom([]Severity{Error, Warning, Info}).Draw(t, "severity"), rapid.SampledFrom([]string{"rm", "mv"}).Draw(t, "word"))
	d.Overridable = rapid.Bool().Draw(t, "overridable")
	d.Disabled = rapid.Bool().Draw(t, "disabled")
	d.MayOverride = rapid.Bool().Draw(t, "may override")
	if rapid.IntRange(0, 5).Draw(t, "fault") == 0 {
		d.Fault = "why"
	}
	return d
}

// A level below only narrows: without overridable policies above, or without the right to override, whatever it adds makes no decision
// milder. Nor does an allow of the rules.
func TestCascadeNarrows(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var above, below []Definition
		for range rapid.IntRange(0, 3).Draw(t, "above") {
			above = append(above, anyDefinition(t, Organisation))
		}
		mayOverride := rapid.Bool().Draw(t, "the user's own files")
		for range rapid.IntRange(0, 3).Draw(t, "below") {
			d := anyDefinition(t, rapid.SampledFrom([]Level{Team, Project}).Draw(t, "level"))
			d.MayOverride = d.MayOverride && mayOverride
			below = append(below, d)
		}
		if mayOverride {
			for i := range above {
				above[i].Overridable = false
			}
			for i := range below {
				below[i].Overridable = false
			}
		}
		var rules []Rule
		for range rapid.IntRange(0, 2).Draw(t, "rules") {
			rules = append(rules, Rule{Decision: rapid.SampledFrom([]string{"deny", "ask", "allow"}).Draw(t, "decision"), Tool: "Bash"})
		}
		input := bash(rapid.SampledFrom([]string{"rm", "mv", "rm; mv", "ls"}).Draw(t, "command"))
		alone, _ := with(t, nil, above...).Decide("Bash", input)
		settings, _ := with(t, rules).Decide("Bash", input)
		all, _ := with(t, rules, slices.Concat(below, above)...).Decide("Bash", input)
		if strictness(all.Decision) < strictness(alone.Decision) {
			t.Errorf("%v alone, and with more below %v", alone.Decision, all.Decision)
		}
		if strictness(all.Decision) < strictness(settings.Decision) {
			t.Errorf("the rules say %v, and with policies of files it is %v", settings.Decision, all.Decision)
		}
	})
}

// An override loosens its own policy only.
func TestOverrideLoosensOnlyItsOwn(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		other := anyDefinition(t, Organisation)
		other.ID = "other"
		target := about(Organisation, "A", Error, "rm")
		target.Overridable = true
		off := Definition{ID: "A", Level: Project, Severity: Info, Disabled: true, MayOverride: true}
		input := bash("rm; mv")
		alone, _ := with(t, nil, other).Decide("Bash", input)
		got, _ := with(t, nil, target, other, off).Decide("Bash", input)
		if got.Decision != alone.Decision {
			t.Errorf("without the policy %v, with it switched off %v", alone.Decision, got.Decision)
		}
	})
}

func TestPoliciesWithPatternsThatAreNone(t *testing.T) {
	d := about(Team, "T-1", Error, "(x")
	if _, err := new(Policy).With([]Definition{d}); err == nil || !strings.Contains(err.Error(), "Policy T-1 of the team: policy rule 1: pattern") {
		t.Errorf("got %v", err)
	}
}

// A model is told a policy once in a conversation, each of its agents for itself, and again when its context begins anew.
func TestToldOnce(t *testing.T) {
	e := NewEngine(nil, slog.New(slog.DiscardHandler))
	if err := e.Define([]Definition{about(Team, "T-1", Info, "rm"), about(Team, "T-2", Info, "mv"), about(Team, "T-3", Warning, "rm")}); err != nil {
		t.Fatal(err)
	}
	hear := func(event protocol.Event, agent, command string) hook.Answer {
		in := &protocol.HookInput{Event: event, SessionID: "s", AgentID: agent, ToolName: "Bash", ToolInput: bash(command)}
		return e.Hook(t.Context(), &hook.Event{HookInput: in, From: session.Of(in)})
	}
	const one, two = "Policy T-1 of the team (Mind rm): Do not say rm.", "Policy T-2 of the team (Mind mv): Do not say mv."
	for i, step := range []struct{ agent, command, want string }{
		{"", "rm", one}, {"", "rm", ""}, {"sub", "rm; mv", one + "\n" + two}, {"", "rm; mv", two}, {"", "ls", ""},
	} {
		if got := hear(protocol.PreToolUse, step.agent, step.command); got.Context != step.want || (got.Output != nil) != strings.Contains(step.command, "rm") {
			t.Errorf("step %d: %q, %v", i, got.Context, got.Output)
		}
	}
	hear(protocol.SessionStart, "", "")
	if got := hear(protocol.PreToolUse, "", "rm"); got.Context != one {
		t.Errorf("after a new start: %q", got.Context)
	}
}

func TestCounts(t *testing.T) {
	org := about(Organisation, "A", Error, "rm")
	org.Overridable = true
	off := Definition{ID: "A", Level: Project, Severity: Info, Disabled: true, MayOverride: true}
	e := NewEngine(newPolicy(t, false, Rule{Decision: "allow", Tool: "Read"}), slog.New(slog.DiscardHandler))
	define := func(definitions ...Definition) {
		t.Helper()
		if err := e.Define(definitions); err != nil {
			t.Fatal(err)
		}
	}
	define(org, about(Team, "T", Warning, "mv"))
	for _, command := range []string{"rm", "mv", "ls"} {
		e.Decide("Bash", bash(command))
	}
	e.Decide("Read", nil)
	e.Weigh("Bash", bash("rm")) // nobody makes this call
	define(org, off)
	e.Decide("Bash", bash("rm"))
	if got, want := e.Counts(), (Counts{Checked: 5, Matched: 3, Denied: 1, Asked: 1, Allowed: 1, Overridden: 1}); got != want {
		t.Errorf("all: %+v, want %+v", got, want)
	}
	if got, want := e.CountsOf(&org), (Counts{Checked: 5, Matched: 2, Denied: 1, Overridden: 1}); got != want {
		t.Errorf("of the policy: %+v, want %+v", got, want)
	}
}

// BenchmarkHundredPolicies is one command and a hundred policies of which none matches.
func BenchmarkHundredPolicies(b *testing.B) {
	var all []Definition
	for i := range 100 {
		all = append(all, about(Organisation, fmt.Sprint("A-", i), Error, fmt.Sprintf(`\bgit push\b.*--force%d`, i)))
	}
	p := with(b, nil, all...)
	input := bash("go test ./... && git push origin main")
	for b.Loop() {
		p.Decide("Bash", input)
	}
}
