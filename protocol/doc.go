// Package protocol is the wire format between tidepool's two programs, and
// for any other program that talks to the daemon.
//
// # Framing
//
// One message is one JSON object on one line, ended by a newline, in UTF-8,
// over a Unix stream socket. A line is at most [MaxLine] bytes without its
// newline. A last line that ends with the stream instead of a newline is
// accepted from a peer that half-closes (nc -N); an empty line is skipped.
// Lines beyond [ShortLine] bytes share a bounded memory. A line that gets none
// in time is skipped and answered by an ErrorResponse. When too many connections
// are open, the daemon may close one that is idle and not attached.
//
// The first byte of a connection decides what it carries: '{' or white space
// is this protocol, a capital letter is HTTP/1.1 with the routes of the daemon's
// package httpapi. Anything else is refused, and reserved for other protocols.
//
// # Messages
//
// The field "type" says which message a line is. The client speaks first:
//
//	HookEvent         → HookResponse       one hook of Claude Code, unchanged;
//	                                       "event" names it, and wins over the
//	                                       name in the input; "no_recall" keeps
//	                                       it out of what is remembered;
//	                                       "fingerprints" describe secret values
//	MCPToolCall       → MCPToolResponse    one tool call; MCPToolProgress lines
//	                                       before it if "progress" was true,
//	                                       MCPToolQuestion if "elicit" was
//	MCPRequest        → MCPResult          a request of MCP about prompts,
//	                                       resources or completion, by its own
//	                                       method and params
//	ToolsListRequest  → ToolsListResponse  the tools, and when to use them
//	Ping              → Pong               the socket answers; says nothing of
//	                                       language servers
//	StatusRequest     → StatusResponse     the daemon's state; "wait_ready" holds
//	                                       the reply until language servers are
//	                                       ready
//	Attach            → Attached           counts a long-lived client;
//	                                       LogMessage lines after it if
//	                                       "messages" was true
//	QuestionsRequest  → QuestionsResponse  open and past questions to the user
//	AnswerRequest     → AnswerResponse     the user's answer to a question
//	Watch             → Happening          the state of questions, activity and
//	                                       language servers, now and after each
//	                                       change, until the connection ends
//	ScrubText         → ScrubbedText       a part of a command's output, without
//	                                       its secrets
//	LSPAttach         → LSPAttached        hands the connection to a language
//	                                       server, see below
//
// Attach may name the build of the daemon that its client would start. A daemon
// of another build that was started by a client then releases its socket and its
// lock, replies with "leaving", and finishes the calls it has.
//
// Any request may be answered by an ErrorResponse: a line that cannot be
// decoded (-32700), is no request (-32600) or has an unknown type (-32601),
// or a request that does not fit (-32602). The connection stays open wherever
// the framing still holds. A tool that was asked for what is not there, such as
// a memory or a reference, fails with -32002.
//
// Only a person answers a question. The daemon examines the process that made
// the connection of an AnswerRequest: it refuses one that Claude Code has
// started, and accepts the channel "elicitation" only from the process that made
// the call with the question. While a question has a "home", only that channel
// answers it: the dialog of a client whose call said "stays", which nobody but
// its user can close. An AnswerRequest with "closed" reports that it is closed.
//
// # Language servers
//
// After LSPAttached the connection carries the Language Server Protocol, both
// ways: JSON-RPC 2.0 messages, each after a header with its Content-Length. A
// client may send its first message right after the LSPAttach; after an
// ErrorResponse the daemon continues to read lines. The client starts with
// initialize, as with a language server of its own, although the process is
// shared. The exit notification, the end of the client's input, and the end of
// the daemon close the connection.
//
// # Secrets
//
// A client that knows secret values of its user sends fingerprints of them, with
// a HookEvent or a ScrubText: an array of objects with the members name, length,
// roll, mac and value, which package fingerprint specifies. The key that makes
// them is in the project's state directory. No value is ever on the wire, but for
// texts that happen to hold one.
//
// A client that scrubs a command's output sends it in ScrubTexts, one at a time,
// in base64. The daemon takes what it can judge ("taken" bytes) and holds back an
// unfinished line, an unfinished key block and what a secret may go on in. The
// client sends that again in front of what follows. Without "more" all is taken.
//
// # Order
//
// A connection may carry many requests at once. Replies come in the order in
// which the requests finish. MCPToolResponse, MCPToolProgress, MCPToolQuestion
// and MCPResult carry the id of their request. The others carry none: a client
// that must tell them apart waits for one reply before it sends the next
// request, or opens a second connection.
//
// End of input is no hang-up: replies still come. Closing the connection cancels
// its requests.
//
// # Compatibility
//
// Both sides ignore fields they do not know, and treat null like absence.
// New fields are optional for the peer. Names never change: other programs use
// them. Hook input passes through byte for byte, apart from line breaks between
// its tokens, which become spaces. Absent or null arguments mean {}. A line with
// a repeated field, or with more than 64 fields, is no message: foreign JSON that
// a peer puts into a line must not become another message.
//
// # What this package will not do
//
// It opens no socket, starts no goroutine, reads no clock and logs nothing.
package protocol
