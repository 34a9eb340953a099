package filecache

import (
	"fmt"
	"io/fs"
	"time"

	"golang.org/x/sys/unix"
)

// A Stamp tells whether a file has changed: two that are equal are of the same text, if the first one was [Stamp.Settled] when the text
// was read. The zero value is that of no file.
type Stamp struct {
	Size    int64
	Written int64 // when the text was written, or is said to have been, in nanoseconds since 1970
	Changed int64 // when the entry was changed, which nobody can set: by every write, too
}

// StampOf returns that of the file at a path, through links.
func StampOf(path string) (Stamp, error) {
	var info unix.Stat_t
	for {
		switch err := unix.Stat(path, &info); err {
		case nil:
			return Stamp{info.Size, info.Mtim.Nano(), info.Ctim.Nano()}, nil
		case unix.EINTR:
		default:
			return Stamp{}, fmt.Errorf("reading source: %w", &fs.PathError{Op: "stat", Path: path, Err: err})
		}
	}
}

// settling is how long the time of a change may stand still: some file systems count seconds, FAT two.
const settling = 2 * time.Second

// Settled reports whether a change after a moment gives the file another stamp.
func (s Stamp) Settled(at time.Time) bool { return at.UnixNano()-s.Changed > settling.Nanoseconds() }
