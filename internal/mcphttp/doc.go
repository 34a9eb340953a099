// Package mcphttp serves the daemon's tools to clients of the Model Context Protocol that speak HTTP.
//
//	POST, GET, DELETE /mcp   the Streamable HTTP transport, in all revisions that the official Go SDK knows
//	GET, POST /sse           the transport of revision 2024-11-05, for older clients
//
// The SDK speaks the protocol. A tool call is a call of the daemon as any other, with its bounds, timeouts and log: see
// [server.Follow]. It is cancelled when the client cancels it, hangs up or ends the session.
//
// A request of revision 2026-07-28 has no session. A request of an older revision belongs to one, which the client ends, or which ends
// when nobody has used it for idleLimit. There are at most maxSessions; for a further one the oldest unused one ends. /sse has at
// most maxStreams sessions, each as long as its stream.
//
// A stream of events (GET /mcp, GET /sse, subscriptions/listen) keeps no daemon from exiting and no connection from eviction:
// see [server.Stream].
//
// The daemon's log messages go to each stream of events of a session, and to a request without a session that asks for them.
//
// A question of a tool is shown by the client if the client can and its process is known. Over a port it is not known, so nobody could
// tell whether a person has answered: such a question waits for its answer on the other channels.
//
// Nothing is made before the first request.
package mcphttp
