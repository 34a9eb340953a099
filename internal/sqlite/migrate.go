package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strconv"
	"syscall"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// probe looks at the header of a file before anything writes to it. An empty file passes.
func probe(ctx context.Context, path string, schema Schema) error {
	info, err := os.Lstat(path)
	if err != nil || info.Size() == 0 {
		return err
	}
	application, version, tables, err := headerOf(ctx, dsn(path, "ro", schema))
	if isUnfinished(err) {
		application, version, tables, err = headerOf(ctx, finishing(path))
	}
	switch {
	case err != nil:
		return explain(path, err)
	case tables == 0 && application == 0: // SQLite wrote a header, and nobody the schema
	case application != schema.Application:
		return &UnreadableError{path, errors.New("it is a database of another program")}
	case version > len(schema.Migrations):
		return &NewerError{path, version, len(schema.Migrations)}
	}
	return nil
}

// isUnfinished reports whether an error says that a transaction must be rolled back before a database can be read: another process, which may
// have been killed, is or was making it, and has not given it a write-ahead log yet.
func isUnfinished(err error) bool {
	var e *sqlite.Error
	return errors.As(err, &e) && e.Code() == sqlite3.SQLITE_READONLY_ROLLBACK
}

// headerOf is header for the name of a file.
func headerOf(ctx context.Context, name string) (application uint32, version, tables int, err error) {
	db, err := sql.Open("sqlite", name)
	if err != nil {
		return 0, 0, 0, err
	}
	defer db.Close()
	db.SetMaxOpenConns(1)
	return header(ctx, db)
}

// header returns what identifies a database and how many tables it has, all as of one moment: another process may be making it.
func header(ctx context.Context, db *sql.DB) (application uint32, version, tables int, err error) {
	tx, err := db.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return 0, 0, 0, err
	}
	defer tx.Rollback()
	for query, to := range map[string]any{
		"PRAGMA application_id": &application, "PRAGMA user_version": &version, "SELECT count(*) FROM sqlite_schema": &tables,
	} {
		if err := tx.QueryRowContext(ctx, query).Scan(to); err != nil {
			return 0, 0, 0, err
		}
	}
	return application, version, tables, nil
}

// migrate brings the schema up to date, in one transaction.
func migrate(ctx context.Context, path string, db *sql.DB, schema Schema) error {
	var version int
	if err := db.QueryRowContext(ctx, "PRAGMA user_version").Scan(&version); err != nil {
		return err
	}
	if version >= len(schema.Migrations) {
		return nil
	}
	if version > 0 {
		if err := backupAnew(ctx, db, path+".v"+strconv.Itoa(version)); err != nil {
			return fmt.Errorf("copying the database before its schema changes: %w", err)
		}
	}
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	// Another process may have been faster.
	if err := tx.QueryRowContext(ctx, "PRAGMA user_version").Scan(&version); err != nil {
		return err
	}
	for ; version < len(schema.Migrations); version++ {
		if _, err := tx.ExecContext(ctx, schema.Migrations[version]); err != nil {
			return fmt.Errorf("changing the schema to version %d: %w", version+1, err)
		}
	}
	for _, set := range []string{
		"PRAGMA application_id = " + strconv.FormatInt(int64(int32(schema.Application)), 10),
		"PRAGMA user_version = " + strconv.Itoa(version),
	} {
		if _, err := tx.ExecContext(ctx, set); err != nil {
			return err
		}
	}
	return tx.Commit()
}

// backupAnew writes a backup in the place of one that an earlier attempt has left.
func backupAnew(ctx context.Context, db *sql.DB, to string) error {
	if err := os.Remove(to); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return backup(ctx, db, to)
}

// An execer is a database or one connection to it.
type execer interface {
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
}

// backup writes a copy. VACUUM INTO takes an empty file, and leaves it the mode that it has.
func backup(ctx context.Context, db execer, to string) error {
	f, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL|syscall.O_NOFOLLOW, 0o600)
	if err != nil {
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	if _, err := db.ExecContext(ctx, "VACUUM INTO ?", to); err != nil {
		return errors.Join(err, os.Remove(to))
	}
	return nil
}
