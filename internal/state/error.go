package state

import (
	"fmt"
	"io/fs"
	"strconv"
	"strings"
	"syscall"
	"unicode/utf8"
)

// A RefusedError is why an entry of the state directory, or the directory itself, is not used.
type RefusedError struct {
	Path   string // absolute
	Reason string // a sentence without its end, as "it is a symbolic link"
	Advice string // what to do
}

func (e *RefusedError) Error() string { return "cannot use " + printable(e.Path) + ": " + e.Reason }

// Hint says what to do.
func (e *RefusedError) Hint() string { return e.Advice }

// A TooLargeError means that a file is larger than the reader's limit.
type TooLargeError struct {
	Path  string // absolute
	Size  int64  // bytes
	Limit int64  // bytes
}

func (e *TooLargeError) Error() string {
	return fmt.Sprintf("%s is larger than %d bytes: it has %d", printable(e.Path), e.Limit, e.Size)
}

// Hint says what to do.
func (e *TooLargeError) Hint() string {
	return "look what it is, or remove it: " + Removal(e.Path, false)
}

// Removal returns the shell command that removes a path, for hints.
func Removal(path string, dir bool) string {
	command := "rm "
	if dir {
		command = "rm -r "
	}
	if printable(path) == path {
		return command + "'" + strings.ReplaceAll(path, "'", `'\''`) + "'"
	}
	return command + "-i, for its name is " + printable(path)
}

// printable returns text, quoted if it contains terminal controls: names and the targets of links come from a clone.
func printable(text string) string {
	if !utf8.ValidString(text) || strings.ContainsFunc(text, func(r rune) bool { return !strconv.IsPrint(r) }) {
		return strconv.Quote(text)
	}
	return text
}

// foreignKind returns the kind of an entry that is neither a regular file nor a directory; else "".
func foreignKind(mode fs.FileMode) string {
	switch mode.Type() {
	case 0, fs.ModeDir:
		return ""
	case fs.ModeSymlink:
		return "a symbolic link"
	case fs.ModeNamedPipe:
		return "a named pipe"
	case fs.ModeSocket:
		return "a socket"
	}
	return "a device"
}

// owner returns the user id of an entry's owner and its number of hard links; -1 and 0 if the system does not tell.
func owner(info fs.FileInfo) (uid int, links uint64) {
	if stat, ok := info.Sys().(*syscall.Stat_t); ok {
		return int(stat.Uid), uint64(stat.Nlink)
	}
	return -1, 0
}
