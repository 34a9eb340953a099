// Package client knows the files of clients other than Claude Code in which tidepool has entries, and what the entries
// look like: Codex, Gemini CLI, Cursor and opencode. It changes texts; who calls it reads and writes the files.
//
//	client    in a project                        of a user                                      server
//	codex     .codex/config.toml                  config.toml in $CODEX_HOME or ~/.codex         [mcp_servers.tidepool]
//	gemini    .gemini/settings.json               ~/.gemini/settings.json                        mcpServers.tidepool
//	cursor    .cursor/mcp.json                    ~/.cursor/mcp.json                             mcpServers.tidepool
//	opencode  opencode.json, or opencode.jsonc    the same in $XDG_CONFIG_HOME/opencode or       mcp.tidepool
//	          if that is there                    ~/.config/opencode
//
// Hooks stand in hooks.json beside config.toml and mcp.json, and in settings.json; opencode has none, and a user of Cursor
// has none, as they would not run in the project's directory.
//
// A server is ours if it is called "tidepool" and its program is called "agent" with the first argument "mcp"; a hook
// if it is a shell line that runs "agent hook" with the client's runtime. Everything else stays byte for byte.
package client
