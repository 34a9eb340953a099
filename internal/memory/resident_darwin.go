package memory

import (
	"bytes"
	"context"
	"os/exec"
	"strconv"
)

// Resident returns the bytes of a process that are in memory, shared ones included. It is 0 if the process is gone,
// or nobody says.
func Resident(ctx context.Context, pid int) int64 {
	out, err := exec.CommandContext(ctx, "/bin/ps", "-o", "rss=", "-p", strconv.Itoa(pid)).Output()
	if err != nil {
		return 0
	}
	kilobytes, err := strconv.ParseInt(string(bytes.TrimSpace(out)), 10, 64)
	if err != nil {
		return 0
	}
	return kilobytes << 10
}

// Private returns as much as Resident, as the system does not tell which pages are of files.
func Private(ctx context.Context, pid int) int64 { return Resident(ctx, pid) }
