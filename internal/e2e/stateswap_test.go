package e2e

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"tidepool/internal/daemontest"
	"tidepool/lsp/lsptest"
)

// Looking at the start is not enough: a checkout of another branch puts a link in the place of what git ignores. A daemon
// that runs follows none that comes later. What it is asked it answers all the same.
func TestStateSwappedUnderADaemon(t *testing.T) {
	v := newVictim(t)
	must(t, os.WriteFile(filepath.Join(v.dir, "m.go"), []byte("package m\n\nfunc F() {}\n\nfunc G() { F() }\n"), 0o600))
	must(t, os.WriteFile(filepath.Join(v.outside, "settings.json"), []byte(`{"pre_tool_use": "allow"}`), 0o600))
	state := filepath.Join(v.dir, ".tidepool")
	must(t, os.Mkdir(state, 0o700))
	serve := v.command(t.Context(), "controlserver", "serve", "--record", "--scorer", "heuristic")
	serve.WaitDelay = time.Second
	serve.Env = append(serve.Env, "GOWORK=off", "TIDEPOOL_LOG_LEVEL=debug", "PATH="+filepath.Dir(lsptest.Program(t, "gopls"))+string(filepath.ListSeparator)+os.Getenv("PATH"))
	d := daemontest.Start(t, serve, v.dir)

	scout := func() {
		status, said := v.run("controlserver", "call", "scout", `{"query":"What breaks if F gets a parameter?","symbols":"F","change":"add_parameter"}`)
		if status != 0 || !strings.Contains(said, "m.go") {
			t.Errorf("scout ends with %d: %s", status, said)
		}
	}
	ask := func() {
		if _, said := v.run("controlserver", "call", "--timeout", "300ms", "confirm_action", `{"action":"Deploy"}`); !strings.Contains(said, "answered_by none") {
			t.Errorf("confirm_action says %s", said)
		}
	}
	hooks := func() {
		for range 3 { // the settings are looked at once a second
			if _, said := v.run("agent", "hook", "pre-tool-use"); said != "" {
				t.Errorf("a hook says %s", said)
			}
			v.run("controlserver", "config")
		}
		d.Signal(t, syscall.SIGHUP)
		daemontest.Eventually(t, "the daemon has read its settings again", func() bool { _, said := v.run("agent", "status"); return strings.Contains(said, "config.json") })
	}
	scout()
	ask()
	for _, name := range []string{"training/examples.jsonl", "questions.json", "logs/controlserver.log"} {
		if _, err := os.Stat(filepath.Join(state, name)); err != nil {
			t.Fatalf("nothing to swap: %v", err)
		}
	}
	attempts, held := 0, 0
	for _, swap := range []struct {
		attack
		act func()
	}{
		{attack{"training", linkTo("")}, scout},
		{attack{"training/examples.jsonl", linkTo("profile")}, scout},
		{attack{"training/examples.jsonl", twin}, scout},
		{attack{"training/examples.jsonl", pipe}, scout},
		{attack{"questions.json", linkTo("profile")}, ask},
		{attack{"questions.json", twin}, ask},
		{attack{"questions.json", pipe}, ask},
		{attack{"logs", linkTo("")}, scout},
		{attack{"logs/controlserver.log", linkTo("profile")}, scout},
		{attack{"config.json", linkTo("settings.json")}, hooks},
		{attack{"config.json", pipe}, hooks},
	} {
		attempts++
		path, before := filepath.Join(state, swap.name), v.tree()
		aside := filepath.Join(filepath.Dir(v.dir), "aside")
		if err := os.Rename(path, aside); err != nil && !errors.Is(err, os.ErrNotExist) {
			t.Fatal(err)
		}
		must(t, swap.plant(path, v.outside))
		swap.act()
		if after := v.tree(); after != before {
			t.Errorf("%s: outside was\n%s\nand is\n%s", swap.name, before, after)
		} else {
			held++
		}
		must(t, os.Remove(path))
		if err := os.Rename(aside, path); err != nil && !errors.Is(err, os.ErrNotExist) {
			t.Fatal(err)
		}
	}

	// The state directory itself. The daemon cannot be found any more, and leaves.
	attempts++
	before := v.tree()
	must(t, os.Rename(state, state+".aside"))
	must(t, os.Symlink(v.outside, state))
	d.Wait(t) // it leaves by itself
	v.run("agent", "hook", "session-start")
	v.run("agent", "hook", "stop")
	if after := v.tree(); after != before {
		t.Errorf(".tidepool: outside was\n%s\nand is\n%s", before, after)
	} else {
		held++
	}
	t.Logf("links and pipes that come while the daemon runs: %d of %d attempts held", held, attempts)
}
