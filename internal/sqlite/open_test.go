package sqlite

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"
)

// openAll opens and closes the databases whose paths it reads, and prints what is against it, one line each.
func openAll() {
	for paths := bufio.NewScanner(os.Stdin); paths.Scan(); {
		db, err := Open(context.Background(), paths.Text(), notes(2))
		if err == nil {
			err = db.Close()
		}
		fmt.Println(err)
	}
}

// Twelve processes that open a new database at once all get it. SQLite itself does not wait while one of them makes it a database with a
// write-ahead log.
func TestProcessesOpenAtOnce(t *testing.T) {
	const many, rounds = 12, 30
	var in []io.Writer
	var out []*bufio.Scanner
	for range many {
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), "SQLITE_TEST_OPENER=1")
		cmd.Stderr = os.Stderr
		stdin, err := cmd.StdinPipe()
		if err != nil {
			t.Fatal(err)
		}
		stdout, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			stdin.Close()
			cmd.Wait()
		})
		in, out = append(in, stdin), append(out, bufio.NewScanner(stdout))
	}
	dir := t.TempDir()
	for round := range rounds {
		path := filepath.Join(dir, strconv.Itoa(round), "a.db")
		for _, w := range in {
			fmt.Fprintln(w, path)
		}
		for _, r := range out {
			if !r.Scan() || r.Text() != "<nil>" {
				t.Errorf("round %d: %s, %v", round, r.Text(), r.Err())
			}
		}
	}
}
