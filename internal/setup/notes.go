package setup

import (
	"fmt"
	"strings"

	"tidepool/internal/state"
)

// noteInit adds what Init leaves to a person: Claude Code's own file.
func (p *Plan) noteInit(o Options) {
	if o.Scope != ScopeUser {
		return
	}
	found, err := findServer(o.claudeState())
	if err == nil && len(found) > 0 && found[0].command() == o.Agent {
		return
	}
	add := fmt.Sprintf("claude mcp add --scope user %s -- %s mcp", serverName, quote(o.Agent))
	if len(found) > 0 {
		add = "claude mcp remove --scope user " + serverName + " && " + add
	}
	p.Notes = append(p.Notes, "For the tools in every project, have Claude Code add the server to its own file: "+add)
}

// noteUninit adds what Uninit leaves to a person.
func (p *Plan) noteUninit(o Options) {
	if o.Scrub {
		return
	}
	for _, h := range o.holders() {
		if h.stays(o.Scope) {
			p.Left = append(p.Left, h.what+"; "+h.way)
		}
	}
	if o.Scope != ScopeUser {
		return
	}
	p.Left = append(p.Left, "in each project that was set up its "+state.Name+"; there `agent uninit --purge` removes it")
	if found, err := findServer(o.claudeState()); err == nil && len(found) > 0 {
		p.Notes = append(p.Notes, "Claude Code's own file still names the server: claude mcp remove --scope user "+serverName)
	}
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

// quote writes an argument for a POSIX shell.
func quote(arg string) string {
	if strings.Trim(arg, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-+") == "" {
		return arg
	}
	return "'" + strings.ReplaceAll(arg, "'", `'\''`) + "'"
}
