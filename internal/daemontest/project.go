// Package daemontest makes projects for daemons in tests.
package daemontest

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"tidepool/internal/trust"
)

// Trusting runs with a state directory of its own, in which the system's directory for temporary files is trusted: projects
// there are, unless they are repositories. For TestMain; it returns what run returns, 1 if it could not be run.
func Trusting(run func() int) int {
	dir, err := os.MkdirTemp("", "tidepool-state-")
	if err == nil {
		defer os.RemoveAll(dir)
		os.Unsetenv("GOTMPDIR") // where t.TempDir makes directories, too
		os.Setenv("XDG_STATE_HOME", dir)
		os.Setenv("XDG_DATA_HOME", filepath.Join(dir, "data")) // what daemons of tests remember is not their user's
		_, err = trust.Open(os.Getenv).Grant(os.TempDir())
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return run()
}

// Project makes a directory for a daemon. Its path has no symbolic link, as the daemon's own idea of it.
func Project(t testing.TB) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// WriteConfig makes the file of settings of the project in dir.
func WriteConfig(t testing.TB, dir, text string) {
	t.Helper()
	state := filepath.Join(dir, ".tidepool")
	if err := os.MkdirAll(state, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(state, "config.json"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}
