package store

import "tidepool/internal/sqlite"

// Application is "tpcv" in the header of the file: which program made it.
const Application = 0x74706376

// schema returns the schema. Times are milliseconds since 1970 in UTC, 0 for none.
func schema() sqlite.Schema {
	return sqlite.Schema{Application: Application, SecureDelete: true, Migrations: []string{`
CREATE TABLE meta(key TEXT PRIMARY KEY, value ANY) STRICT, WITHOUT ROWID;
CREATE TABLE file(
	id INTEGER PRIMARY KEY,
	path TEXT NOT NULL UNIQUE,
	source TEXT NOT NULL,
	device INTEGER NOT NULL, inode INTEGER NOT NULL, size INTEGER NOT NULL, mtime INTEGER NOT NULL,
	offset INTEGER NOT NULL,                 -- what lies before it was read
	head BLOB NOT NULL, tail BLOB NOT NULL,  -- hashes that tell growth from rewriting
	state TEXT NOT NULL CHECK(state IN ('live', 'gone', 'refused', 'excluded')),
	why TEXT NOT NULL,                       -- of refused and excluded
	skipped INTEGER NOT NULL, unreadable INTEGER NOT NULL,
	version INTEGER NOT NULL) STRICT;        -- of the reader and the scrubber that its turns come from
CREATE INDEX file_inode ON file(inode);
CREATE TABLE session(
	id INTEGER PRIMARY KEY,
	rev INTEGER NOT NULL,
	sid TEXT NOT NULL UNIQUE,
	file INTEGER NOT NULL UNIQUE REFERENCES file(id),
	source TEXT NOT NULL, parent TEXT NOT NULL, forked_from TEXT NOT NULL, slug TEXT NOT NULL, title TEXT NOT NULL,
	cwd TEXT NOT NULL, branch TEXT NOT NULL,
	sidechain INTEGER NOT NULL, live INTEGER NOT NULL,
	first INTEGER NOT NULL, last INTEGER NOT NULL,
	turns INTEGER NOT NULL) STRICT;
CREATE INDEX session_rev ON session(rev);
CREATE TABLE turn(
	id INTEGER PRIMARY KEY AUTOINCREMENT,    -- the number of the document; never given twice
	rev INTEGER NOT NULL,
	session INTEGER NOT NULL REFERENCES session(id),
	n INTEGER NOT NULL,
	uuid BLOB,                               -- NULL: the source has none
	at INTEGER NOT NULL,
	flags INTEGER NOT NULL,
	same INTEGER,                            -- the row that searches find in the place of this one
	body BLOB,                               -- NULL: that of same
	UNIQUE(session, n)) STRICT;
CREATE INDEX turn_rev ON turn(rev);
CREATE INDEX turn_uuid ON turn(uuid) WHERE uuid IS NOT NULL;
CREATE TABLE removed(id INTEGER PRIMARY KEY, rev INTEGER NOT NULL) STRICT;
CREATE TABLE segment(n INTEGER PRIMARY KEY, data BLOB NOT NULL) STRICT;
CREATE TABLE forgotten_session(sid TEXT PRIMARY KEY, at INTEGER NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE forgotten_turn(uuid BLOB PRIMARY KEY) STRICT, WITHOUT ROWID;
CREATE TABLE exclusion(pattern TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
`}}
}
