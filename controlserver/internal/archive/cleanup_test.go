package archive

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"tidepool/internal/config"
)

// TestClaudeCodeKeepsNothing configures an archive beside settings of Claude Code.
func TestClaudeCodeKeepsNothing(t *testing.T) {
	const year = 365 * 24 * time.Hour
	for name, tt := range map[string]struct {
		file, text string
		keep       time.Duration
	}{
		"none":        {"home/.claude/settings.json", "", year},
		"user":        {"home/.claude/settings.json", `{"cleanupPeriodDays": 0}`, 0},
		"project":     {"project/.claude/settings.json", `{"model": "x", "cleanupPeriodDays": 0}`, 0},
		"local":       {"project/.claude/settings.local.json", `{"cleanupPeriodDays": 0}`, 0},
		"some days":   {"home/.claude/settings.json", `{"cleanupPeriodDays": 30}`, year},
		"unset":       {"home/.claude/settings.json", `{"cleanupPeriodDays": null}`, year},
		"not JSON":    {"project/.claude/settings.json", `"cleanupPeriodDays": 0`, year},
		"other value": {"project/.claude/settings.json", `{"cleanupPeriodDays": "0"}`, year},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			for _, sub := range []string{"home/.claude", "project/.claude"} {
				if err := os.MkdirAll(filepath.Join(dir, sub), 0o700); err != nil {
					t.Fatal(err)
				}
			}
			if tt.text != "" {
				if err := os.WriteFile(filepath.Join(dir, tt.file), []byte(tt.text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			if got := keepOf(t, dir); got != tt.keep {
				t.Errorf("keeps for %v, want %v", got, tt.keep)
			}
		})
	}
}

// A pipe in the place of settings is not waited for, and a link that a clone brings is not followed.
func TestSettingsThatAreNone(t *testing.T) {
	dir := t.TempDir()
	settings := filepath.Join(dir, "project", ".claude")
	if err := os.MkdirAll(settings, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mkfifo(filepath.Join(settings, "settings.json"), 0o600); err != nil {
		t.Fatal(err)
	}
	elsewhere := filepath.Join(dir, "elsewhere.json")
	if err := os.WriteFile(elsewhere, []byte(`{"cleanupPeriodDays": 0}`), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(elsewhere, filepath.Join(settings, "settings.local.json")); err != nil {
		t.Fatal(err)
	}
	if got := keepOf(t, dir); got == 0 {
		t.Error("a link was followed")
	}
}

// keepOf returns how long the archive of dir/project keeps what has no transcript, for the user of dir/home.
func keepOf(t *testing.T, dir string) time.Duration {
	t.Helper()
	getenv := func(name string) string {
		return map[string]string{"HOME": filepath.Join(dir, "home"), "XDG_STATE_HOME": filepath.Join(dir, "state")}[name]
	}
	o, err := Configure(filepath.Join(dir, "project"), config.Conversations{Enabled: true, Keep: 365 * 24 * time.Hour}, getenv)
	if err != nil {
		t.Fatal(err)
	}
	return o.Keep
}
