package work

import (
	"os"
	"path/filepath"
	"slices"
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
	c := NewTurnSync(w, time.Minute)
	defer c.Close()
	c.Begin()
	c.running.Wait()
	c.turn(d.dir)
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
	c.turn(d.dir)
	c.running.Wait()
	if c.Last().At.IsZero() || d.asked("bd") == nil {
		t.Errorf("trusted: %+v", c.Last())
	}
}

// An archive brings the configuration of its repository along, and with it filters through which git sends what it compares.
func TestUntrustedFilters(t *testing.T) {
	d := newDesk(t, "main")
	marker := filepath.Join(t.TempDir(), "ran")
	d.write(".gitattributes", "* filter=evil\n*.q filter=\"a=b.c\"\n")
	d.write("a.txt", "one\n")
	d.git("add", "-A")
	d.git("commit", "-q", "-m", "files")
	for _, name := range []string{"evil", "a=b.c"} {
		d.git("config", "filter."+name+".clean", "touch "+marker+"; cat")
		d.git("config", "filter."+name+".process", "touch "+marker)
		d.git("config", "filter."+name+".required", "true")
	}
	d.git("config", "core.fsmonitor", "touch "+marker)
	d.write("a.txt", "two\n")
	trusted := false
	d.opts.Trusted = func(string) bool { return trusted }
	status := d.work().Status(t.Context(), "")
	if _, err := os.Stat(marker); err == nil {
		t.Error("a filter ran")
	}
	if !slices.Contains(status.DirtyFiles, "a.txt") {
		t.Errorf("what has changed is not told: %+v", status)
	}
	trusted = true
	d.work().Status(t.Context(), "")
	if _, err := os.Stat(marker); err != nil {
		t.Errorf("trusted, no filter ran: %v", err)
	}
}
