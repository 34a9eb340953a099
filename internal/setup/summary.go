package setup

import (
	"fmt"
	"path/filepath"
	"strings"

	"tidepool/internal/wording"
)

// Summary returns what the plan changes in at most three lines: the files, the hooks, and the other entries. It is "" if nothing
// changes.
func (p *Plan) Summary() string {
	if len(p.Changes) == 0 {
		return ""
	}
	lines := []string{p.fileLine()}
	var hooks, others []string
	for _, c := range p.Changes {
		before, after := entriesOf(c.Path, c.Before), entriesOf(c.Path, c.After)
		if n := count(after) - count(before); n != 0 {
			hooks = append(hooks, fmt.Sprintf("%s %s %s", wording.Count(max(n, -n), "hook"), verb(n), shortPath(c.Path)))
		} else if count(after) > 0 {
			hooks = append(hooks, fmt.Sprintf("%s brought up to date in %s", wording.Count(count(after), "hook"), shortPath(c.Path)))
		}
		others = append(others, otherEntries(c.Path, before, after)...)
	}
	if len(hooks) > 0 {
		lines = append(lines, strings.Join(hooks, ", "))
	}
	if len(others) > 0 {
		lines = append(lines, strings.Join(others, ", "))
	}
	return strings.Join(lines, "\n") + "\n"
}

// fileLine is "3 files: .claude/settings.json (changed), .mcp.json (made)".
func (p *Plan) fileLine() string {
	var names []string
	for _, c := range p.Changes {
		names = append(names, shortPath(c.Path)+" ("+c.Deed()+")")
	}
	return wording.Count(len(names), "file") + ": " + strings.Join(names, ", ")
}

// Deed says what happens to the file: it is made, removed or changed.
func (c Change) Deed() string {
	switch {
	case c.Before == nil:
		return "made"
	case c.After == nil:
		return "removed"
	}
	return "changed"
}

// shortPath is a path's last two elements, which tell the files of this package apart.
func shortPath(path string) string {
	dir := filepath.Base(filepath.Dir(path))
	if !strings.HasPrefix(dir, ".") && dir != "info" {
		return filepath.Base(path)
	}
	return filepath.Join(dir, filepath.Base(path))
}

// entriesOf returns the entries of ours in a text of one of Claude Code's files, of any kind.
func entriesOf(path string, text []byte) []entry {
	if filepath.Ext(path) != ".json" {
		return nil
	}
	doc, err := parse(path, text)
	if err != nil {
		return nil
	}
	all, _ := hooks{}.find(doc)
	servers, _ := server{}.find(doc)
	return append(all, servers...)
}

// count returns how many of the entries are hooks.
func count(all []entry) (n int) {
	for _, e := range all {
		if e.event != "" {
			n++
		}
	}
	return n
}

// otherEntries names the entries that are no hooks, and come or go.
func otherEntries(path string, before, after []entry) []string {
	var all []string
	for _, k := range []struct {
		name   string
		prefix bool
	}{{"MCP server " + serverName, false}, {"agent-shell for Bash", true}} {
		n := 0
		for _, e := range after {
			if e.event == "" && e.prefix == k.prefix {
				n++
			}
		}
		for _, e := range before {
			if e.event == "" && e.prefix == k.prefix {
				n--
			}
		}
		if n != 0 {
			all = append(all, fmt.Sprintf("%s %s %s", k.name, verb(n), shortPath(path)))
		}
	}
	return all
}

func verb(n int) string {
	if n > 0 {
		return "added to"
	}
	return "removed from"
}
