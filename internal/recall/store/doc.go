// Package store keeps the memories of all projects of a user in one SQLite database, which any number of processes read and write.
//
// It stores what it is given: scrubbing, cutting and merging are the caller's business ([tidepool/internal/recall]).
//
// # Numbers
//
// A memory has an id, which people see, and a number, which indexes use. Numbers are never given twice.
//
// # Changes
//
// Triggers write a row into the table change for each memory that is added, changed or removed. An index asks for what came after the last
// sequence number it has seen. The last 10,000 changes are kept; who has missed one reads all memories.
//
// # Forgetting
//
// A removed row is overwritten in the database (secure_delete), and [DB.Purge] removes the copies that SQLite has left elsewhere. A
// keyed hash of what was forgotten stays, so that it is not learned again. The key is in the database: the hash does not show the text in
// an export or a log, but who has the whole database can compare a guess with it.
//
// # Times
//
// Times are milliseconds since 1970 in UTC. Clocks jump, so nothing is ordered by them: numbers are the order.
package store
