// Package protocol is the wire between tidepool's two programs, and with any
// other program that wants to speak to the daemon.
//
// # Framing
//
// One message is one JSON object on one line, ended by a newline, in UTF-8,
// over a Unix stream socket. A line is at most [MaxLine] bytes without its
// newline. A last line that ends with the stream instead of a newline is
// accepted from a peer that half-closes (nc -N); an empty line is skipped.
// Lines beyond [ShortLine] bytes share a bounded memory: one that finds no room
// in time is skipped and answered by an ErrorResponse that says so. A connection
// that is idle and not attached may be closed when too many are open.
// The first byte of a connection decides what it carries: '{' or white space
// is this protocol, anything else is not served yet.
//
// # Messages
//
// The field "type" says which message a line is. The client speaks first:
//
//	HookEvent         → HookResponse       one hook of Claude Code, unchanged;
//	                                       "event" says which, where its input
//	                                       does not or says otherwise
//	MCPToolCall       → MCPToolResponse    one tool call; MCPToolProgress lines
//	                                       before it if "progress" was true,
//	                                       MCPToolQuestion if "elicit" was
//	ToolsListRequest  → ToolsListResponse  what a model may call, and when
//	Ping              → Pong               the socket answers; says nothing of
//	                                       language servers
//	StatusRequest     → StatusResponse     how the daemon is; "wait_ready" holds
//	                                       the answer until language servers are
//	Attach            → Attached           presence of a long-lived client
//	QuestionsRequest  → QuestionsResponse  what the user is asked, and was
//	AnswerRequest     → AnswerResponse     the user's answer to a question
//	Watch             → Happening          how things are, now and after every
//	                                       change, until the connection ends
//	LSPAttach         → LSPAttached        the connection becomes one to a
//	                                       language server, see below
//
// Attach may say which build of the daemon its client would start. A daemon of
// another build that a client has started then gives up its socket and its lock
// before it answers with "leaving", and finishes the calls it has.
//
// Any of them may be answered by an ErrorResponse: a line that cannot be
// decoded (-32700), is no request (-32600) or has an unknown type (-32601),
// or a request that does not fit (-32602). The connection lives on wherever
// the framing still holds.
//
// A reply in an AnswerRequest is a person's. The daemon looks at the process
// that made the connection: one that Claude Code has started is refused, and
// the channel "elicitation" is open to the process alone that made the call
// with the question. While a question has a "home" only that channel answers it:
// the dialog of a client whose call said "stays", which nothing but its user
// closes. An AnswerRequest with "closed" says that this has happened.
//
// # Language servers
//
// After LSPAttached the connection carries no more lines but the Language
// Server Protocol, both ways: JSON-RPC 2.0 messages, each after a header with
// its Content-Length. A client may send its first message right behind the
// LSPAttach; if an ErrorResponse comes instead the daemon reads lines on. The
// client starts with initialize, as with a language server of its own, though
// the process behind is shared. The exit notification, the end of the client's
// input, and the end of the daemon close the connection.
//
// # Order
//
// A connection may carry many requests at once. Replies come in the order the
// requests finish; MCPToolResponse and MCPToolProgress carry the id of their
// call, the others carry none, so a client that needs to tell them apart waits
// for one reply before it sends the next request, or opens a second
// connection. End of input is no hang-up: replies still come. Closing the
// connection cancels what it asked for.
//
// # Compatibility
//
// Both sides ignore fields they do not know, and treat null like absence.
// New fields are optional for the peer. Names are fixed: other programs speak
// them. Hook input is passed through whole, byte for byte apart from line
// breaks between its tokens, which become spaces; arguments that are absent or null
// mean {}. A line with a field given twice, or with more than 64 of them, is no
// message.
//
// # What this package will not do
//
// It opens no socket, starts no goroutine, reads no clock and logs nothing.
package protocol
