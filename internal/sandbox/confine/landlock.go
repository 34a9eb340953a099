//go:build linux && (amd64 || arm64)

package confine

import (
	"errors"
	"fmt"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Rights of Landlock, by the version of its interface that brought them, see landlock(7).
const (
	readRights  = unix.LANDLOCK_ACCESS_FS_EXECUTE | unix.LANDLOCK_ACCESS_FS_READ_FILE | unix.LANDLOCK_ACCESS_FS_READ_DIR
	fileRights  = unix.LANDLOCK_ACCESS_FS_EXECUTE | unix.LANDLOCK_ACCESS_FS_READ_FILE | unix.LANDLOCK_ACCESS_FS_WRITE_FILE | unix.LANDLOCK_ACCESS_FS_TRUNCATE | unix.LANDLOCK_ACCESS_FS_IOCTL_DEV
	firstRights = 1<<13 - 1 // version 1: reading, running, writing, making and removing of each kind
)

// LandlockVersion returns the version of the kernel's Landlock; 0 if it has none.
func LandlockVersion() int {
	version, _, errno := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, 0, 0, unix.LANDLOCK_CREATE_RULESET_VERSION)
	if errno != 0 {
		return 0
	}
	return int(version)
}

// handled returns the rights over files that a version can take away.
func handled(version int) uint64 {
	rights := uint64(firstRights)
	for since, right := range map[int]uint64{
		2: unix.LANDLOCK_ACCESS_FS_REFER, 3: unix.LANDLOCK_ACCESS_FS_TRUNCATE, 5: unix.LANDLOCK_ACCESS_FS_IOCTL_DEV,
	} {
		if version >= since {
			rights |= right
		}
	}
	return rights
}

// restrictPaths puts the thread into a Landlock domain: it reads and writes what the plan lists, and signals and reaches by abstract
// sockets nothing outside of the domain, where the kernel can see to that. In namespaces of its own the domain is a second wall.
func restrictPaths(p *Plan) error {
	version := LandlockVersion()
	if version == 0 {
		if p.Full {
			return nil
		}
		return errors.New("the kernel has no Landlock")
	}
	set, err := ruleset(version, p.Read, p.Write)
	if err != nil {
		return err
	}
	defer unix.Close(set)
	if _, _, errno := unix.Syscall(unix.SYS_LANDLOCK_RESTRICT_SELF, uintptr(set), 0, 0); errno != 0 {
		return fmt.Errorf("entering the domain: %w", errno)
	}
	return nil
}

// ruleset makes the rules of a domain for a version of Landlock, as a descriptor.
func ruleset(version int, read, write []string) (int, error) {
	attr := unix.LandlockRulesetAttr{Handled_access_fs: handled(version)}
	if version >= 6 {
		attr.Scoped = unix.LANDLOCK_SCOPE_SIGNAL | unix.LANDLOCK_SCOPE_ABSTRACT_UNIX_SOCKET
	}
	size := unsafe.Offsetof(attr.Scoped) + unsafe.Sizeof(attr.Scoped)
	switch {
	case version < 4:
		size = unsafe.Offsetof(attr.Handled_access_net)
	case version < 6:
		size = unsafe.Offsetof(attr.Scoped)
	}
	made, _, errno := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, uintptr(unsafe.Pointer(&attr)), size, 0)
	if errno != 0 {
		return -1, fmt.Errorf("making a ruleset: %w", errno)
	}
	set := int(made)
	for _, rule := range []struct {
		paths  []string
		rights uint64
	}{{read, readRights & attr.Handled_access_fs}, {write, attr.Handled_access_fs}} {
		for _, path := range rule.paths {
			if err := allow(set, path, rule.rights); err != nil {
				unix.Close(set)
				return -1, err
			}
		}
	}
	return set, nil
}

// allow adds a rule for what is at a path and below; none if nothing is.
func allow(set int, path string, rights uint64) error {
	at, err := openPath(path)
	if errors.Is(err, unix.ENOENT) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("opening %s: %w", path, err)
	}
	defer unix.Close(at)
	var stat unix.Stat_t
	if err := unix.Fstat(at, &stat); err != nil {
		return err
	}
	if stat.Mode&unix.S_IFMT != unix.S_IFDIR {
		rights &= fileRights
	}
	rule := unix.LandlockPathBeneathAttr{Allowed_access: rights, Parent_fd: int32(at)}
	_, _, errno := unix.Syscall6(unix.SYS_LANDLOCK_ADD_RULE, uintptr(set), unix.LANDLOCK_RULE_PATH_BENEATH, uintptr(unsafe.Pointer(&rule)), 0, 0, 0)
	if errno != 0 {
		return fmt.Errorf("allowing %s: %w", path, errno)
	}
	return nil
}
