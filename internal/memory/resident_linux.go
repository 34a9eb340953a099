package memory

import (
	"bytes"
	"context"
	"os"
	"strconv"
)

// Resident returns the bytes of a process that are in memory, shared ones included. It is 0 if the process is gone,
// or nobody says.
func Resident(_ context.Context, pid int) int64 {
	statm, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/statm") // sizes in pages: total, resident, …
	if err != nil {
		return 0
	}
	fields := bytes.Fields(statm)
	if len(fields) < 2 {
		return 0
	}
	pages, err := strconv.ParseInt(string(fields[1]), 10, 64)
	if err != nil {
		return 0
	}
	return pages * int64(os.Getpagesize())
}
