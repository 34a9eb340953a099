package protocol

import (
	"os"
	"path/filepath"
	"testing"
)

func TestLocate(t *testing.T) {
	root := t.TempDir()
	for _, dir := range []string{"a/.tidepool", "a/b/c", "other/.tidepool", "bare"} {
		if err := os.MkdirAll(filepath.Join(root, dir), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(root, "a/b/.tidepool"), nil, 0o600); err != nil { // a file is no state
		t.Fatal(err)
	}
	at := func(path string) string { return filepath.Join(root, path) }
	type env map[string]string
	tests := []struct {
		name            string
		cwd             string
		env             env
		project, socket string
		managed         bool
	}{
		{"ancestor of the cwd", "a/b/c", nil, "a", "a/.tidepool/control.sock", true},
		{"no state anywhere", "bare", nil, "bare", "bare/.tidepool/control.sock", false},
		{"client's project first", "other", env{"CLAUDE_PROJECT_DIR": at("a/b")}, "a", "a/.tidepool/control.sock", true},
		{"client's project has no state, the cwd has", "other", env{"CLAUDE_PROJECT_DIR": at("bare")}, "other", "other/.tidepool/control.sock", true},
		{"neither has state", "bare", env{"CLAUDE_PROJECT_DIR": root}, ".", ".tidepool/control.sock", false},
		{"named project", "a", env{"TIDEPOOL_PROJECT_DIR": at("bare")}, "bare", "bare/.tidepool/control.sock", true},
		{"named relative project", "a", env{"TIDEPOOL_PROJECT_DIR": "../bare"}, "bare", "bare/.tidepool/control.sock", true},
		{"named socket", "a/b", env{"TIDEPOOL_CONTROL_SOCKET": "x.sock"}, "a", "a/b/x.sock", true},
		{"empty variables", "a", env{"TIDEPOOL_CONTROL_SOCKET": "", "TIDEPOOL_PROJECT_DIR": "", "CLAUDE_PROJECT_DIR": ""}, "a", "a/.tidepool/control.sock", true},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got := Locate(func(key string) string { return test.env[key] }, at(test.cwd))
			want := Place{Project: at(test.project), Socket: at(test.socket), Managed: test.managed}
			if got != want {
				t.Errorf("got %+v\nwant %+v", got, want)
			}
		})
	}
}
