//go:build !linux

package lsp

import (
	"context"
	"os/exec"
	"strconv"
	"strings"
)

// residentOfGroups returns the bytes that the processes of each process group occupy; nothing if ps does not say.
func residentOfGroups(ctx context.Context) map[int]int64 {
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
