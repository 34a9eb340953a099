package team

import (
	"context"

	"github.com/jackc/pgx/v5"
)

// schemaVersion is the number of the newest migration.
const schemaVersion = 1

// migration returns the statements that make schema 1. PostgreSQL 12 and newer take them. A released migration never changes.
//
// An entry of the index for each word is made with the row, and not some day: what waits for that is read by each search.
func migration() string {
	return `
CREATE SCHEMA IF NOT EXISTS tidepool;
CREATE TABLE tidepool.version(schema integer NOT NULL);
CREATE TABLE tidepool.memory(
  n bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  id text NOT NULL UNIQUE,
  role text NOT NULL DEFAULT session_user,
  author text NOT NULL CHECK (char_length(author) <= 64),
  project_key text NOT NULL,
  project text NOT NULL CHECK (char_length(project) <= 128),
  kind text NOT NULL,
  gist text NOT NULL CHECK (char_length(gist) <= 240),
  content text NOT NULL CHECK (char_length(content) <= 4000),
  outcome text NOT NULL,
  session text NOT NULL,
  turn integer NOT NULL,
  source text NOT NULL,
  commit_hash text NOT NULL,
  tags text[] NOT NULL,
  files text[] NOT NULL,
  fingerprint bytea NOT NULL,
  alpha double precision NOT NULL DEFAULT 1,
  beta double precision NOT NULL DEFAULT 1,
  superseded_by text REFERENCES tidepool.memory(id) ON DELETE SET NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  words tsvector NOT NULL,
  words_version integer NOT NULL);
CREATE INDEX memory_words ON tidepool.memory USING gin (words) WITH (fastupdate = off);
CREATE INDEX memory_words_version ON tidepool.memory (words_version);
CREATE UNIQUE INDEX memory_twice ON tidepool.memory (project, fingerprint);
CREATE INDEX memory_session ON tidepool.memory (session, turn) WHERE session <> '';
CREATE INDEX memory_superseded ON tidepool.memory (superseded_by) WHERE superseded_by IS NOT NULL;
INSERT INTO tidepool.version VALUES (1);`
}

// migrationLock is the advisory lock of whoever makes the schema: "tide".
const migrationLock = 0x74696465

// prepare sees to it that the schema is there, once.
func (t *Team) prepare(ctx context.Context) error {
	t.mu.Lock()
	prepared := t.prepared
	t.mu.Unlock()
	if prepared {
		return nil
	}
	version, err := schemaOf(ctx, t.pool)
	if err == nil && version == 0 {
		version, err = t.migrate(ctx)
	}
	if err != nil {
		return err
	}
	if version > schemaVersion {
		return &NewerError{t.name, version, schemaVersion}
	}
	t.mu.Lock()
	t.prepared = true
	t.mu.Unlock()
	return nil
}

// A rower runs a query for one row: a pool or a transaction.
type rower interface {
	QueryRow(ctx context.Context, query string, args ...any) pgx.Row
}

// schemaOf returns the version of the schema, 0 if there is none.
func schemaOf(ctx context.Context, db rower) (int, error) {
	var there bool
	err := db.QueryRow(ctx, "SELECT EXISTS (SELECT FROM pg_class c JOIN pg_namespace s ON s.oid = c.relnamespace WHERE s.nspname = 'tidepool' AND c.relname = 'version')").Scan(&there)
	if err != nil || !there {
		return 0, err
	}
	var version int
	err = db.QueryRow(ctx, "SELECT coalesce(max(schema), 0) FROM tidepool.version").Scan(&version)
	return version, err
}

// migrate makes the schema, unless another program does so at the same time.
func (t *Team) migrate(ctx context.Context) (version int, err error) {
	err = pgx.BeginFunc(ctx, t.pool, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, "SELECT pg_advisory_xact_lock($1)", migrationLock); err != nil {
			return err
		}
		if version, err = schemaOf(ctx, tx); err != nil || version > 0 {
			return err
		}
		version = schemaVersion
		_, err := tx.Conn().PgConn().Exec(ctx, migration()).ReadAll()
		return err
	})
	return version, err
}
