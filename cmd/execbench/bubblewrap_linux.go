package main

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"

	"tidepool/internal/sandbox"
)

// A mount is a line of /proc/self/mountinfo.
type mount struct {
	point, root, kind string
	readOnly          bool
}

// bubblewrap returns the arguments with which bwrap makes the mounts that a command in the sandbox has, and how many they are.
func bubblewrap(ctx context.Context, box *sandbox.Sandbox, project string, outside []byte) ([]string, int, error) {
	out, err := box.Run(ctx, sandbox.Spec{Args: []string{"cat", "/proc/self/mountinfo"}, Env: environment()})
	if err != nil {
		return nil, 0, err
	}
	if out.Isolation != sandbox.Full || out.Exit != 0 {
		return nil, 0, fmt.Errorf("reading the mounts: isolation %s, exit %d", out.Isolation, out.Exit)
	}
	arguments := []string{"--unshare-all", "--die-with-parent", "--new-session", "--cap-drop", "ALL", "--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "--tmpfs", "/tmp"}
	ours := added(string(out.Stdout.Text), outside)
	for _, m := range ours {
		if below(m.point, "/dev") || below(m.point, "/proc") || m.point == "/tmp" {
			continue // --dev, --proc and --tmpfs make these
		}
		arguments = append(arguments, argument(m)...)
	}
	return append(arguments, "--chdir", project), len(ours), nil
}

// added returns the mounts that are in a mountinfo and not in that of outside.
func added(inside string, outside []byte) []mount {
	there := mounts(string(outside))
	return slices.DeleteFunc(mounts(inside), func(m mount) bool {
		return slices.ContainsFunc(there, func(o mount) bool { return o.point == m.point && o.kind == m.kind && o.root == m.root })
	})
}

// argument makes one mount. What hides something is a mount of an empty directory or file there.
func argument(m mount) []string {
	hides := strings.HasPrefix(m.root, "/.")
	info, err := os.Stat(m.point)
	switch {
	case err != nil:
		return nil // made by the sandbox in an empty directory
	case hides && !info.IsDir():
		return []string{"--ro-bind", "/dev/null", m.point}
	case hides || m.kind == "tmpfs":
		return []string{"--tmpfs", m.point}
	case m.readOnly:
		return []string{"--ro-bind", m.point, m.point}
	}
	return []string{"--bind", m.point, m.point}
}

// mounts parses a mountinfo, see proc(5).
func mounts(text string) []mount {
	var all []mount
	for line := range strings.Lines(text) {
		before, after, _ := strings.Cut(line, " - ")
		fields, kind := strings.Fields(before), strings.Fields(after)
		if len(fields) < 6 || len(kind) == 0 {
			continue
		}
		all = append(all, mount{point: fields[4], root: fields[3], kind: kind[0], readOnly: slices.Contains(strings.Split(fields[5], ","), "ro")})
	}
	return all
}

func below(path, dir string) bool { return path == dir || strings.HasPrefix(path, dir+"/") }
