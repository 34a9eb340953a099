package archive

import (
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"syscall"
)

// maxSettings bounds a file of Claude Code's settings, in bytes.
const maxSettings = 1 << 20

// keepsNothing reports whether the settings of Claude Code want no transcript to outlive its session: one of its files has
// "cleanupPeriodDays": 0. The project's files count as well as the user's, because this only narrows what is kept.
func keepsNothing(project string, getenv func(string) string) bool {
	user := getenv("CLAUDE_CONFIG_DIR")
	if user == "" {
		user = filepath.Join(getenv("HOME"), ".claude")
	}
	return cleansAtOnce(filepath.Join(user, "settings.json"), 0) || // which may be a link to where its user keeps such files
		cleansAtOnce(filepath.Join(project, ".claude", "settings.json"), syscall.O_NOFOLLOW) ||
		cleansAtOnce(filepath.Join(project, ".claude", "settings.local.json"), syscall.O_NOFOLLOW)
}

// cleansAtOnce reports whether a file of settings has "cleanupPeriodDays": 0. Claude Code itself
// reports a file that cannot be read or parsed, so such a file counts as one without the setting.
func cleansAtOnce(path string, flags int) bool {
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK|flags, 0) // a pipe must not be waited for
	if err != nil {
		return false
	}
	defer f.Close()
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() {
		return false
	}
	data, err := io.ReadAll(io.LimitReader(f, maxSettings))
	if err != nil {
		return false
	}
	var settings struct {
		CleanupPeriodDays *float64 `json:"cleanupPeriodDays"`
	}
	return json.Unmarshal(data, &settings) == nil && settings.CleanupPeriodDays != nil && *settings.CleanupPeriodDays == 0
}
