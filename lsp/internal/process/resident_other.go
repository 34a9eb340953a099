//go:build !linux

package process

import (
	"context"
	"os/exec"
	"strconv"
	"strings"
)

// Resident returns the bytes that the processes of each process group occupy, by the id of the group; nothing if ps does not say.
func Resident(ctx context.Context) map[int]int64 {
	all := map[int]int64{}
	out, _ := exec.CommandContext(ctx, "/bin/ps", "-A", "-o", "pgid=,rss=").Output()
	for line := range strings.Lines(string(out)) {
		fields := strings.Fields(line)
		if len(fields) != 2 {
			continue
		}
		group, err := strconv.Atoi(fields[0])
		kilobytes, errOfSize := strconv.ParseInt(fields[1], 10, 64)
		if err == nil && errOfSize == nil {
			all[group] += kilobytes << 10
		}
	}
	return all
}
