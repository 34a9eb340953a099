// Package sqlite opens SQLite databases in the way that tidepool keeps its own: in a directory of this user, with one program that
// writes and any number that read.
//
// # Files
//
// A database has mode 0600 in a directory of mode 0700. The directory and the file belong to this user and are no links; anything else
// is a *RefusedError. SQLite gives its companions -wal and -shm the mode of the database. A network file system is refused, because
// a write-ahead log needs memory that all processes share.
//
// # One writer
//
// SQLite's own locks part transactions, not programs. Whoever writes for longer holds a [Lock], which is an flock on a file beside
// the database: a killed process releases it. Readers need no lock, and keep no transaction open across calls, so that the log can be
// cut.
//
// # Schemas
//
// user_version counts the migrations that have run. A database of a newer program is opened by nobody older, not even for
// reading: a *NewerError says so. Before the first migration of a database that has content, a copy is made beside it.
//
// A file that does not open as a database is an *UnreadableError. Nothing is removed: [SetAside] renames it.
//
// The driver is modernc.org/sqlite, which is Go: programs stay static, and cross-compile. The package starts no goroutine of its own;
// those of database/sql end with [DB.Close].
package sqlite
