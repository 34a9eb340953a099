// Package audit writes down what the safe tools did, in a file that is only appended to and whose lines are chained by hashes.
//
// The file is audit.jsonl in a state directory: a JSON object a line, in UTF-8, each line ended by a line feed. An object is an [Entry]
// with its number n, from 1, and before, the SHA-256 in hex of the line before without its line feed; of the first line before is "".
// At 16 MB the file is renamed to audit-<n of its last entry>.jsonl, and the chain goes on in a new one. The eight newest of these are
// kept.
//
// The chain shows that a line was changed, inserted or removed between two others. It cannot show that the last lines were removed, or
// that somebody has written all of it anew: whoever must know compares the hash of the last line, which [Verify] returns, with one that was
// written down elsewhere.
//
// A line that a crash has left unfinished is removed by the next Append, whose entry says so. Lines are not flushed to the disk one by one.
//
// One process appends. The package starts no goroutine. It scrubs nothing: what callers put into an Entry holds no secret.
package audit
