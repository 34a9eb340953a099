package state

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

// TestCheckLeavesCommandsAlone: what confined commands leave behind keeps no daemon from starting, and can be removed.
func TestCheckLeavesCommandsAlone(t *testing.T) {
	d := openState(t)
	tmp := d.Sub(Commands).Sub("tmp")
	must(t, tmp.Make())
	must(t, os.Symlink("/etc", filepath.Join(tmp.Path(), "link")))
	must(t, os.MkdirAll(filepath.Join(tmp.Path(), "closed", "below"), 0o700))
	must(t, os.Chmod(filepath.Join(tmp.Path(), "closed"), 0))
	must(t, d.Check())
	must(t, tmp.Clear())
	if _, err := os.Lstat(tmp.Path()); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("left: %v", err)
	}
}
