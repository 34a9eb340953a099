package config

import (
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

const loosened = `{
  "exec": {"enabled": false, "accept": "none", "home": "open", "read": ["/srv"], "write": ["/srv"], "hide": ["/opt"], "protect": ["ops"],
    "network": "allow", "timeout": "5m", "memory_mb": 4096, "processes": 512, "output_mb": 20},
  "scrub": {"native": "off", "values": ["DEPLOY_PIN"], "allow": ["hunter2"]},
  "refs": {"max_mb": 128, "ttl": "7d"},
  "audit": {"enabled": false}
}`

// Of a file that may have come with the project only what narrows counts.
func TestExecutionOfAnUntrustedFile(t *testing.T) {
	c := load(t, Sources{Project: project(t, loosened), Distrust: func(string) error { return errors.New("git tracks it") }})
	want := defaults()
	want.Exec.Enabled, want.Exec.Hide, want.Exec.Protect, want.Exec.Timeout = false, []string{"/opt"}, []string{"ops"}, 5*time.Minute
	want.Scrub.Values, want.Refs.TTL = []string{"DEPLOY_PIN"}, 7*24*time.Hour
	got := []any{c.Exec, c.Scrub, c.Refs, c.Audit}
	if diff := cmp.Diff([]any{want.Exec, want.Scrub, want.Refs, want.Audit}, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if len(c.Refused) != 12 {
		t.Errorf("%d are refused: %v", len(c.Refused), c.Refused)
	}
}

func TestExecutionOfATrustedFile(t *testing.T) {
	c := load(t, Sources{Project: project(t, loosened), Distrust: func(string) error { return nil }})
	if c.Exec.Accept != "none" || c.Exec.MemoryMB != 4096 || c.Scrub.Native != "off" || c.Audit.Enabled || c.Refused != nil {
		t.Errorf("got %+v", c)
	}
}

// Less than the defaults needs nobody's trust.
func TestNarrowerExecution(t *testing.T) {
	load(t, Sources{Project: project(t, `{"exec": {"network": "deny", "memory_mb": 64, "processes": 8, "output_mb": 1}, "scrub": {"native": "all"}, "refs": {"max_mb": 1}}`),
		Distrust: func(string) error {
			t.Error("asked about a file that can do no harm")
			return nil
		}})
}
