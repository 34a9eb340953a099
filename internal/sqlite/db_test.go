package sqlite

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// notes returns a schema of so many versions.
func notes(versions int) Schema {
	return Schema{Application: 0x6e6f7465, SecureDelete: true, Migrations: []string{
		"CREATE TABLE note(id INTEGER PRIMARY KEY, text TEXT NOT NULL) STRICT",
		"ALTER TABLE note ADD COLUMN tag TEXT NOT NULL DEFAULT ''",
	}[:versions]}
}

func open(t *testing.T, path string, schema Schema) *DB {
	t.Helper()
	db, err := Open(t.Context(), path, schema)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

func insert(ctx context.Context, db *DB, texts ...string) error {
	return db.Write(ctx, func(tx *Tx) error {
		for _, text := range texts {
			if _, err := tx.Exec("INSERT INTO note(text) VALUES(?)", text); err != nil {
				return err
			}
		}
		return nil
	})
}

func texts(t *testing.T, db *DB) []string {
	t.Helper()
	rows, err := db.Reader().QueryContext(t.Context(), "SELECT text FROM note ORDER BY id")
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	var all []string
	for rows.Next() {
		var text string
		if err := rows.Scan(&text); err != nil {
			t.Fatal(err)
		}
		all = append(all, text)
	}
	if rows.Err() != nil {
		t.Fatal(rows.Err())
	}
	return all
}

func TestOpenMakesFilesForThisUserAlone(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "state", "notes")
	db := open(t, filepath.Join(dir, "a?b#c%41.db"), notes(1)) // a name that a URI must quote
	if err := insert(t.Context(), db, "one"); err != nil {
		t.Fatal(err)
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, entry := range entries {
		info, err := entry.Info()
		if err != nil {
			t.Fatal(err)
		}
		if info.Mode() != 0o600 {
			t.Errorf("%s has mode %v", entry.Name(), info.Mode())
		}
		names = append(names, entry.Name())
	}
	if want := []string{"a?b#c%41.db", "a?b#c%41.db-shm", "a?b#c%41.db-wal"}; !slices.Equal(names, want) {
		t.Errorf("files %q, want %q", names, want)
	}
	if info, _ := os.Stat(dir); info.Mode().Perm() != 0o700 {
		t.Errorf("the directory has mode %v", info.Mode())
	}
}

func TestOpenClosesFilesToOthers(t *testing.T) {
	path := filepath.Join(t.TempDir(), "notes", "a.db")
	open(t, path, notes(1)).Close()
	os.Chmod(path, 0o644)
	os.Chmod(filepath.Dir(path), 0o755)
	open(t, path, notes(1))
	for path, want := range map[string]fs.FileMode{path: 0o600, filepath.Dir(path): 0o700} {
		if info, _ := os.Stat(path); info.Mode().Perm() != want {
			t.Errorf("%s has mode %v", path, info.Mode())
		}
	}
}

func TestOpenRefusesLinks(t *testing.T) {
	dir := t.TempDir()
	real := filepath.Join(dir, "real", "a.db")
	open(t, real, notes(1)).Close()
	os.Symlink(filepath.Dir(real), filepath.Join(dir, "linked"))
	os.Symlink(real, filepath.Join(dir, "real", "b.db"))
	os.Mkdir(filepath.Join(dir, "real", "c.db"), 0o700)
	for _, name := range []string{"linked/a.db", "real/b.db", "real/c.db"} {
		var refused *RefusedError
		if _, err := Open(t.Context(), filepath.Join(dir, name), notes(1)); !errors.As(err, &refused) {
			t.Errorf("%s is opened: %v", name, err)
		}
		if _, err := OpenReadOnly(t.Context(), filepath.Join(dir, name), notes(1)); !errors.As(err, &refused) {
			t.Errorf("%s is opened for reading: %v", name, err)
		}
	}
	os.Symlink(real, real+".lock")
	var refused *RefusedError
	if _, err := TryLock(real); !errors.As(err, &refused) {
		t.Errorf("a lock that is a link is taken: %v", err)
	}
}

func TestWriteIsAllOrNothing(t *testing.T) {
	db := open(t, filepath.Join(t.TempDir(), "n", "a.db"), notes(1))
	failed := errors.New("failed")
	err := db.Write(t.Context(), func(tx *Tx) error {
		if _, err := tx.Exec("INSERT INTO note(text) VALUES('half')"); err != nil {
			return err
		}
		if got := texts(t, db); got != nil {
			t.Errorf("a reader sees %q before the commit", got)
		}
		return failed
	})
	if err != failed || texts(t, db) != nil {
		t.Errorf("error %v, rows %q", err, texts(t, db))
	}
	if err := insert(t.Context(), db, "one", "two"); err != nil {
		t.Fatal(err)
	}
	if got := texts(t, db); !slices.Equal(got, []string{"one", "two"}) {
		t.Errorf("rows %q", got)
	}
}

func TestReadOnly(t *testing.T) {
	path := filepath.Join(t.TempDir(), "n", "a.db")
	if _, err := OpenReadOnly(t.Context(), path, notes(1)); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a missing one: %v", err)
	}
	writer := open(t, path, notes(1))
	db, err := OpenReadOnly(t.Context(), path, notes(1))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if err := insert(t.Context(), writer, "one"); err != nil {
		t.Fatal(err)
	}
	if got := texts(t, db); !slices.Equal(got, []string{"one"}) {
		t.Errorf("the reader sees %q", got)
	}
	if err := insert(t.Context(), db, "two"); err == nil {
		t.Error("a database that was opened for reading is written")
	}
	if _, err := db.Reader().Exec("DELETE FROM note"); err == nil {
		t.Error("a reader's connection deletes")
	}
	var older *OlderError
	if _, err := OpenReadOnly(t.Context(), path, notes(2)); !errors.As(err, &older) {
		t.Errorf("an older schema: %v", err)
	}
	empty := filepath.Join(filepath.Dir(path), "empty.db")
	if err := os.WriteFile(empty, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := OpenReadOnly(t.Context(), empty, notes(1)); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a database that is being made: %v", err)
	}
}

