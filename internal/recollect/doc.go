// Package recollect answers hooks with what is remembered, and learns from them.
//
// At the start of a session the model reads how the last one ended and what the user prefers; at a prompt, memories for which
// there is evidence that they matter; before a tool, after ten calls, its open hypothesis; after a command, a result that settles
// a prediction, or a fix of the same failure. Everything else is silence, and so is every doubt: a store that is not open, an index
// that is not loaded, an answer that would be late.
//
// Learning is done by the rules of package extract. What they return goes to the store's queue, so no hook waits for a write; the
// hooks at the end of a turn, before a compaction and at the end of a session wait a moment until the queue is on the disk.
//
// Events that no hook delivered, because the daemon was killed or the hook came too late, are learned from the session's transcript: at its
// end, and of sessions whose end nobody saw soon after a daemon's start. The lines become the events that hooks would have reported, and go
// through the same rules. Each event has an id in both, so that none teaches twice.
//
// A session that is started with TIDEPOOL_RECALL=0 is not looked at, and neither is any if recall.enabled is false.
//
// Stored text is foreign text: it is escaped before it is cut, and stands in a block that says what it is.
package recollect
