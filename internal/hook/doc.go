// Package hook routes each hook event of a coding agent to its contributors, and merges their answers.
//
// A contributor gets the decoded event and returns a decision, context for the model, or nothing. The router asks the
// contributors of an event one after the other, in the order in which the daemon lists them. The first decision counts;
// without one the event passes, and the user's own permission prompts stay in force. The model reads the contexts in the
// same order. Together they have one budget, [protocol.MaxHookText]: the first contributors have it first, and what does
// not fit is cut.
//
// A contributor that panics or is late costs its own part of the answer; the log and the record have the reason. One that
// decides is an exception: its failure is the failure of the whole hook, because only the client knows whether a tool call
// that could not be judged is refused or passes.
//
// The router itself decides nothing and does not fail: an event that cannot be understood passes, and the log has the
// reason. A Record keeps who contributed what to the latest events, and nothing of what they were about.
//
// Goroutines: one for each contributor that may wait, for each event that it is asked about.
package hook
