// Package mcptest tests `agent mcp` from outside: the built program between a
// real socket server with scripted tools and clients of other authors, the
// official MCP SDK for Go and a recorded Claude Code.
//
// It is a package of the root module because the agent's module must not
// depend on an SDK.
package mcptest
