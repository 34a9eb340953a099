package memory

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"
)

// A controlGroup is one directory of a cgroup file system that the process is in, or that one is below.
type controlGroup struct {
	dir   string // below the root of the file system, without a slash at its begin
	names names
}

// names are how a version of control groups calls the files and counters that bound memory.
type names struct {
	limits      []string // of what the group may occupy
	usage       string
	reclaimable string // in memory.stat: file pages of the group and those below that nobody has used lately
}

func version1() names {
	return names{limits: []string{"memory.limit_in_bytes"}, usage: "memory.usage_in_bytes", reclaimable: "total_inactive_file"}
}

func version2() names {
	return names{limits: []string{"memory.max", "memory.high"}, usage: "memory.current", reclaimable: "inactive_file"}
}

// unlimited is more than any limit that somebody has set: version 1 writes the largest number of pages, 9223372036854771712,
// where there is none.
const unlimited = 1 << 62

// left returns how much more the group may occupy, and the path of the limit that says so; "" if it has none.
func (g controlGroup) left(root fs.FS) (bytes int64, from string, err error) {
	limit := int64(unlimited)
	for _, name := range g.names.limits {
		file := path.Join(g.dir, name)
		n, ok, err := readNumber(root, file)
		if err != nil {
			return 0, "", err
		}
		if ok && n < limit {
			limit, from = n, "/"+file
		}
	}
	if from == "" {
		return 0, "", nil
	}
	used, ok, err := readNumber(root, path.Join(g.dir, g.names.usage))
	if err == nil && !ok {
		err = fmt.Errorf("%s bounds memory, and %s does not say how much is used", from, g.names.usage)
	}
	if err != nil {
		return 0, "", err
	}
	return max(0, limit-used+min(used, g.reclaimable(root))), from, nil
}

// reclaimable returns the bytes of the group that the kernel takes back first; 0 if it does not say.
func (g controlGroup) reclaimable(root fs.FS) int64 {
	text, err := fs.ReadFile(root, path.Join(g.dir, "memory.stat"))
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(text)) {
		if name, value, _ := strings.Cut(strings.TrimSpace(line), " "); name == g.names.reclaimable {
			n, _ := strconv.ParseInt(value, 10, 64)
			return n
		}
	}
	return 0
}

// controlGroups returns the groups that bound the memory of the process, the innermost first. A machine may have both versions
// mounted, of which one bounds memory.
func controlGroups(root fs.FS) ([]controlGroup, error) {
	text, err := fs.ReadFile(root, "proc/self/cgroup")
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil // a kernel without them
	}
	if err != nil {
		return nil, err
	}
	mounts, err := readMounts(root)
	if err != nil {
		return nil, err
	}
	var groups []controlGroup
	for line := range strings.Lines(string(text)) {
		fields := strings.SplitN(strings.TrimSpace(line), ":", 3) // a path may hold colons
		if len(fields) != 3 {
			continue
		}
		switch controllers := strings.Split(fields[1], ","); {
		case fields[0] == "0" && fields[1] == "":
			groups = append(groups, mounts.version2.upward(fields[2], version2())...)
		case slices.Contains(controllers, "memory"):
			groups = append(groups, mounts.version1.upward(fields[2], version1())...)
		}
	}
	return groups, nil
}
