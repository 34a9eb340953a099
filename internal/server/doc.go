// Package server answers requests of package protocol on a stream socket.
//
// # Order
//
// One goroutine reads a connection. Replies go out in the order in which requests finish, so a client matches them by id.
//
// # Limits
//
// Five things are bounded separately, so that one cannot starve another: tool calls that run at once, requests of MCP about no
// tool, hooks of PreToolUse, which may refuse a tool call, other hooks, and unanswered requests of one connection. A request beyond a bound waits, and
// its deadline runs meanwhile. Only the last bound stops the reading of the connection. A request whose client has gone by
// the time is not begun.
//
// Long lines share a bounded memory (linememory.go). Connections are bounded, too: for a further one the server evicts the
// oldest that nobody waits on (evict.go).
//
// # Why hooks run on the reading goroutine
//
// A second goroutine adds a quarter to the cost of the whole exchange (go test -bench HookEvent ./internal/server). If a hook
// takes longer than inlineLimit, another goroutine takes over the reading, so a slow hook delays nobody.
//
// # Ends
//
// The end of the input is no hang-up: a client that half-closes still receives its replies. A client that is gone cancels the
// contexts of its calls, and so does a deadline; the context's cause tells which. At a deadline the reply is sent at once,
// whether the handler has noticed or not.
//
// A connection may be handed to a language server. From then on it belongs to the LanguageServer that serves it, counts as an
// attached client, and ends as soon as Shutdown is called: there is nothing to wait for.
//
// # HTTP
//
// A connection whose first byte is a capital letter carries HTTP/1.1, or HTTP/2 without TLS (http.go), which net/http reads and writes.
// The accepting side, and so the check of the peer, the bound of connections, eviction and Shutdown are the same as for lines, and so are
// the bounds of calls that a handler makes by Do.
//
// A connection of HTTP/2 has at most 100 open requests, holds at most 64 KiB of bodies that no handler has read, and reads frames of at
// most 16 KiB. More resets than handlers can follow end it. A client that accepts no byte for writeTimeout counts as gone.
package server
