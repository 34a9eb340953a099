package doctor

import (
	"os"
	"path/filepath"
	"testing"

	"tidepool/internal/state"
)

func TestState(t *testing.T) {
	root := t.TempDir()
	dir := filepath.Join(root, ".tidepool")
	c := State{Dir: dir, Make: state.Ensure}
	wantProblem(t, c, "state", "there is no "+dir, "agent init")
	wantMended(t, c, "state")
	wantFine(t, c, "gitignore", "git does not see it")

	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	wantProblem(t, c, "state", "open to other users (mode 755)", "chmod 700 "+dir)
	wantMended(t, c, "state")

	ignore := filepath.Join(dir, ".gitignore")
	if err := os.Remove(ignore); err != nil {
		t.Fatal(err)
	}
	wantProblem(t, c, "gitignore", "keeps "+dir+" out of git", "echo '*' >"+ignore)
	wantMended(t, c, "gitignore")
}

// A link that came with a checkout is nothing to mend: who knows where it leads.
func TestStateThatIsNone(t *testing.T) {
	root := t.TempDir()
	dir := filepath.Join(root, ".tidepool")
	c := State{Dir: dir, Make: state.Ensure}
	if err := os.Symlink(root, dir); err != nil {
		t.Fatal(err)
	}
	if f := wantProblem(t, c, "state", "is a symbolic link or a file", "remove it"); f.Mend != nil {
		t.Error("it would be mended")
	}
	if err := os.Remove(dir); err != nil {
		t.Fatal(err)
	}
	write(t, dir, "", 0o600)
	wantProblem(t, c, "state", "is a symbolic link or a file", "remove it")
	c.Dir = filepath.Join(dir, "below")
	wantProblem(t, c, "state", "not a directory", "accessible")
	if os.Geteuid() == 0 {
		foreign := filepath.Join(root, "foreign")
		mkdir(t, foreign, 0o700)
		if err := os.Chown(foreign, 12345, 12345); err != nil {
			t.Fatal(err)
		}
		c.Dir = foreign
		if f := wantProblem(t, c, "state", "belongs to user 12345", "run as that user"); f.Mend != nil {
			t.Error("it would be mended")
		}
	}
}