func TestBackup(t *testing.T) {
	dir := t.TempDir()
	db := open(t, filepath.Join(dir, "n", "a.db"), notes(1))
	if err := insert(t.Context(), db, "one"); err != nil {
		t.Fatal(err)
	}
	to := filepath.Join(dir, "n", "copy.db")
	if err := db.Backup(t.Context(), to); err != nil {
		t.Fatal(err)
	}
	if err := db.Backup(t.Context(), to); !errors.Is(err, fs.ErrExist) {
		t.Errorf("a second one: %v", err)
	}
	if info, err := os.Stat(to); err != nil || info.Mode() != 0o600 {
		t.Errorf("%v, %v", info, err)
	}
	if got := texts(t, open(t, to, notes(1))); !slices.Equal(got, []string{"one"}) {
		t.Errorf("the copy has %q", got)
	}
	for range 2 * maxReaders { // none of them has kept the right to write
		if _, err := db.Reader().Exec("DELETE FROM note"); err == nil {
			t.Fatal("a reader has written")
		}
	}
}

func TestMigrationKeepsACopy(t *testing.T) {
	path := filepath.Join(t.TempDir(), "n", "a.db")
	db := open(t, path, notes(1))
	if err := insert(t.Context(), db, "one"); err != nil {
		t.Fatal(err)
	}
	db.Close()
	broken := notes(2)
	broken.Migrations = append(broken.Migrations, "CREATE TABLE note(twice TEXT)")
	if _, err := Open(t.Context(), path, broken); err == nil || !strings.Contains(err.Error(), "version 3") {
		t.Fatalf("a migration that fails: %v", err)
	}
	open(t, path, notes(1)).Close() // nothing of it has stayed
	db = open(t, path, notes(2))
	if _, err := db.Reader().Query("SELECT tag FROM note"); err != nil {
		t.Error(err)
	}
	before := open(t, path+".v1", notes(1))
	if got := texts(t, before); !slices.Equal(got, []string{"one"}) {
		t.Errorf("the copy has %q", got)
	}
	if info, _ := os.Stat(path + ".v1"); info.Mode() != 0o600 {
		t.Errorf("the copy has mode %v", info.Mode())
	}
}

