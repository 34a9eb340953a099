package logging

import (
	"errors"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"tidepool/internal/state"
)

// A disk is full, or not.
type disk struct{ full bool }

func (d *disk) Write(p []byte) (int, error) {
	if d.full {
		return 0, syscall.ENOSPC
	}
	return len(p), nil
}

func (d *disk) Close() error { return nil }

func TestTrouble(t *testing.T) {
	d := new(disk)
	f := &File{out: d}
	logger := slog.New(slog.NewJSONHandler(f, nil))
	logger.Info("one")
	if err := f.Trouble(); err != nil {
		t.Errorf("nothing is lost, but %v", err)
	}
	d.full = true
	logger.Info("two")
	logger.Info("three")
	err := f.Trouble()
	if want := "the log cannot be written: no space left on device (2 records are lost)"; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
	if !errors.Is(err, syscall.ENOSPC) {
		t.Errorf("%v is not ENOSPC", err)
	}
	d.full = false
	logger.Info("four")
	if err := f.Trouble(); err != nil {
		t.Errorf("it is written again, but %v", err)
	}
}

func TestNoFile(t *testing.T) {
	logger, file, err := Open(Options{Terminal: io.Discard})
	if err != nil {
		t.Fatal(err)
	}
	logger.Info("for a terminal alone")
	if err := errors.Join(file.Trouble(), file.Close()); err != nil {
		t.Error(err)
	}
}

func TestLinksAreNotFollowed(t *testing.T) {
	outside := t.TempDir()
	for name, link := range map[string]string{"directory": "logs", "file": filepath.Join("logs", "c.log")} {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), state.Name)
			if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, link)), 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.Symlink(outside, filepath.Join(dir, link)); err != nil {
				t.Fatal(err)
			}
			_, _, err := Open(Options{File: filepath.Join(dir, "logs", "c.log")})
			if !state.IsRefused(err) {
				t.Errorf("got %v", err)
			}
		})
	}
	if entries, err := os.ReadDir(outside); err != nil || len(entries) > 0 {
		t.Errorf("outside are %v, %v", entries, err)
	}
}

// A log whose directory becomes a link is neither rotated there nor begun there: records are lost, and the file says so.
func TestRotationFollowsNoLink(t *testing.T) {
	outside, dir := t.TempDir(), filepath.Join(t.TempDir(), state.Name)
	path := filepath.Join(dir, "logs", "c.log")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	logger, file, err := Open(Options{File: path, MaxSizeMB: 1, MaxFiles: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	var before []string // what would be rotated, and what would be removed as too old
	for _, name := range []string{"c.log", "c-2020-01-01T00-00-00.000.log", "c-2021-01-01T00-00-00.000.log"} {
		before = append(before, name)
		writeLog(t, filepath.Join(outside, name), "mine\n")
	}
	if err := errors.Join(os.Rename(filepath.Join(dir, "logs"), filepath.Join(dir, "aside")), os.Symlink(outside, filepath.Join(dir, "logs"))); err != nil {
		t.Fatal(err)
	}
	padding := strings.Repeat("x", 64<<10)
	for range 40 {
		logger.Info("m", "padding", padding)
	}
	if !state.IsRefused(file.Trouble()) {
		t.Errorf("trouble is %v", file.Trouble())
	}
	for _, name := range before {
		if text, err := os.ReadFile(filepath.Join(outside, name)); string(text) != "mine\n" {
			t.Errorf("%s holds %d bytes, %v", name, len(text), err)
		}
	}
	if entries, err := os.ReadDir(outside); err != nil || len(entries) != len(before) {
		t.Errorf("outside are %v, %v", entries, err)
	}
	// With a directory of its own again, it goes on.
	if err := errors.Join(os.Remove(filepath.Join(dir, "logs")), os.Rename(filepath.Join(dir, "aside"), filepath.Join(dir, "logs"))); err != nil {
		t.Fatal(err)
	}
	if logger.Info("again"); file.Trouble() != nil {
		t.Error(file.Trouble())
	}
}

// Only files of the log's own form are old ones of it.
func TestRotationRemovesItsOwn(t *testing.T) {
	path := filepath.Join(t.TempDir(), "c.log")
	notes := filepath.Join(filepath.Dir(path), "c-notes.log")
	writeLog(t, notes, "mine\n")
	log := open(t, Options{File: path, MaxSizeMB: 1, MaxFiles: 2})
	padding := strings.Repeat("x", 64<<10)
	for range 100 {
		log.Info("m", "padding", padding)
	}
	if rotated, err := rotations(path); err != nil || len(rotated) != 2 {
		t.Errorf("kept are %v, %v", rotated, err)
	}
	if _, err := os.Stat(notes); err != nil {
		t.Error(err)
	}
}
