// Package journal keeps what an agent supposes about its work: goal, hypothesis, action and prediction of a piece of work, how they
// changed, how it ended, and what was learned from it.
//
// # Entries
//
// An entry is active until it is resolved: confirmed, falsified or abandoned. A conversation, which is a session or one of its
// subagents, has at most one active entry; the database itself refuses a second one. What a test or a build has shown while an entry
// was active is kept with it. An entry that was resolved as a hook had seen it has tier gold, any other one silver.
//
// # Orphans
//
// An active entry whose session has ended, or has been silent for two hours, is an orphan. Any conversation of the same project may
// adopt or abandon it. Of two that adopt it at once one succeeds, and the other one is told who.
//
// # Notices
//
// [Journal.Count], [Journal.Observe] and [Journal.Greeting] return what a hook may say, "" for nothing. They read at most one row and
// wait for no write: what they have to write goes to a queue.
package journal
