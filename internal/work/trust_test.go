package work

import (
	"strings"
	"testing"
	"time"
)

// Where the project is not trusted no tracker runs: not at the start, not when a turn ends, not when somebody asks.
func TestUntrusted(t *testing.T) {
	d := newDesk(t, "bd-demo-1/fix")
	d.program("bd", bdToday)
	d.write(".beads/config.yaml", "")
	trusted := false
	d.opts.Trusted = func(dir string) bool { return trusted && dir == d.dir }
	w := d.work()
	c := NewClosing(w, time.Minute)
	defer c.Close()
	c.Begin()
	c.running.Wait()
	c.Turn(d.dir)
	c.running.Wait()
	outcome, status := w.Sync(t.Context()), w.Status(t.Context(), "")
	if asked := d.asked("bd"); asked != nil || !c.Last().At.IsZero() {
		t.Errorf("bd was asked %q", asked)
	}
	if outcome.Synced || !strings.Contains(outcome.Reason, "not trusted") || !strings.Contains(outcome.Hint, "agent trust") {
		t.Errorf("sync: %+v", outcome)
	}
	var told bool
	for _, g := range status.Gaps {
		told = told || g.Source == "bd" && strings.Contains(g.Reason, "not trusted") && strings.Contains(g.Hint, "agent trust")
	}
	if !told || status.Branch == nil || status.Branch.Name != "bd-demo-1/fix" {
		t.Errorf("status: %+v", status)
	}
	trusted = true
	c.Turn(d.dir)
	c.running.Wait()
	if c.Last().At.IsZero() || d.asked("bd") == nil {
		t.Errorf("trusted: %+v", c.Last())
	}
}
