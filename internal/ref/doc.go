// Package ref keeps texts on the disk under references, so that a model reads a short preview of an output and fetches more of it only
// if it needs more.
//
// A reference is ref_ and 16 random characters, 80 bits. Only the session that a text was kept for finds it; to all others it does not
// exist. The texts of a session are files of mode 0600 in one directory, whose name is a hash of the session's id. Callers keep no secret:
// they scrub a text before they keep it.
//
// A Store is bounded in bytes. What was not read for the longest time goes first, nothing lives longer than Options.TTL, and the end
// of a session removes all of its texts. Texts survive a restart of the daemon.
//
// [Cut] returns the part of a text that a request names: lines, the beginning, the end, or what matches an expression.
//
// The package starts no goroutine.
package ref
