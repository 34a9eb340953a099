package logging

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

func TestTail(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "server.log")
	if _, _, err := Tail(path, 5); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("without a file: %v", err)
	}
	if _, _, err := Tail(filepath.Join(dir, "nowhere", "server.log"), 5); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("without a directory: %v", err)
	}
	writeLog(t, filepath.Join(dir, "server-2026-11-19T10-00-00.000.log"), "1\n2\n3\n")
	writeLog(t, filepath.Join(dir, "server-2026-11-20T10-00-00.000.log"), "4\n5\n")
	writeLog(t, filepath.Join(dir, "other.log"), "no\n")
	if lines, _, err := Tail(path, 2); err != nil || join(lines) != "4 5" {
		t.Errorf("just after a rotation: %q, %v", join(lines), err)
	}
	writeLog(t, path, "6\n7\nhalf")
	for n, want := range map[int]string{0: "", 1: "7", 2: "6 7", 3: "5 6 7", 5: "3 4 5 6 7", 100: "1 2 3 4 5 6 7"} {
		if lines, _, err := Tail(path, n); err != nil || join(lines) != want {
			t.Errorf("%d lines: %q, %v", n, join(lines), err)
		}
	}
}

// A file of megabytes is read from its end.
func TestTailOfLongLines(t *testing.T) {
	path := filepath.Join(t.TempDir(), "server.log")
	line := strings.Repeat("x", 50<<10)
	writeLog(t, path, strings.Repeat(line+"\n", 40))
	for _, n := range []int{1, 2, 30, 40, 41} {
		lines, _, err := Tail(path, n)
		if err != nil || len(lines) != min(n, 40) {
			t.Fatalf("%d lines of %d, %v", len(lines), n, err)
		}
		for i := range lines {
			if string(lines[i]) != line {
				t.Fatalf("line %d has %d bytes", i, len(lines[i]))
			}
		}
	}
}

func appendLog(t *testing.T, path, text string) {
	t.Helper()
	f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY|os.O_CREATE, 0o600)
	if err == nil {
		_, err = f.WriteString(text)
		err = errors.Join(err, f.Close())
	}
	if err != nil {
		t.Fatal(err)
	}
}

func TestFollow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "server.log")
		writeLog(t, path, "1\n2\nha")
		_, end, err := Tail(path, 1)
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		var got []string
		done := make(chan error)
		go func() {
			done <- Follow(ctx, path, end, func(line []byte) error {
				got = append(got, string(line))
				return nil
			})
		}()
		expect := func(what, want string) {
			t.Helper()
			time.Sleep(2 * followEvery)
			synctest.Wait()
			if s := strings.Join(got, " "); s != want {
				t.Errorf("%s: %q, want %q", what, s, want)
			}
		}
		expect("nothing new", "")
		appendLog(t, path, "lf\n3\n")
		expect("lines", "half 3")

		appendLog(t, path, "4\n")
		if err := os.Rename(path, path+".old"); err != nil {
			t.Fatal(err)
		}
		expect("rotated, and no new file", "half 3 4")
		appendLog(t, path+".old", "5\n")
		writeLog(t, path, "6\n")
		expect("a new file", "half 3 4 5 6")

		writeLog(t, path, "")
		expect("emptied", "half 3 4 5 6")
		appendLog(t, path, "7\n")
		expect("filled again", "half 3 4 5 6 7")
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
}

// The log of a daemon that is still to come.
func TestFollowBeforeTheFirstLine(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "server.log")
		full := errors.New("the pipe is full")
		done := make(chan error)
		go func() { done <- Follow(t.Context(), path, Position{}, func([]byte) error { return full }) }()
		time.Sleep(time.Hour)
		writeLog(t, path, "1\n")
		if err := <-done; !errors.Is(err, full) {
			t.Error(err)
		}
	})
}

// The real rotation, at full speed: no line is lost, none comes twice.
func TestFollowTheLogger(t *testing.T) {
	path := filepath.Join(t.TempDir(), "server.log")
	log := open(t, Options{File: path, MaxSizeMB: 1})
	const records = 4000
	next := 0
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	done := make(chan error)
	go func() {
		done <- Follow(ctx, path, Position{}, func(line []byte) error {
			r, err := ParseRecord(line)
			if err != nil || r.Message != fmt.Sprint(next) {
				return fmt.Errorf("record %q after %d, %v", r.Message, next-1, err)
			}
			if next++; next == records {
				cancel()
			}
			return nil
		})
	}()
	padding := strings.Repeat("x", 400)
	for i := range records {
		log.Info(fmt.Sprint(i), "padding", padding)
	}
	if err := <-done; err != nil || next != records {
		t.Errorf("%d records, %v", next, err)
	}
}
