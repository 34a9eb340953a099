//go:build !linux

package process

import (
	"context"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
)

// processes returns those that ps shows; none if it does not say.
func processes(ctx context.Context) []usage {
	var all []usage
	out, _ := exec.CommandContext(ctx, "/bin/ps", "-A", "-o", "pid=,ppid=,pgid=,rss=,comm=").Output()
	for line := range strings.Lines(string(out)) {
		if p, ok := parseRow(line); ok {
			all = append(all, p)
		}
	}
	return all
}

func parseRow(line string) (usage, bool) {
	fields := strings.Fields(line)
	if len(fields) < 5 {
		return usage{}, false
	}
	var p usage
	kilobytes := 0
	for i, into := range []*int{&p.pid, &p.parent, &p.group, &kilobytes} {
		n, err := strconv.Atoi(fields[i])
		if err != nil {
			return usage{}, false
		}
		*into = n
	}
	p.name, p.bytes = filepath.Base(strings.Join(fields[4:], " ")), int64(kilobytes)<<10
	return p, true
}

// nameOf returns the name of a process's program: the arguments of a process are not looked up here.
func nameOf(p usage, _ string) string { return p.name }
