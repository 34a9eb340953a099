package setup

import (
	"fmt"
	"slices"
	"strings"

	"tidepool/internal/state"
)

// noteInit adds what Init leaves to a person: PATH.
func (p *Plan) noteInit(o Options) {
	if !slices.ContainsFunc(p.Changes, func(c Change) bool { return c.Path == o.projectSite().path || c.Path == o.serverSite().path }) || o.Scope != ScopeProject {
		return
	}
	if f := o.onPath(true); !f.OK {
		p.Notes = append(p.Notes, f.What+": "+f.Problem+". To mend it, "+f.Fix)
	}
}

// ServerCommands returns the commands by which Claude Code puts the server into its own file, which holds the servers of a user; none if
// it is there, or the plugin brings it.
func (o Options) ServerCommands() [][]string {
	if slices.ContainsFunc(o.holders(), func(h holder) bool { return h.plugin }) {
		return nil
	}
	add := []string{"claude", "mcp", "add", "--scope", "user", serverName, "--", o.Agent, "mcp"}
	found, err := findServer(o.claudeState())
	switch {
	case err != nil || len(found) == 0:
		return [][]string{add}
	case found[0].command() == o.Agent:
		return nil
	}
	return append(o.ServerRemoval(), add)
}

// ServerRemoval returns the command by which Claude Code takes the server out of its own file; none if it is not there.
func (o Options) ServerRemoval() [][]string {
	if found, err := findServer(o.claudeState()); err != nil || len(found) == 0 {
		return nil
	}
	return [][]string{{"claude", "mcp", "remove", "--scope", "user", serverName}}
}

// ShellLine writes commands as a line of a POSIX shell that runs one after the other.
func ShellLine(commands [][]string) string {
	var lines []string
	for _, c := range commands {
		var words []string
		for _, word := range c {
			words = append(words, quote(word))
		}
		lines = append(lines, strings.Join(words, " "))
	}
	return strings.Join(lines, " && ")
}

// noteUninit adds what Uninit leaves.
func (p *Plan) noteUninit(o Options) {
	if o.Scrub {
		return
	}
	for _, h := range o.holders() {
		if h.stays(o.Scope) {
			p.Left = append(p.Left, fmt.Sprintf("%s; `%s` takes that out", h.what, h.way))
		}
	}
	if o.Scope != ScopeUser {
		return
	}
	p.Left = append(p.Left, "in each project that was set up its "+state.Name+"; there `agent uninit --purge` removes it")
}

// findServer looks for our server in a file that is shaped like .mcp.json.
func findServer(path string) ([]entry, error) {
	f, err := look(path)
	if err != nil {
		return nil, err
	}
	doc, err := parse(f.path, f.data)
	if err != nil {
		return nil, err
	}
	return server{}.find(doc)
}

// hasServer reports whether Claude Code's own file has our server for this project, or for all.
func (o Options) hasServer() bool {
	doc := site{path: o.claudeState()}.document()
	if doc == nil {
		return false
	}
	top := doc.outermost()
	if found, err := (server{}).findIn(top); err == nil && len(found) > 0 {
		return true
	}
	return len(o.localServer(top)) > 0
}

// localServer returns our server among those that Claude Code keeps for one person in this project.
func (o Options) localServer(top container) []entry {
	projects, err := top.objectIn("projects")
	if projects == nil || err != nil {
		return nil
	}
	project, err := projects.objectIn(o.Project)
	if project == nil || err != nil {
		return nil
	}
	found, err := server{}.findIn(*project)
	if err != nil {
		return nil
	}
	return found
}

// quote writes an argument for a POSIX shell.
func quote(arg string) string {
	if strings.Trim(arg, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-+") == "" {
		return arg
	}
	return "'" + strings.ReplaceAll(arg, "'", `'\''`) + "'"
}
