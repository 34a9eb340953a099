package store

import (
	"strconv"

	"tidepool/internal/sqlite"
)

// Application is "tide" in the header of the file: which program made it.
const Application = 0x74696465

// keptChanges is how many rows of the table change stay.
const keptChanges = 10_000

// Version is the version of the schema, as it is in user_version.
func Version() int { return len(schema().Migrations) }

func schema() sqlite.Schema {
	return sqlite.Schema{Application: Application, Shared: true, SecureDelete: true, Migrations: []string{`
CREATE TABLE meta(key TEXT PRIMARY KEY, value ANY) STRICT, WITHOUT ROWID;
CREATE TABLE project(
	key TEXT PRIMARY KEY, name TEXT NOT NULL, path TEXT NOT NULL,
	device INTEGER NOT NULL, inode INTEGER NOT NULL, born INTEGER NOT NULL, -- of the repository's common directory; born 0: unknown
	seen_at INTEGER NOT NULL) STRICT;
CREATE TABLE memory(
	n INTEGER PRIMARY KEY AUTOINCREMENT,     -- the number in indexes
	id TEXT NOT NULL UNIQUE,
	project TEXT NOT NULL REFERENCES project(key) ON UPDATE CASCADE,
	scope TEXT NOT NULL CHECK(scope IN ('project', 'user')),
	kind TEXT NOT NULL CHECK(kind IN ('note', 'preference', 'decision', 'fix', 'command', 'experience', 'value', 'session', 'checkpoint', 'remediation')),
	trust TEXT NOT NULL CHECK(trust IN ('said', 'saved', 'observed', 'drafted')),
	quiet INTEGER NOT NULL DEFAULT 0,        -- 1: not told at a prompt before it is learned a second time
	words INTEGER NOT NULL,                  -- how many different words it has
	fingerprint BLOB NOT NULL,               -- of these words: the same ones are the same memory
	sketch BLOB NOT NULL,                    -- a bit set for each: see Alike
	outcome TEXT NOT NULL DEFAULT '' CHECK(outcome IN ('', 'success', 'failure', 'abandoned')),
	session TEXT NOT NULL DEFAULT '', turn INTEGER NOT NULL DEFAULT 0, -- neighbours are of one session, in this order
	source TEXT NOT NULL,
	commit_hash TEXT NOT NULL DEFAULT '',    -- at which it was true
	alpha REAL NOT NULL DEFAULT 1, beta REAL NOT NULL DEFAULT 1, -- what feedback said
	superseded_by INTEGER REFERENCES memory(n) ON DELETE SET NULL,
	created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL,
	gist TEXT NOT NULL, content TEXT NOT NULL) STRICT;
CREATE INDEX memory_project ON memory(project, n);
CREATE INDEX memory_session ON memory(session, turn, n) WHERE session <> '';
CREATE INDEX memory_alike ON memory(kind, scope, project, words);
CREATE INDEX memory_superseded ON memory(superseded_by) WHERE superseded_by IS NOT NULL;
CREATE UNIQUE INDEX memory_twice ON memory(fingerprint, scope, CASE scope WHEN 'user' THEN '' ELSE project END);
CREATE TABLE label(
	memory INTEGER NOT NULL REFERENCES memory(n) ON DELETE CASCADE,
	kind TEXT NOT NULL CHECK(kind IN ('tag', 'file')), value TEXT NOT NULL,
	PRIMARY KEY(memory, kind, value)) STRICT, WITHOUT ROWID;
CREATE TABLE event(                          -- the history of a memory
	memory INTEGER NOT NULL REFERENCES memory(n) ON DELETE CASCADE,
	what TEXT NOT NULL CHECK(what IN ('learned', 'merged', 'superseded', 'helpful', 'unhelpful')),
	session TEXT NOT NULL, note TEXT NOT NULL, at INTEGER NOT NULL) STRICT;
CREATE INDEX event_memory ON event(memory);
CREATE TABLE journal(                        -- entries of goals and hypotheses
	id TEXT PRIMARY KEY, project TEXT NOT NULL,
	session TEXT NOT NULL, agent TEXT NOT NULL DEFAULT '',
	state TEXT NOT NULL CHECK(state IN ('active', 'confirmed', 'falsified', 'abandoned')),
	tier TEXT NOT NULL DEFAULT '' CHECK(tier IN ('', 'gold', 'silver', 'bronze', 'abandoned')),
	entry TEXT NOT NULL CHECK(json_valid(entry)),
	memory INTEGER REFERENCES memory(n) ON DELETE SET NULL,
	created_at INTEGER NOT NULL, resolved_at INTEGER) STRICT;
CREATE UNIQUE INDEX journal_active ON journal(session, agent) WHERE state = 'active'; -- one at a time
CREATE INDEX journal_project ON journal(project, created_at);
CREATE INDEX journal_memory ON journal(memory) WHERE memory IS NOT NULL;
CREATE TABLE session(
	id TEXT PRIMARY KEY, project TEXT NOT NULL, goal TEXT NOT NULL DEFAULT '',
	started_at INTEGER NOT NULL, ended_at INTEGER,
	calls INTEGER NOT NULL DEFAULT 0, read_to INTEGER NOT NULL DEFAULT 0) STRICT; -- read_to: byte of the transcript
CREATE INDEX session_project ON session(project, started_at);
CREATE TABLE told(
	session TEXT NOT NULL, memory INTEGER NOT NULL REFERENCES memory(n) ON DELETE CASCADE, at INTEGER NOT NULL,
	PRIMARY KEY(session, memory)) STRICT, WITHOUT ROWID;
CREATE INDEX told_memory ON told(memory);
CREATE TABLE told_shared(                    -- the same of the team's memories
	session TEXT NOT NULL, id TEXT NOT NULL, at INTEGER NOT NULL,
	PRIMARY KEY(session, id)) STRICT, WITHOUT ROWID;
CREATE INDEX told_shared_at ON told_shared(at);
CREATE INDEX told_at ON told(at);
CREATE TABLE forgotten(hash BLOB PRIMARY KEY, at INTEGER NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE change(seq INTEGER PRIMARY KEY AUTOINCREMENT, n INTEGER NOT NULL, gone INTEGER NOT NULL) STRICT;
CREATE TABLE vector(n INTEGER PRIMARY KEY REFERENCES memory(n) ON DELETE CASCADE, model TEXT NOT NULL, data BLOB NOT NULL) STRICT;
CREATE TRIGGER memory_added AFTER INSERT ON memory BEGIN INSERT INTO change(n, gone) VALUES(new.n, 0); END;
CREATE TRIGGER memory_changed AFTER UPDATE ON memory BEGIN INSERT INTO change(n, gone) VALUES(new.n, 0); END;
CREATE TRIGGER memory_reworded AFTER UPDATE OF gist, content ON memory WHEN new.gist <> old.gist OR new.content <> old.content
	BEGIN DELETE FROM vector WHERE n = new.n; END;
CREATE TRIGGER memory_removed AFTER DELETE ON memory BEGIN INSERT INTO change(n, gone) VALUES(old.n, 1); END;
CREATE TRIGGER change_added AFTER INSERT ON change BEGIN DELETE FROM change WHERE seq <= new.seq - ` + strconv.Itoa(keptChanges) + `; END;
INSERT INTO meta(key, value) VALUES('key', randomblob(32)), ('forgot', 0), ('removals', 0), ('cleaned', 0);
`, `
ALTER TABLE session ADD COLUMN transcript TEXT NOT NULL DEFAULT '';   -- its path; read_to is its size when it was read last
ALTER TABLE session ADD COLUMN private INTEGER NOT NULL DEFAULT 0;    -- 1: nothing is learned from the transcript
ALTER TABLE session ADD COLUMN gap_from INTEGER NOT NULL DEFAULT 0;   -- what it has from here to gap_to nobody has
ALTER TABLE session ADD COLUMN gap_to INTEGER NOT NULL DEFAULT 0;     -- allowed to be remembered; both 0: there is no gap
CREATE TABLE taught(                         -- which memories an event of a session has taught
	session TEXT NOT NULL, what BLOB NOT NULL, -- the keyed hash of the memory as it was learned
	origin TEXT NOT NULL, at INTEGER NOT NULL,
	PRIMARY KEY(session, what, origin)) STRICT, WITHOUT ROWID;
CREATE INDEX taught_at ON taught(at);
`}}
}
