package work

import (
	"strings"
	"testing"
	"time"

	"tidepool/internal/hook"
	"tidepool/protocol"
)

// awaitTurn waits for the sync that runs.
func awaitTurn(c *TurnSync) TurnSyncResult {
	c.running.Wait()
	return c.Last()
}

func TestTurnSyncs(t *testing.T) {
	d := newDesk(t, "main")
	d.program("bd", bdToday)
	d.write(".beads/config.yaml", "")
	d.write("deep/down/remotes", "origin https://example.org/x\n")
	c := NewTurnSync(d.work(), time.Minute)
	defer c.Close()
	stop := func(again bool) {
		c.Hook(t.Context(), &hook.Event{HookInput: &protocol.HookInput{Event: protocol.Stop, Cwd: d.dir + "/deep/down", StopHookActive: again}})
	}
	stop(true)
	if got := awaitTurn(c); !got.At.IsZero() {
		t.Errorf("while a hook keeps the turn going: %+v", got)
	}
	stop(false)
	if got := awaitTurn(c); !got.Synced || got.How != "bd dolt pull" || got.At.IsZero() {
		t.Errorf("%+v", got)
	}
}

func TestTurnWithoutATracker(t *testing.T) {
	d := newDesk(t, "main")
	d.program("bd", bdToday)
	c := NewTurnSync(d.work(), time.Minute)
	defer c.Close()
	c.turn(d.dir)
	if got := awaitTurn(c); !got.At.IsZero() || d.asked("bd") != nil {
		t.Errorf("%+v; bd was asked %q", got, d.asked("bd"))
	}
}

// TestTurnNeverTwice ends two turns while bd hangs: one sync runs, ends at its deadline, and Close waits for the next.
func TestTurnNeverTwice(t *testing.T) {
	d := newDesk(t, "main")
	d.write(".beads/config.yaml", "")
	d.program("bd", "sleep 60")
	c := NewTurnSync(d.work(), 200*time.Millisecond)
	c.turn(d.dir)
	c.turn(d.dir)
	if got := awaitTurn(c); got.Synced || !strings.Contains(got.Reason, "in time") || len(d.asked("bd")) != 1 {
		t.Errorf("%+v; bd was asked %q", got, d.asked("bd"))
	}
	c.limit = time.Minute
	c.turn(d.dir)
	c.Close()
	if got := c.Last(); !strings.Contains(got.Reason, "canceled") {
		t.Errorf("%+v", got)
	}
	c.turn(d.dir) // of a daemon that has ended
	if len(d.asked("bd")) > 2 {
		t.Errorf("bd was asked %q", d.asked("bd"))
	}
}
