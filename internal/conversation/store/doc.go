// Package store keeps the turns of one project's sessions in a SQLite database: what was read of which transcript, and what it said.
//
// The turns read from a file and the offset reached in it are one transaction ([Tx]), so that a process may end between any two of them.
// Turns stay when their transcript is deleted.
//
// # Copies
//
// A forked session begins with copies of another one's turns, under the same UUIDs. Of the rows that share a UUID, one is found by
// searches: the one that says all that the others say. The others name it in the column same, and have no text of their own if theirs is
// equal. [Tx] keeps this true after each change, and the result does not depend on the order in which files are read.
//
// # Revisions
//
// Each transaction that changes a turn or a session has the next revision, which the changed rows carry. An index that has seen a revision
// asks for what came later: rows above it, and the rows that were removed.
//
// Text is stored as it is given: scrubbing it is the caller's business.
package store
