package doctor

import (
	"path/filepath"
	"testing"
)

func TestDisk(t *testing.T) {
	dir := t.TempDir()
	wantFine(t, Disk{Dir: dir, Least: 1}, "disk", "MB are free")
	wantProblem(t, Disk{Dir: dir, Least: 1 << 40}, "disk", "MB are free on the disk of "+dir, "free some space")
	wantProblem(t, Disk{Dir: filepath.Join(dir, "none")}, "disk", "no such file", "accessible")
}
