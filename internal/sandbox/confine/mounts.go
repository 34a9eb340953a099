//go:build linux && (amd64 || arm64)

package confine

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/sys/unix"
)

// emptyDir and emptyFile are what hidden things are covered with. They lie in the new /dev.
const (
	emptyDir  = "/dev/.empty"
	emptyFile = "/dev/.none"
)

// A view is the mounts of the process while they change.
type view struct {
	trees map[string]int // detached trees of the mounts' sources, by path
	made  []made         // what was mounted, to check that it is where it should be
}

// A made mount is where one was attached.
type made struct {
	mount Mount
	id    uint64 // of the mount, as statx tells it
}

// mountView mounts what the plan says. The trees that stay are cloned first, from the view of the daemon. Then all of
// that becomes read-only, and things are covered, parents before children. Links are followed nowhere: earlier commands may have left them.
func mountView(p *Plan) error {
	v := &view{trees: map[string]int{}}
	if err := unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, ""); err != nil {
		return fmt.Errorf("making all mounts private: %w", err)
	}
	if err := v.clone(p.View); err != nil {
		return err
	}
	devices, err := cloneDevices()
	if err != nil {
		return err
	}
	if err := setattr(unix.AT_FDCWD, "/", unix.AT_RECURSIVE, unix.MOUNT_ATTR_RDONLY|unix.MOUNT_ATTR_NOSUID); err != nil {
		return fmt.Errorf("making all mounts read-only: %w", err)
	}
	if err := mountDev(devices); err != nil {
		return fmt.Errorf("making /dev: %w", err)
	}
	for _, m := range p.View {
		if err := v.mount(m); err != nil {
			return fmt.Errorf("%s %s: %w", m.Kind, m.Path, err)
		}
	}
	return v.seal()
}

// clone makes detached copies of the trees that are mounted later.
func (v *view) clone(mounts []Mount) error {
	for _, m := range mounts {
		if _, done := v.trees[m.Path]; done || m.From == "" {
			continue
		}
		attr := uint64(unix.MOUNT_ATTR_NOSUID | unix.MOUNT_ATTR_NODEV)
		if m.Kind == Show {
			attr |= unix.MOUNT_ATTR_RDONLY
		}
		tree, err := cloneTree(m.From, attr)
		if errors.Is(err, unix.ENOENT) && m.Kind == Show {
			continue
		}
		if err != nil {
			return fmt.Errorf("cloning %s: %w", m.From, err)
		}
		v.trees[m.Path] = tree
	}
	return nil
}

// mount does one mount.
func (v *view) mount(m Mount) error {
	if m.Kind == Show || m.Kind == Write {
		tree, ok := v.trees[m.Path]
		if !ok {
			return nil
		}
		return v.attach(m, tree)
	}
	if m.Kind == Room {
		return v.room(m)
	}
	var stat unix.Stat_t
	at, err := openPath(m.Path)
	for m.Kind == Hide && errors.Is(err, unix.EACCES) && v.writable(m.Path) {
		// A directory on the way is closed to this user. The command may own that directory and open it, so all of it is hidden.
		m.Path = filepath.Dir(m.Path)
		at, err = openPath(m.Path)
	}
	if errors.Is(err, unix.ENOENT) || errors.Is(err, unix.ENOTDIR) || errors.Is(err, unix.EACCES) && !v.writable(m.Path) {
		return nil // what this process cannot reach the command cannot reach, unless it can change the directories
	}
	if err != nil {
		return err
	}
	err = unix.Fstat(at, &stat)
	unix.Close(at)
	if err != nil {
		return err
	}
	source, attr := m.Path, uint64(0)
	switch {
	case m.Kind == Protect:
		attr = unix.MOUNT_ATTR_RDONLY
	case m.Kind == Hide && stat.Mode&unix.S_IFMT == unix.S_IFDIR:
		source = emptyDir
	case m.Kind == Hide:
		source = emptyFile
	}
	tree, err := cloneTree(source, attr)
	if errors.Is(err, unix.ENOENT) {
		return nil
	}
	if err != nil {
		return err
	}
	return v.attach(m, tree)
}

// writable reports whether a path is in a tree that was mounted to be written to.
func (v *view) writable(path string) bool {
	return slices.ContainsFunc(v.made, func(m made) bool { return m.mount.Kind == Write && strings.HasPrefix(path, m.mount.Path+"/") })
}

// attach moves a detached tree to its place, which it makes if it is missing, and closes it.
func (v *view) attach(m Mount, tree int) error {
	defer unix.Close(tree)
	at, err := openPath(m.Path)
	if errors.Is(err, unix.EACCES) && m.Kind == Hide { // a directory on the way was closed meanwhile
		return v.mount(m)
	}
	if errors.Is(err, unix.ENOENT) && m.From == "" { // it went meanwhile
		return nil
	}
	if errors.Is(err, unix.ENOENT) {
		if err = makePlace(m.Path, tree); err != nil {
			return err
		}
		at, err = openPath(m.Path)
	}
	if err != nil {
		return err
	}
	defer unix.Close(at)
	err = unix.MoveMount(tree, "", at, "", unix.MOVE_MOUNT_F_EMPTY_PATH|unix.MOVE_MOUNT_T_EMPTY_PATH)
	if errors.Is(err, unix.ENOENT) && m.From == "" {
		return nil
	}
	if err != nil {
		return err
	}
	return v.remember(m, tree)
}

