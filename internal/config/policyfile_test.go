package config

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"tidepool/internal/wording"
)

func TestPolicyFile(t *testing.T) {
	entries, err := ParsePolicies("x.json", []byte(`{"policies": [
  {"id": "SEC-001", "title": "No force pushes", "category": "security", "severity": "error", "requirement": "Say what you want pushed.",
   "enforcement": [{"tool": "Bash", "field": "command", "pattern": "push.*--force", "reason": "why"}, {"tool": "*"}],
   "expires": "2027-01-31", "overridable": true},
  {"id": "doc.1", "title": "t", "severity": "critical", "enabled": false, "expires": "2027-01-31T18:00:00+02:00"}
]}`))
	want := []PolicyEntry{
		{
			ID: "SEC-001", Title: "No force pushes", Category: "security", Severity: "error", Requirement: "Say what you want pushed.",
			Enforcement: []Rule{{Tool: "Bash", Field: "command", Pattern: "push.*--force", Reason: "why"}, {Tool: "*"}},
			Expires:     time.Date(2027, 2, 1, 0, 0, 0, 0, time.UTC), Overridable: true, Enabled: true, Line: 2,
		},
		{ID: "doc.1", Title: "t", Severity: "error", Expires: time.Date(2027, 1, 31, 16, 0, 0, 0, time.UTC), Line: 5},
	}
	if diff := cmp.Diff(want, entries); diff != "" || err != nil {
		t.Errorf("%v (-want +got)\n%s", err, diff)
	}
}

// Nothing of these can be used.
func TestPolicyFilesOfNoUse(t *testing.T) {
	for text, want := range map[string]string{
		``:                             `x.json:1: expected a JSON object, got nothing`,
		`{"policies": [}`:              `x.json:1: not valid JSON`,
		`[]`:                           `x.json:1: expected an object with policies, got a list`,
		`{}`:                           `x.json:1: expected an object with "policies", got an object`,
		"{\n\"polices\": []}":          `x.json:2: polices: unknown key (did you mean "policies"?)`,
		`{"policies": {}}`:             `x.json:1: policies: expected a list of policies, got an object`,
		`{"policies":[],"policies":1}`: `x.json:1: policies: given twice`,
		`{"policies": [` + strings.Repeat("1,", MaxPolicies) + `1]}`: `1001 policies, at most 1000`,
	} {
		entries, err := ParsePolicies("x.json", []byte(text))
		if err == nil || entries != nil || !strings.Contains(fmt.Sprintf("%v (%s)", err, wording.HintOf(err)), want) {
			t.Errorf("%.40s: got %v, %v; want %s", text, entries, err, want)
		}
	}
}

// One bad policy spoils no other, and what can be used of it is there: whom it concerns.
func TestFaultsOfOnePolicy(t *testing.T) {
	for _, test := range []struct{ policy, want, tools string }{
		{`"severity": "error", "enforcement": [{"tool": "Bash", "pattern": "(x"}]`, `policies[0].enforcement[0].pattern: expected a regular expression, got "(x": missing closing )`, "Bash"},
		{`"severity": "error", "enforcement": [{"tool": "Bash"}, {"tools": "Read"}]`, `policies[0].enforcement[1].tools: unknown key`, "Bash "},
		{`"severity": "error", "enforcement": [{"tool": "(Bash"}]`, `enforcement[0].tool: expected a regular expression`, ""},
		{`"severity": "error", "enforcement": [{"field": "command"}]`, `enforcement[0]: a rule with a field needs a pattern`, ""},
		{`"severity": "error", "enforcement": {}`, `policies[0].enforcement: expected a list of rules`, ""},
		{`"severity": "fatal", "enforcement": [{"tool": "Bash"}]`, `policies[0].severity: expected one of "error", "warning", "info", got "fatal"`, "Bash"},
		{`"enforcement": [{"tool": "Bash"}]`, `policies[0]: a policy needs a severity`, "Bash"},
		{`"severity": "error", "expires": "soon"`, `policies[0].expires: expected a day like "2027-01-31"`, ""},
		{`"severity": "error", "overridible": true`, `policies[0].overridible: unknown key`, ""},
		{`"severity": "error", "severity": "info"`, `policies[0].severity: given twice`, ""},
		{`"severity": "error", "category": "fun"`, `policies[0].category: expected one of "security", "compliance"`, ""},
		{`"severity": "error", "requirement": ""`, `policies[0].requirement: expected a text of at most 4000 bytes`, ""},
	} {
		entries, err := ParsePolicies("x.json", []byte(`{"policies": [{"id": "A", "title": "t", `+test.policy+`}, {"id": "../B", "title": "t"}, 1]}`))
		if err != nil || len(entries) != 3 {
			t.Fatalf("%s: %v, %v", test.policy, entries, err)
		}
		var tools []string
		for _, r := range entries[0].Enforcement {
			tools = append(tools, r.Tool)
		}
		if fault := entries[0].Fault; fault == nil || entries[0].ID != "A" || !strings.Contains(fault.Error(), "x.json:1: ") || !strings.Contains(fault.Error(), test.want) || strings.Join(tools, " ") != test.tools {
			t.Errorf("%s: got %v and %q, want %s and %q", test.policy, fault, tools, test.want, test.tools)
		}
		if fault := entries[1].Fault; fault == nil || !strings.Contains(fault.Error(), `policies[1].id: expected an id like "SEC-001"`) || entries[2].Fault == nil {
			t.Errorf("the others: %v, %v", fault, entries[2].Fault)
		}
	}
}

// FuzzPolicyFile looks for a file that breaks the reading.
func FuzzPolicyFile(f *testing.F) {
	f.Add([]byte(`{"policies": [{"id": "A", "title": "t", "severity": "info", "enforcement": [{"tool": "("}]}]}`))
	f.Add([]byte(`{"policies": [null, 1, "x", [], {"enforcement": [null]}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		entries, err := ParsePolicies("x.json", data)
		if err != nil && entries != nil {
			t.Errorf("%q: both %v and %v", data, entries, err)
		}
		for _, e := range entries {
			if e.Fault == nil && (e.ID == "" || e.Title == "" || e.Severity == "") {
				t.Errorf("%q: %+v has no fault", data, e)
			}
		}
	})
}

// Directories of policies count in a file of the user's own only, and are no names that depend on where the daemon was started.
func TestPolicyDirs(t *testing.T) {
	dir := project(t, `{"policy": [], "policy.dirs": ["/srv/policy", "~/policy"]}`)
	if c := load(t, Sources{Project: dir}); len(c.PolicyDirs) != 2 {
		t.Errorf("got %v", c.PolicyDirs)
	}
	c := load(t, Sources{Project: dir, Distrust: func(string) error { return errors.New("git tracks it") }})
	if len(c.PolicyDirs) != 0 || len(c.Refused) != 1 || c.Refused[0].Key != "policy.dirs" {
		t.Errorf("of a clone: %v, %v", c.PolicyDirs, c.Refused)
	}
	_, err := Load(Sources{Project: project(t, `{"policy.dirs": ["policy"]}`)})
	if err == nil || !strings.Contains(err.Error(), `policy.dirs[0]: expected a directory like "/srv/policy" or "~/policy", got "policy"`) {
		t.Errorf("got %v", err)
	}
}
