// Package httpapi answers HTTP requests on the daemon's socket: of programs that were written for other memories, and, by packages of their
// own, of those that call services or tools.
//
//	GET  /health                                         whether the daemon answers, and the state of its memory
//	POST /recollect  {"prompt":"…","sessionId":"…"}      the memories that matter to a prompt, each once a session
//	POST /flush      {"sessionId":"…"}                   returns when what was learned is on the disk
//	POST /api/v1/<service>/<method>  {…}                 package contextd; by gRPC, too
//	POST /api/call   {"method":"tools/call","params":{"name":"…","arguments":{…}}}   calls a tool
//
// params of /api/call may have a "session_id": the call is then of that session, such as for the journal, unless a hook knows better.
// /api/call answers with the tool's JSON as the body, or, if the request is one of JSON-RPC 2.0, with a JSON-RPC response whose
// text holds that JSON.
//
// A body has at most 1 MiB, 1,024 are held at once and 16 of more than 32 KiB, and a session id matches [A-Za-z0-9_-]{1,128}. There are no CORS headers, the Host header is
// ignored, and nobody logs in: the socket belongs to one user, and the server has checked the peer before a byte is read.
//
// The package starts no goroutine. It speaks no HTTP itself: net/http does, and package server owns the connections.
package httpapi
