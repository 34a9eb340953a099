package ancestry

import (
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// A Process is one run of a program. Two runs with the same id differ in their start.
type Process struct {
	PID     int
	Started uint64 // in the system's own unit
}

// Find returns the process that has an id now.
func Find(pid int) (Process, error) {
	p, err := look(pid)
	return p.Process, err
}

// A program is a process and what is known of it.
type program struct {
	Process
	parent   int // 0: none
	name     string
	path     string // of the executable; "": not known
	args     []string
	terminal bool // it has a controlling terminal
}

// isClaude reports whether the program is Claude Code, as far as its names say so.
func (p *program) isClaude() bool {
	path := strings.TrimSuffix(p.path, " (deleted)") // an update replaces it while it runs
	switch {
	case p.name == claude, filepath.Base(path) == claude, len(p.args) > 0 && filepath.Base(p.args[0]) == claude:
		return true
	case strings.Contains(path, "/claude/versions/"):
		return true
	}
	return slices.Contains([]string{"node", "bun"}, filepath.Base(path)) && slices.ContainsFunc(p.args, isPackage)
}

const claude = "claude"

// isPackage reports whether an argument is a file of Claude Code's npm package.
func isPackage(arg string) bool { return strings.Contains(arg, "/@anthropic-ai/claude-code/") }

// mark is what an environment says of the session that made it.
type mark struct {
	inside bool // CLAUDECODE is set
	pid    int  // CLAUDE_PID; 0: it is not there
}

func readMark(environ []string) (m mark) {
	for _, entry := range environ {
		name, value, _ := strings.Cut(entry, "=")
		switch name {
		case "CLAUDECODE":
			m.inside = value != "" && value != "0"
		case "CLAUDE_PID":
			m.pid, _ = strconv.Atoi(value)
		}
	}
	return m
}

// maxDepth bounds a walk. Process trees of people are some ten deep.
const maxDepth = 256

// lineage returns a process and its ancestors, the process first. It ends at one that cannot be seen: the first, or one of
// another user where the system hides those, or the first at which end is true (nil: none). The error says that the process
// itself cannot be seen.
func lineage(pid int, end func(*program) bool) ([]program, error) {
	first, err := look(pid)
	if err != nil {
		return nil, err
	}
	all := []program{first}
	for len(all) < maxDepth {
		last := all[len(all)-1]
		if last.parent <= 0 || end != nil && end(&last) {
			break
		}
		parent, err := look(last.parent)
		if err == nil {
			all = append(all, parent)
			continue
		}
		now, err := look(last.PID) // its parent may just have ended
		if err != nil || now.parent == last.parent {
			break
		}
		all[len(all)-1] = now
	}
	return all, nil
}
