package doctor

import (
	"os"
	"path/filepath"
	"testing"
)

func TestLog(t *testing.T) {
	root := t.TempDir()
	state := filepath.Join(root, ".tidepool")
	c := Log{File: filepath.Join(state, "logs", "server.log")}
	if found := c.Look(t.Context()); found != nil {
		t.Errorf("without a state directory: %+v", found)
	}
	mkdir(t, state, 0o700)
	wantFine(t, c, "log", "there is none yet")
	mkdir(t, filepath.Dir(c.File), 0o700)
	wantFine(t, c, "log", "there is none yet")
	write(t, c.File, "", 0o600)
	wantFine(t, c, "log", c.File+" can be written")
	for _, dir := range []string{state, filepath.Dir(c.File)} {
		if entries, err := os.ReadDir(dir); err != nil || len(entries) != 1 {
			t.Errorf("looking left %v in %s, %v", entries, dir, err)
		}
	}
	if err := os.Chmod(c.File, 0o644); err != nil {
		t.Fatal(err)
	}
	wantProblem(t, c, "log", "open to other users (mode 644)", "chmod 600 "+c.File)
	wantMended(t, c, "log")
}

func TestLogThatCannotBeWritten(t *testing.T) {
	root := t.TempDir()
	c := Log{File: filepath.Join(root, "logs", "server.log")}
	write(t, filepath.Dir(c.File), "a file", 0o600)
	wantProblem(t, c, "log", "not a directory", "make "+filepath.Dir(c.File)+" a directory")

	c.File = filepath.Join(root, "logs2", "server.log")
	if err := os.MkdirAll(c.File, 0o700); err != nil {
		t.Fatal(err)
	}
	wantProblem(t, c, "log", "is no file", "move it away")

	if os.Geteuid() != 0 { // who is root may write everywhere
		c.File = filepath.Join(root, "locked", "server.log")
		mkdir(t, filepath.Dir(c.File), 0o500)
		wantProblem(t, c, "log", "permission denied", "make "+filepath.Dir(c.File))
	}
}
