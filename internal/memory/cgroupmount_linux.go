package memory

import (
	"errors"
	"io/fs"
	"path"
	"slices"
	"strings"
)

// mounts are where the control groups that may bound memory are mounted; nil where a version is not.
type mounts struct{ version1, version2 *mount }

// A mount shows the groups at and below one of them.
type mount struct {
	group string // the one at the top, as /proc/self/cgroup writes it
	point string // below the root of the file system, without a slash at its begin
}

// readMounts reads /proc/self/mountinfo, see proc_pid_mountinfo(5). The first mount of each version counts.
func readMounts(root fs.FS) (mounts, error) {
	text, err := fs.ReadFile(root, "proc/self/mountinfo")
	if err != nil {
		return mounts{}, err
	}
	var found mounts
	for line := range strings.Lines(string(text)) {
		before, after, ok := strings.Cut(line, " - ")
		place, kind := strings.Fields(before), strings.Fields(after)
		if !ok || len(place) < 5 || len(kind) < 3 {
			continue
		}
		m := &mount{group: unescape(place[3]), point: strings.TrimPrefix(unescape(place[4]), "/")}
		switch {
		case kind[0] == "cgroup2" && found.version2 == nil:
			found.version2 = m
		case kind[0] == "cgroup" && found.version1 == nil && slices.Contains(strings.Split(kind[2], ","), "memory"):
			found.version1 = m
		}
	}
	if found == (mounts{}) {
		return found, errors.New("no cgroup file system that bounds memory is mounted")
	}
	return found, nil
}

// upward returns a group, as /proc/self/cgroup writes it, and those around it up to the top of the mount. A group that the mount does not
// show, as in a container with a view of its own, is that at the top.
func (m *mount) upward(group string, names names) []controlGroup {
	if m == nil {
		return nil
	}
	below, inside := strings.CutPrefix(group, strings.TrimSuffix(m.group, "/"))
	if !inside || !strings.HasPrefix(below, "/") || !fs.ValidPath(below[1:]) { // "/../x" lies outside of our namespace
		below = ""
	}
	var groups []controlGroup
	for below != "" && below != "/" {
		groups = append(groups, controlGroup{path.Join(m.point, below), names})
		below = path.Dir(below)
	}
	return append(groups, controlGroup{m.point, names})
}

// unescape undoes the octal escapes of mountinfo.
func unescape(text string) string {
	return strings.NewReplacer(`\040`, " ", `\011`, "\t", `\012`, "\n", `\134`, `\`).Replace(text)
}
