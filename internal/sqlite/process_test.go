package sqlite

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"
)

// The test program is also the other process.
func TestMain(m *testing.M) {
	if path := os.Getenv("SQLITE_TEST_WRITER"); path != "" {
		fmt.Fprintln(os.Stderr, write(path))
		os.Exit(1)
	}
	if os.Getenv("SQLITE_TEST_OPENER") != "" {
		openAll()
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// write takes the lock and inserts pairs of notes until it is killed. It prints the number of each pair that was committed.
func write(path string) error {
	lock, err := TryLock(path)
	if err != nil || lock == nil {
		return fmt.Errorf("no lock: %w", err)
	}
	defer lock.Release()
	ctx := context.Background()
	db, err := Open(ctx, path, notes(1))
	if err != nil {
		return err
	}
	for i := 0; ; i++ {
		if err := insert(ctx, db, strconv.Itoa(i), strconv.Itoa(i)); err != nil {
			return err
		}
		fmt.Println(i)
	}
}

// A writer that is killed leaves its lock to the next one, and whole transactions: all that it has reported.
func TestKilledWriter(t *testing.T) {
	path := filepath.Join(t.TempDir(), "n", "a.db")
	for range 5 {
		before := 0
		if db, err := OpenReadOnly(t.Context(), path, notes(1)); err == nil {
			before = len(texts(t, db))
			db.Close()
		}
		reported := writeUntilKilled(t, path)
		lock, err := TryLock(path)
		if err != nil || lock == nil {
			t.Fatalf("the lock of a killed process is held: %v", err)
		}
		db := open(t, path, notes(1))
		got := texts(t, db)[before:]
		if len(got) < 2*reported || len(got)%2 != 0 {
			t.Errorf("%d notes after %d pairs", len(got), reported)
		}
		db.Close()
		lock.Release()
	}
}

// writeUntilKilled runs a writer and returns how many pairs it has reported before it was killed.
func writeUntilKilled(t *testing.T, path string) (pairs int) {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "SQLITE_TEST_WRITER="+path)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer cmd.Wait()
	for lines := bufio.NewScanner(out); lines.Scan(); {
		if pairs++; pairs == 20 {
			if lock, err := TryLock(path); err != nil || lock != nil {
				t.Errorf("the lock of a running process is free: %v", err)
			}
			cmd.Process.Kill()
		}
	}
	if pairs < 20 {
		t.Errorf("the writer ended after %d pairs", pairs)
	}
	return pairs
}

// Two processes that open a new database at once both see its schema.
func TestOpenAtOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), "n", "a.db")
	opened := make(chan error)
	for range 4 {
		go func() {
			db, err := Open(context.Background(), path, notes(2))
			if err == nil {
				err = db.Write(context.Background(), func(tx *Tx) error {
					_, err := tx.Exec("INSERT INTO note(text, tag) VALUES('a', 'b')")
					return err
				})
				db.Close()
			}
			opened <- err
		}()
	}
	for range 4 {
		if err := <-opened; err != nil {
			t.Error(err)
		}
	}
}

// A reader that comes while a database is being made finds none, or a whole one.
func TestReadWhileItIsMade(t *testing.T) {
	for i := range 20 {
		path := filepath.Join(t.TempDir(), "n", strconv.Itoa(i)+".db")
		made := make(chan error)
		go func() {
			db, err := Open(context.Background(), path, notes(2))
			if err == nil {
				err = db.Close()
			}
			made <- err
		}()
		for ending := false; !ending; {
			select {
			case err := <-made:
				if ending = true; err != nil {
					t.Fatal(err)
				}
			default:
			}
			db, err := OpenReadOnly(t.Context(), path, notes(2))
			if err == nil {
				db.Close()
			} else if !errors.Is(err, fs.ErrNotExist) {
				t.Fatal(err)
			}
		}
	}
}
