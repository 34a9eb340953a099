package state

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
)

// Bounds of one Check. Beyond them only each access is checked.
const (
	maxChecked = 100_000 // entries whose kind is checked; clangd makes one for each source file
	maxOwners  = 2_000   // regular files whose owner is checked, for 3 µs each
	maxDepth   = 16      // directories within each other
	maxNamed   = 5       // entries that an error names
)

// A ForeignError means that a state directory contains entries that tidepool has not made.
type ForeignError struct {
	Dir     string          // absolute
	Entries []*RefusedError // the first ones
	More    int             // besides these
}

func (e *ForeignError) Error() string {
	if len(e.Entries) == 1 {
		return e.Entries[0].Error()
	}
	var said []string
	for _, entry := range e.Entries {
		below, err := filepath.Rel(e.Dir, entry.Path)
		if err != nil {
			below = entry.Path
		}
		said = append(said, printable(below)+": "+entry.Reason)
	}
	if e.More > 0 {
		said = append(said, fmt.Sprintf("%d more", e.More))
	}
	return fmt.Sprintf("cannot use what is in %s: %s", printable(e.Dir), strings.Join(said, "; "))
}

// Hint says what to do.
func (e *ForeignError) Hint() string {
	var commands []string
	for _, entry := range e.Entries {
		commands = append(commands, entry.Advice)
	}
	return "look what it is, then remove it: " + strings.Join(commands, "; ")
}

// Check examines all entries of the directory. The error is a *ForeignError if there is a link, a device, a pipe, a socket
// other than those of these names, an entry of another user than root, or a log or a lock with a second hard link. tidepool
// makes none of them, so a clone or somebody else has brought it. What is below [Commands] is not examined. Beyond maxOwners files only their kind is checked. Check
// removes temporary files of processes that were killed.
func (d *Dir) Check(sockets ...string) error {
	root, err := d.open()
	if err != nil {
		return err
	}
	c := &checker{top: d.Path(), sockets: sockets, left: maxChecked, owners: maxOwners}
	c.walk(root, d.Path(), 0)
	if len(c.found) == 0 {
		return nil
	}
	shown := min(len(c.found), maxNamed)
	return &ForeignError{d.Path(), c.found[:shown], len(c.found) - shown}
}

// A checker walks through a state directory.
type checker struct {
	top     string
	sockets []string
	left    int // entries that may still be looked at
	owners  int // regular files that may still be asked for their owner
	found   []*RefusedError
}

// walk checks the entries of an open directory and closes it. It skips what it cannot read: nobody else can use that either.
func (c *checker) walk(root *os.Root, path string, depth int) {
	defer root.Close()
	entries, err := c.list(root)
	if err != nil {
		return
	}
	var dirs []string
	for _, e := range entries {
		if e.Type().IsRegular() {
			if c.owners--; c.owners < 0 {
				continue
			}
		}
		info, err := root.Lstat(e.Name())
		if err != nil {
			continue // it is gone
		}
		if c.entry(root, filepath.Join(path, e.Name()), info); info.IsDir() {
			dirs = append(dirs, e.Name())
		}
	}
	for _, name := range dirs {
		if depth == maxDepth || c.left <= 0 {
			return
		}
		if depth == 0 && name == Commands {
			continue
		}
		if sub, err := openRoot(root, name); err == nil {
			c.walk(sub, filepath.Join(path, name), depth+1)
		}
	}
}

// list returns the entries of a directory, by name.
func (c *checker) list(root *os.Root) ([]fs.DirEntry, error) {
	dir, err := kinds(root)
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	entries, err := dir.ReadDir(c.left)
	if err != nil && err != io.EOF {
		return nil, err
	}
	c.left -= len(entries)
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return entries, nil
}

// kinds opens a directory for listing the kinds of its entries only. Listing through a root stats each entry, which takes
// 110 ms for 20,000 of them instead of 15.
func kinds(root *os.Root) (*os.File, error) {
	dir, err := root.Open(".")
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	syscall.ForkLock.RLock()
	defer syscall.ForkLock.RUnlock()
	fd, err := syscall.Dup(int(dir.Fd()))
	if err != nil {
		return nil, os.NewSyscallError("dup", err)
	}
	syscall.CloseOnExec(fd)
	return os.NewFile(uintptr(fd), dir.Name()), nil
}

func (c *checker) entry(root *os.Root, path string, info fs.FileInfo) {
	if info.Mode().Type() == fs.ModeSocket && filepath.Dir(path) == c.top && slices.Contains(c.sockets, info.Name()) {
		return
	}
	reason := ""
	uid, links := owner(info)
	if what := foreignKind(info.Mode()); what != "" {
		reason = "it is " + what
		if to, err := root.Readlink(info.Name()); err == nil {
			reason += " to " + printable(to)
		}
	} else if uid != os.Geteuid() && uid != 0 {
		reason = fmt.Sprintf("it belongs to user %d", uid)
	} else if info.Mode().IsRegular() && links != 1 && writtenInPlace(info.Name()) {
		reason = hardLink
	}
	if reason != "" {
		c.found = append(c.found, &RefusedError{path, reason, Removal(path, info.IsDir())})
	} else if abandoned(info) {
		_ = root.Remove(info.Name()) // at worst it stays
	}
}

// writtenInPlace reports whether a file of this name is appended to or truncated, so that a second hard link matters. All
// others are replaced; they may have several links if somebody has copied the project by links.
func writtenInPlace(name string) bool {
	return slices.Contains([]string{".jsonl", ".lock", ".log"}, filepath.Ext(name))
}

// IsRefused reports whether err means that an entry of a state directory is not used.
func IsRefused(err error) bool {
	_, one := errors.AsType[*RefusedError](err)
	_, all := errors.AsType[*ForeignError](err)
	return one || all
}
