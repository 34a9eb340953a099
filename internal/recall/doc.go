// Package recall remembers: it keeps memories of all projects of a user, finds them, tells at a prompt the few that matter, and forgets.
//
// # One database
//
// A user has one database, memory.db, which every daemon opens at the first use. A home on a network file system has none, because
// processes of two machines cannot share it: each project then has its own. Where no database can be opened, recall is off, and an
// [OffError] says why.
//
// # Keeping
//
// [Store.Save] returns when a memory is on the disk. [Store.Learn] never waits: it puts drafts into a queue of 256, which one goroutine
// writes. Before anything is written, private blocks and secrets are taken out of it and it is cut to its limits. What says the same as
// an older memory of its kind is merged with that: the newer text stays, and the history says when and in which sessions it was learned.
//
// # Finding
//
// Words are found by an index in memory. It is loaded from a snapshot beside the database, or built from the memories in the background;
// until then answers say that they are incomplete, and prompts are told nothing. It follows the changes that this and other processes
// make.
//
// # Forgetting
//
// A forgotten memory is removed from the database, its log, its backups of older schemas and the snapshot, and is not learned again unless
// somebody saves it. An index in memory still has its words, so a snapshot is written only by one that was made later.
package recall
