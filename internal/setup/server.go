package setup

import "path/filepath"

// serverName is the name under which Claude Code shows the tools: mcp__tidepool__find_callers.
const serverName = "tidepool"

// A serverConfig is what .mcp.json says of one server on stdio.
type serverConfig struct {
	Type    string   `json:"type"`
	Command string   `json:"command"`
	Args    []string `json:"args"`
}

// server is the one entry of .mcp.json.
type server struct{}

func (k server) put(d *document, agent string) error {
	found, err := k.find(d)
	if err != nil {
		return err
	}
	if len(found) > 0 {
		found[0].setCommand(agent)
		return nil
	}
	servers, err := d.outermost().ensureObject("mcpServers")
	if err != nil {
		return err
	}
	foreign, err := servers.find(serverName)
	if err != nil {
		return err
	}
	if foreign != nil {
		taken := d.errorAt(foreign.StartOffset, "another server is already called "+serverName)
		taken.hint = "give that one another name, or remove it"
		return taken
	}
	servers.add(serverName, serverConfig{"stdio", agent, []string{"mcp"}})
	return nil
}

func (k server) find(d *document) ([]entry, error) { return k.findIn(d.outermost()) }

// findIn looks into an object that has servers.
func (server) findIn(object container) ([]entry, error) {
	servers, err := object.objectIn("mcpServers")
	if servers == nil || err != nil {
		return nil, err
	}
	one, err := servers.objectIn(serverName)
	if one == nil || err != nil {
		return nil, err
	}
	if args := one.strings("args"); filepath.Base(one.text("command")) != program || len(args) == 0 || args[0] != "mcp" {
		return nil, nil
	}
	path := []place{
		{object, object.index("mcpServers")},
		{*servers, servers.index(serverName)},
	}
	return []entry{{self: *one, path: path}}, nil
}
