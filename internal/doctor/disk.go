package doctor

import (
	"context"
	"fmt"

	"golang.org/x/sys/unix"
)

// Disk checks that there is space for logs and the caches of language servers.
type Disk struct {
	Dir   string // a directory on the disk that is meant
	Least int64  // megabytes that must be free; 0: 200
}

// Look asks the file system.
func (d Disk) Look(context.Context) []Finding {
	const name = "disk"
	least := d.Least
	if least == 0 {
		least = 200
	}
	var stat unix.Statfs_t
	if err := unix.Statfs(d.Dir, &stat); err != nil {
		return []Finding{trouble(name, "make the directory accessible", fmt.Errorf("asking for the space in %s: %w", d.Dir, err))}
	}
	free := int64(stat.Bavail) * int64(stat.Bsize) >> 20
	if free < least {
		return []Finding{problem(name, "free some space", "only %d MB are free on the disk of %s", free, d.Dir)}
	}
	return []Finding{fine(name, "%d MB are free", free)}
}
