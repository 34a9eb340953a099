// Package checkout lays public projects out on the disk and serves them, for benches that ask about code which is not ours.
package checkout

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// A Checkout is a project on the disk, in a directory of its own.
type Checkout struct {
	Dir    string   // of the project: absolute and without links, which is how a daemon names it
	Beside string   // a directory for the state and the memories of the project's programs
	Bin    string   // where make has put the programs
	Env    []string // of all programs that run in the project
}

// New returns the checkout of a project by its name, in a directory below parent that does not exist yet. The state of its programs goes
// to parent, too.
func New(parent, name, bin string) *Checkout {
	dir := filepath.Join(parent, strings.NewReplacer("/", "_", "@", "_", " ", "_").Replace(name))
	return &Checkout{Dir: dir, Beside: parent, Bin: bin, Env: environment(bin, parent)}
}

// environment returns that of this process, in which the programs of make come first, no workspace of Go counts, the go command may
// complete go.mod files, and state and memories of programs are below a directory.
func environment(bin, beside string) []string {
	return append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=mod", "PATH="+SearchPath(bin),
		"XDG_STATE_HOME="+filepath.Join(beside, "state"), "XDG_DATA_HOME="+filepath.Join(beside, "data"))
}

// SearchPath returns PATH behind the directories in which make has put programs.
func SearchPath(bin string) string {
	dirs := []string{bin, filepath.Join(bin, "servers", "node_modules", ".bin"), os.Getenv("PATH")}
	return strings.Join(dirs, string(filepath.ListSeparator))
}

// Temporary returns a new directory for checkouts of a bench, by a path without links.
func Temporary(bench string) (string, error) {
	dir, err := os.MkdirTemp("", "tidepool-"+bench+"-")
	if err != nil {
		return "", err
	}
	return filepath.EvalSymlinks(dir)
}

// Below returns the slash path of a file below the project; false for one outside.
func (c *Checkout) Below(path string) (string, bool) {
	relative, err := filepath.Rel(c.Dir, path)
	return filepath.ToSlash(relative), err == nil && filepath.IsLocal(relative)
}

// Copy copies a directory into the project, with permission to write, which the module cache does not give.
func (c *Checkout) Copy(from string) error {
	if err := os.CopyFS(c.Dir, os.DirFS(from)); err != nil {
		return err
	}
	return filepath.WalkDir(c.Dir, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir():
			return os.Chmod(path, 0o700)
		case entry.Type().IsRegular():
			return os.Chmod(path, 0o600)
		}
		return nil
	})
}
