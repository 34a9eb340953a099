// Package session talks to one language server: it starts the program, tells it what is on the disk, asks it, and says how
// much its answers are worth.
//
// A Session is one life of a server, from the handshake to the end of the process. What language it serves is a Language,
// which the packages beside this one declare: how the server is started, when it knows the project, what it says wrong.
// A Host is what the session needs of the workspace around it.
//
// Order. All messages to the server go through one write queue in the order in which they are queued; sending never blocks. A
// request is queued in one step with the texts that it is about (documents.mu is held for both), so the order of the
// stream decides by which texts it is answered. Messages from the server are handled one after the other by the reader of
// the connection: a diagnostic that came before an answer is known when the answer is.
//
// Texts. A document that the server holds open has the text of the disk, unless a client of a proxy or a draft has made it
// another one: then it is overlaid. Requests about the disk restore it first. A server that may answer by a text which
// came behind the request takes Turns: requests about the disk and those about overlays never wait for it together.
//
// Completeness. Progress counts what was sent against the tasks that the server reports, or asks a Probe where it reports
// none. While something is overlaid, what the server finds does not count.
//
// Limits: 32 documents open, 1,000 errors of a server and 100 of a file, 500 to 1,000 lines of its log, and as much unread
// input as the write queue holds. A server that sends nothing while a request waits counts as hung after a while. The watchdog
// measures that while in ticks, never by the clock: the machine may have slept.
package session
