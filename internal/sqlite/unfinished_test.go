package sqlite

import (
	"database/sql"
	"os"
	"path/filepath"
	"testing"
)

// A database whose maker was killed before it had a write-ahead log is opened, without what was not committed.
func TestUnfinishedDatabase(t *testing.T) {
	dir := t.TempDir()
	db, err := sql.Open("sqlite", filepath.Join(dir, "a.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	db.SetMaxOpenConns(1)
	tx := "BEGIN; INSERT INTO note(text) SELECT hex(randomblob(2000)) FROM (WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 500) SELECT i FROM n)"
	for _, statement := range []string{
		"PRAGMA cache_size = 5", notes(1).Migrations[0], "INSERT INTO note(text) VALUES('committed')", "PRAGMA application_id = 1852798053", "PRAGMA user_version = 1", tx,
	} {
		if _, err := db.Exec(statement); err != nil {
			t.Fatal(err)
		}
	}
	killed := filepath.Join(dir, "killed", "a.db") // has the files of this moment, and no process
	if err := os.Mkdir(filepath.Dir(killed), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, suffix := range []string{"-journal", ""} {
		data, err := os.ReadFile(filepath.Join(dir, "a.db"+suffix))
		if err != nil || len(data) == 0 {
			t.Fatal(len(data), err)
		}
		if err := os.WriteFile(killed+suffix, data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if got := texts(t, open(t, killed, notes(1))); len(got) != 1 || got[0] != "committed" {
		t.Errorf("%d notes", len(got))
	}
}