func TestNewerSchemaIsLeftAlone(t *testing.T) {
	path := filepath.Join(t.TempDir(), "n", "a.db")
	open(t, path, notes(2)).Close()
	before, _ := os.ReadFile(path)
	for name, open := range map[string]func(context.Context, string, Schema) (*DB, error){"Open": Open, "OpenReadOnly": OpenReadOnly} {
		var newer *NewerError
		if _, err := open(t.Context(), path, notes(1)); !errors.As(err, &newer) || newer.Version != 2 || newer.Known != 1 {
			t.Errorf("%s: %v", name, err)
		}
	}
	if after, _ := os.ReadFile(path); !bytes.Equal(before, after) {
		t.Error("the file has changed")
	}
}

func TestSetAside(t *testing.T) {
	path := filepath.Join(t.TempDir(), "n", "a.db")
	open(t, path, notes(1)).Close()
	other := notes(1)
	other.Application++
	for name, spoil := range map[string]func(){
		"no database":     func() { os.WriteFile(path, bytes.Repeat([]byte("no database "), 1000), 0o600) },
		"another program": func() { open(t, path, other).Close() },
		"a damaged schema": func() {
			open(t, path, notes(1)).Close()
			f, _ := os.OpenFile(path, os.O_RDWR, 0)
			f.WriteAt(bytes.Repeat([]byte{0xee}, 3900), 100) // the page after the header
			f.Close()
		},
	} {
		t.Run(name, func(t *testing.T) {
			if err := Remove(path); err != nil {
				t.Fatal(err)
			}
			spoil()
			spoilt, _ := os.ReadFile(path)
			var unreadable *UnreadableError
			if _, err := Open(t.Context(), path, notes(1)); !errors.As(err, &unreadable) {
				t.Fatal(err)
			}
			aside, err := SetAside(path, time.Now())
			if err != nil {
				t.Fatal(err)
			}
			if kept, _ := os.ReadFile(aside); !bytes.Equal(kept, spoilt) {
				t.Error("what was set aside is not what was there")
			}
			open(t, path, notes(1)).Close()
			if err := Remove(path); err != nil {
				t.Fatal(err)
			}
			if left, _ := os.ReadDir(filepath.Dir(path)); len(left) != 0 {
				t.Errorf("left: %v", left)
			}
		})
	}
}

func TestDeletedIsOverwritten(t *testing.T) {
	path := filepath.Join(t.TempDir(), "n", "a.db")
	db := open(t, path, notes(1))
	secret := strings.Repeat("xyzzy-", 2000) // of several pages
	if err := insert(t.Context(), db, "one", secret, "two"); err != nil {
		t.Fatal(err)
	}
	if err := db.Checkpoint(t.Context(), true); err != nil {
		t.Fatal(err)
	}
	if data, _ := os.ReadFile(path); !bytes.Contains(data, []byte("xyzzy")) {
		t.Fatal("the text was never there")
	}
	err := db.Write(t.Context(), func(tx *Tx) error {
		_, err := tx.Exec("DELETE FROM note WHERE text LIKE 'xyzzy%'")
		return err
	})
	if err = errors.Join(err, db.Checkpoint(t.Context(), true)); err != nil {
		t.Fatal(err)
	}
	for _, suffix := range []string{"", "-wal"} {
		if data, _ := os.ReadFile(path + suffix); bytes.Contains(data, []byte("xyzzy")) {
			t.Errorf("the text is still in %q", suffix)
		}
	}
}

func TestFullDisk(t *testing.T) {
	db := open(t, filepath.Join(t.TempDir(), "n", "a.db"), notes(1))
	if _, err := db.conn.ExecContext(t.Context(), "PRAGMA max_page_count = 3"); err != nil {
		t.Fatal(err)
	}
	var full *FullError
	if err := insert(t.Context(), db, strings.Repeat("x", 100_000)); !errors.As(err, &full) {
		t.Errorf("got %v", err)
	}
	if err := insert(t.Context(), db, "small"); err != nil {
		t.Errorf("what still fits is refused: %v", err)
	}
}
