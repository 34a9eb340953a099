// Package hook routes the events of a coding agent's hooks to the contributors that have something to say, and makes one
// answer of what they say.
//
// A contributor gets the decoded event and returns a decision, context for the model, or nothing. The router asks those
// that an event concerns one after the other, in the order in which the daemon lists them. The first decision counts. What
// the model reads is the contexts of all, a line each or more, in that order: together they have the one budget of
// [protocol.MaxHookText], and what goes beyond it is cut from the end. What nobody decides passes, so that the user's own
// permission prompts stay in force.
//
// A contributor that panics or is late costs its own part of the answer, and the log tells of it. One that decides is an
// exception: its failure is the failure of the whole hook, because only the client knows whether a tool call that nobody
// could judge is refused or passes.
//
// The router itself decides nothing and does not fail: an event that cannot be understood passes, and the log has the
// reason. It remembers what became of the latest events, and nothing of what they were about.
//
// The package starts one goroutine for each contributor that may wait, for each event that it is asked about.
package hook
