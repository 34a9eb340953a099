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
	program := func(dir string) string { return filepath.Join(dir, "controlserver") }
	if got := find(beside, path); got != "" {
		t.Errorf("found %s", got)
	}
	if err := os.WriteFile(program(first), nil, 0o600); err != nil { // not to be executed
		t.Fatal(err)
	}
	for _, dir := range []string{second, beside} {
		if err := os.WriteFile(program(dir), nil, 0o700); err != nil {
			t.Fatal(err)
		}
		if got := find(beside, path); got != program(dir) {
			t.Errorf("found %s, want %s", got, program(dir))
		}
	}
	t.Chdir(second)
	if got := find(first, "."); got != "" {
		t.Errorf("found %s in the working directory", got)
	}
}

func TestNew(t *testing.T) {
	l := New([]string{"PATH=/nowhere", "ANTHROPIC_API_KEY=SECRET", "HOME=/home/u"})
	if l.Off || l.Agent == "" || !slices.Equal(l.Environ, []string{"PATH=/nowhere", "HOME=/home/u"}) {
		t.Errorf("got %+v", l)
	}
	for text, off := range map[string]bool{"0": true, "false": true, "No": true, "off": true, "1": false, "": false} {
		if got := New([]string{"TIDEPOOL_AUTOSTART=" + text}).Off; got != off {
			t.Errorf("TIDEPOOL_AUTOSTART=%s: off %v", text, got)
		}
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
