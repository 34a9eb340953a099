package logging

import (
	"errors"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"syscall"
	"testing"
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
			dir := t.TempDir()
			if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, link)), 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.Symlink(outside, filepath.Join(dir, link)); err != nil {
				t.Fatal(err)
			}
			_, _, err := Open(Options{File: filepath.Join(dir, "logs", "c.log")})
			if _, is := errors.AsType[*LinkError](err); !is {
				t.Errorf("got %v", err)
			}
		})
	}
	if entries, err := os.ReadDir(outside); err != nil || len(entries) > 0 {
		t.Errorf("outside are %v, %v", entries, err)
	}
}
