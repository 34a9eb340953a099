// Package proxy lets clients of the Language Server Protocol share one language server, each as if it were its own.
//
// A client speaks the protocol on a stream of its own. The proxy keeps the client's buffers; they never reach the disk or another
// client. The server receives them in one step with each request of the client (session.Request), and soon after the client has
// changed them, so that it publishes diagnostics. A mux shares one session among clients: it replaces their ids and tokens by its own,
// and decides which clients a message of the server goes to.
//
// Order. Requests of one client are answered as the server answers them; its notifications take effect in their order.
// Where a server takes turns, a client with other texts than those of the disk has the server to itself until it is answered.
//
// Ownership. Serve owns the client's stream and goroutines and waits for all of them. A mux lives as long as its session;
// a client that finds the session ended joins the mux of the next one with its next request.
//
// Limits: 256 requests under way, 32 MiB a message, 16 MiB of text in buffers. A client that does not read is closed when its
// write queue is full; a client that sends too much is refused while too much waits for the server. Neither delays another client.
package proxy
