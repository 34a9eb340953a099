package launch

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tidepool/protocol"
)

func TestFind(t *testing.T) {
	beside, first, second := t.TempDir(), t.TempDir(), t.TempDir()
	path := strings.Join([]string{"", ".", first, second}, string(filepath.ListSeparator))
	t.Chdir(second) // what stands in the working directory is not meant
	if got, err := find(beside, "."); got != "" || err == nil || !strings.Contains(err.Error(), "neither in "+beside) {
		t.Errorf("found %s, %v", got, err)
	}
	if err := os.WriteFile(filepath.Join(first, ServerName), nil, 0o600); err != nil { // not to be executed
		t.Fatal(err)
	}
	for _, dir := range []string{second, beside} {
		want := filepath.Join(dir, ServerName)
		if err := os.WriteFile(want, nil, 0o700); err != nil {
			t.Fatal(err)
		}
		if got, err := find(beside, path); got != want || err != nil {
			t.Errorf("found %s, %v, want %s", got, err, want)
		}
	}
}

func TestNew(t *testing.T) {
	l := New([]string{"PATH=/nowhere", "GH_TOKEN=passed on if the settings say so", "HOME=/home/u"})
	if l.Off || l.Agent == "" || len(l.Environ) != 3 {
		t.Errorf("got %+v", l)
	}
	for text, off := range map[string]bool{"0": true, "false": true, "No": true, "off": true, "1": false, "": false} {
		if got := New([]string{"TIDEPOOL_AUTOSTART=" + text}).Off; got != off {
			t.Errorf("TIDEPOOL_AUTOSTART=%s: off %v", text, got)
		}
	}
}

// The program gets what is harmless, and all only where it has settings to judge that pass something on.
func TestPassed(t *testing.T) {
	env := []string{"PATH=/bin", "GH_TOKEN=x"}
	for settings, want := range map[string]int{
		"": 1, `{}`: 1, `{"log": {"level": "debug"}}`: 1, `{"environment": {"pass": ["GH_TOKEN"]}}`: 2, `{"environment.pass": ["GH_TOKEN"]}`: 2,
	} {
		dir := t.TempDir()
		if err := os.Mkdir(filepath.Join(dir, ".tidepool"), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, ".tidepool", "config.json"), []byte(settings), 0o600); err != nil {
			t.Fatal(err)
		}
		if got := daemonEnviron(env, protocol.Place{Project: dir}); len(got) != want {
			t.Errorf("%s: %q", settings, got)
		}
	}
	nowhere := protocol.Place{Project: filepath.Join(t.TempDir(), "nowhere")}
	if got := daemonEnviron(env, nowhere); !slices.Equal(got, env[:1]) {
		t.Errorf("without settings: %q", got)
	}
	if got := daemonEnviron(append(env, "TIDEPOOL_ENVIRONMENT_PASS=[\"GH_TOKEN\"]"), nowhere); len(got) != 3 {
		t.Errorf("with a variable that passes on: %q", got)
	}
}

// A socket that is named relative to the client's directory stays the same for the daemon.
func TestSocketOfTheEnvironment(t *testing.T) {
	place := protocol.Place{Project: "/p", Socket: "/run/x.sock"}
	got := within([]string{"A=1", "TIDEPOOL_CONTROL_SOCKET=x.sock"}, place)
	if want := []string{"A=1", "TIDEPOOL_CONTROL_SOCKET=/run/x.sock"}; !slices.Equal(got, want) {
		t.Errorf("got %q", got)
	}
	if got := within([]string{"TIDEPOOL_CONTROL_SOCKET="}, place); got[0] != "TIDEPOOL_CONTROL_SOCKET=" {
		t.Errorf("got %q", got)
	}
}

func TestSpawnWrong(t *testing.T) {
	var said bytes.Buffer
	if status := Spawn(nil, &said); status != 2 || !strings.Contains(said.String(), "needs a program") {
		t.Errorf("%d, %s", status, said.String())
	}
}
