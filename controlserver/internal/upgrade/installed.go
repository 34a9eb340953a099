package upgrade

import (
	"crypto/rand"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
)

// The names of the programs.
const (
	agentName  = "agent"
	serverName = "controlserver"
)

// programNames returns the programs in the order in which they are replaced: the daemon first, so that whichever agent runs finds one
// that is not older than itself.
func programNames() []string { return []string{serverName, agentName} }

// dpkgList is where dpkg lists the files of the Debian package.
const dpkgList = "/var/lib/dpkg/info/tidepool.list"

// An installation is the directory with both programs. Its owner closes it. A lock keeps another upgrade out until then.
type installation struct {
	dir  string
	root *os.Root
	lock *os.File
}

// open opens the directory, if its programs may be replaced.
func open(dir string) (*installation, error) {
	if err := refuseManaged(dir, dpkgList); err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	i := &installation{dir: dir, root: root}
	if err := i.check(); err != nil {
		i.close()
		return nil, err
	}
	return i, nil
}

func (i *installation) path(name string) string { return filepath.Join(i.dir, name) }

func (i *installation) close() {
	if i.lock != nil {
		i.lock.Close()
	}
	i.root.Close()
}

// refuseManaged refuses what dpkg has installed: its next upgrade would overwrite ours, and its record would be wrong until then.
func refuseManaged(dir, list string) error {
	files, err := os.ReadFile(list)
	if err == nil && slices.Contains(strings.Split(string(files), "\n"), filepath.Join(dir, agentName)) {
		return &upgradeError{"the programs in " + dir + " belong to the Debian package tidepool", "install the new package: sudo apt install ./tidepool_VERSION_ARCHITECTURE.deb"}
	}
	return nil
}

// check takes the lock, and sees whether both programs are there and may be replaced.
func (i *installation) check() (err error) {
	if i.lock, err = i.root.Open("."); err != nil {
		return err
	}
	if err := syscall.Flock(int(i.lock.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		return &upgradeError{"another upgrade is at work in " + i.dir, "wait for its end, then see agent --version"}
	}
	for _, name := range programNames() {
		info, err := i.root.Lstat(name)
		if err != nil || !info.Mode().IsRegular() {
			return &upgradeError{
				fmt.Sprintf("%s is not there, or is no file: both programs must lie in one directory", i.path(name)),
				"install them again, by install.sh of a release",
			}
		}
	}
	if err := i.sweep(); err != nil {
		return err
	}
	probe, err := i.create("probe")
	if err != nil {
		return i.unwritable(err)
	}
	return errors.Join(probe.Close(), i.root.Remove(filepath.Base(probe.Name())))
}

func (i *installation) unwritable(err error) error {
	hint := "run it as the user who owns the directory, or install the release below ~/.local by its install.sh"
	if errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) {
		hint = "free some space on that disk"
	}
	return &upgradeError{fmt.Sprintf("%s cannot be written to: %v", i.dir, err), hint}
}

// create makes a new file in the directory for the replacement of a program.
func (i *installation) create(what string) (*os.File, error) {
	return i.root.OpenFile(temporary(what), os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o755)
}

// temporary returns the name of a new file that is on its way in or out.
func temporary(what string) string { return temporaryPrefix + what + "-" + rand.Text() }

// temporaryPrefix begins the names of such files, and of no others.
const temporaryPrefix = ".tidepool-upgrade-"

// sweep removes what an upgrade that was killed has left. Whoever holds the lock may: no other upgrade is at work.
func (i *installation) sweep() error {
	names, err := i.lock.Readdirnames(-1)
	if err != nil {
		return err
	}
	for _, name := range names {
		if !strings.HasPrefix(name, temporaryPrefix) {
			continue
		}
		if err := i.root.Remove(name); err != nil {
			return i.unwritable(err)
		}
	}
	return nil
}

// has reports whether the programs are those that fresh would put in their place.
func (i *installation) has(fresh map[string]string) (bool, error) {
	for _, name := range programNames() {
		old, err := i.sum(name)
		if err != nil {
			return false, err
		}
		other, err := i.sum(fresh[name])
		if err != nil || old != other {
			return false, err
		}
	}
	return true, nil
}

func (i *installation) sum(name string) (sum [sha256.Size]byte, err error) {
	f, err := i.root.Open(name)
	if err != nil {
		return sum, err
	}
	defer f.Close()
	hash := sha256.New()
	if _, err := io.Copy(hash, f); err != nil {
		return sum, err
	}
	return [sha256.Size]byte(hash.Sum(nil)), nil
}

// replace puts the fresh programs, by the names of their files, into the places of the old ones. If it cannot, all is as before.
func (i *installation) replace(fresh map[string]string) error {
	kept := map[string]string{} // a second name of each old program
	defer i.discard(kept)
	for _, name := range programNames() {
		kept[name] = temporary("old-" + name)
		if err := i.root.Link(name, kept[name]); err != nil {
			return i.unwritable(err)
		}
	}
	var replaced []string
	for _, name := range programNames() {
		if err := i.root.Rename(fresh[name], name); err != nil {
			err = i.unwritable(err)
			for _, done := range replaced {
				err = errors.Join(err, i.root.Rename(kept[done], done))
			}
			return err
		}
		replaced = append(replaced, name)
	}
	return i.lock.Sync() // so that a crash of the machine finds the new ones
}
