// Package server answers requests of package protocol on a stream socket.
//
// A connection is served until its client is gone: one goroutine reads it, and replies go out in the order requests
// finish. Three things are bounded apart, so that one cannot starve the other: tool calls that run at once, hooks
// that run at once, and requests of one connection that are not answered yet. A request beyond a bound waits; its
// deadline runs meanwhile. Reading of a connection stops only at the third.
//
// A hook is answered on the goroutine that read it: handing it to another adds a quarter to the price of the whole
// exchange (go test -bench HookEvent ./internal/server). If the answer takes longer than patience, another goroutine
// takes over the reading, so that a slow hook holds up nobody.
//
// End of input is no hang-up: a client that half-closes still gets its replies. A client that is gone cancels the
// contexts of its calls, and so does the end of a deadline; the cause of the context says which. The reply at a
// deadline is sent when it ends, whether the handler has noticed or not.
//
// A connection may become one to a language server. From then on it belongs to the LanguageServer that serves it, counts
// as a client that is present, and ends as soon as Shutdown is called: there is nothing to wait for.
package server