// remember notes the mount of which a descriptor is the root.
func (v *view) remember(m Mount, root int) error {
	id, err := mountID(root)
	v.made = append(v.made, made{m, id})
	return err
}

// room covers a directory with an empty one in memory, to which places are added until the view is sealed.
func (v *view) room(m Mount) error {
	err := unix.Mount("tmpfs", m.Path, "tmpfs", unix.MS_NOSUID|unix.MS_NODEV, "mode=0755,size=1m,nr_inodes=4096")
	if errors.Is(err, unix.ENOENT) {
		return nil
	}
	if err != nil {
		return err
	}
	root, err := openPath(m.Path)
	if err != nil {
		return err
	}
	defer unix.Close(root)
	return v.remember(m, root)
}

// maxAgain bounds how often hidden things are covered again that others put in the place of covered ones meanwhile.
const maxAgain = 1000

// seal makes the rooms read-only and checks that each mount is where it was made. Another command of the same session may rename
// directories in the session's /tmp meanwhile, and a mount moves with its directory. A socket that its program has made anew is covered
// again. So is what is hidden in a directory that its owner has closed meanwhile, which mount decides as it did at first.
func (v *view) seal() error {
	most := len(v.made) + maxAgain
	for n := 0; n < len(v.made) && n < most; n++ { // it grows
		m := v.made[n].mount
		same, err := v.check(v.made[n])
		if m.Kind == Hide && (err == nil && !same || errors.Is(err, unix.EACCES)) {
			err = v.mount(m)
		} else if err == nil && !same {
			err = errors.New("something else is there now")
		}
		if err != nil {
			return fmt.Errorf("checking %s: %w", m.Path, err)
		}
	}
	if len(v.made) > most {
		return errors.New("what is to be hidden is made anew all the time")
	}
	return unix.Chdir("/")
}

// check reports whether a mount is in its place, or that place is gone, and closes rooms.
func (v *view) check(m made) (same bool, err error) {
	at, err := openPath(m.mount.Path)
	if errors.Is(err, unix.ENOENT) && m.mount.From == "" { // it was removed, and with it what was mounted on it
		return true, nil
	}
	if err != nil {
		return false, err
	}
	defer unix.Close(at)
	id, err := mountID(at)
	if err == nil && m.mount.Kind == Room {
		err = setattr(at, "", unix.AT_EMPTY_PATH, unix.MOUNT_ATTR_RDONLY)
	}
	return id == m.id, err
}

// makePlace makes the directory or the file that a tree is mounted on.
func makePlace(path string, tree int) error {
	var stat unix.Stat_t
	if err := unix.Fstat(tree, &stat); err != nil {
		return err
	}
	if stat.Mode&unix.S_IFMT == unix.S_IFDIR {
		return os.MkdirAll(path, 0o755)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	file, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	return file.Close()
}

// openPath opens a path for operations on the path alone. The error is ELOOP if a link is on its way.
func openPath(path string) (int, error) {
	return unix.Openat2(unix.AT_FDCWD, path, &unix.OpenHow{Flags: unix.O_PATH | unix.O_CLOEXEC | unix.O_NOFOLLOW, Resolve: unix.RESOLVE_NO_SYMLINKS})
}

// cloneTree returns a detached copy of the mounts at a path and below it, with these attributes.
func cloneTree(path string, attr uint64) (int, error) {
	at, err := openPath(path)
	if err != nil {
		return -1, err
	}
	defer unix.Close(at)
	tree, err := unix.OpenTree(at, "", unix.OPEN_TREE_CLONE|unix.O_CLOEXEC|unix.AT_EMPTY_PATH|unix.AT_RECURSIVE)
	if err != nil {
		return -1, err
	}
	if attr != 0 {
		err = setattr(tree, "", unix.AT_EMPTY_PATH|unix.AT_RECURSIVE, attr)
	}
	if err != nil {
		unix.Close(tree)
		return -1, err
	}
	return tree, nil
}

// setattr adds attributes to a mount.
func setattr(at int, path string, flags uint, attr uint64) error {
	return unix.MountSetattr(at, path, flags, &unix.MountAttr{Attr_set: attr})
}

// mountID returns the number of the mount that a descriptor is in.
func mountID(at int) (uint64, error) {
	var stat unix.Statx_t
	err := unix.Statx(at, "", unix.AT_EMPTY_PATH, unix.STATX_MNT_ID, &stat)
	return stat.Mnt_id, err
}
