// Package proxy lets clients of the Language Server Protocol share one language server, each as if it were its own.
//
// A client speaks the protocol on a stream of its own. What it has in its buffers is kept here and never reaches the disk or
// anybody else: the server is shown it in one step with each request of the client (session.Request), and soon after the
// client has changed it, so that it publishes diagnostics. A mux is where the clients of one session meet: it exchanges ids
// and tokens, so that two clients may have chosen the same, and knows for whom a message of the server is.
//
// Order. Requests of one client are answered as the server answers them; its notifications take effect in their order.
// Where a server takes turns, a client with other texts than those of the disk has the server to itself until it is answered.
//
// Ownership. Serve owns the client's stream and goroutines and waits for all of them. A mux lives as long as its session;
// a client that finds the session ended joins the mux of the next one with its next request.
//
// Limits: 256 requests under way, 32 MiB a message, 16 MiB of text in buffers. A client that does not read is given up when its
// outbox is full, and holds up nobody; one that floods is refused while too much waits for the server.
package proxy
