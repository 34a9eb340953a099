//go:build unix

package process

import (
	"os"
	"path/filepath"
	"sync"
	"testing"
)

func TestScratch(t *testing.T) {
	parent := t.TempDir()
	s := NewScratch(parent)
	one, err := s.Make()
	if err != nil {
		t.Fatal(err)
	}
	two, err := s.Make()
	if err != nil || two == one {
		t.Fatalf("%s and %s, %v", one, two, err)
	}
	for _, dir := range []string{filepath.Dir(one), one, two} {
		if info, err := os.Stat(dir); err != nil || info.Mode().Perm() != 0o700 {
			t.Errorf("%s: %v, %v", dir, info, err)
		}
	}
	// "/1234567890/socket" of what a program makes below it has room for 104 bytes beside a usual TMPDIR.
	if below := len(one) - len(parent); below > 30 {
		t.Errorf("%s takes %d bytes", one, below)
	}
	s.Close()
	s.Close()
	if left, _ := os.ReadDir(parent); len(left) > 0 {
		t.Errorf("left: %v", left)
	}
	if _, err := NewScratch(filepath.Join(parent, "missing")).Make(); err == nil {
		t.Error("made a directory in one that is missing")
	}
}

// Who clears the parent while we live does not take the next program's directory.
func TestScratchThatWasRemoved(t *testing.T) {
	s := NewScratch(t.TempDir())
	defer s.Close()
	one, err := s.Make()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(filepath.Dir(one)); err != nil {
		t.Fatal(err)
	}
	if two, err := s.Make(); err != nil || filepath.Dir(two) == filepath.Dir(one) {
		t.Errorf("%s after %s, %v", two, one, err)
	}
}

func TestSweep(t *testing.T) {
	parent := t.TempDir()
	left, lives := NewScratch(parent), NewScratch(parent)
	defer lives.Close()
	gone, err := left.Make()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(gone, "preamble.pch"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	left.lock.Close() // as a process does that is killed
	stays, err := lives.Make()
	if err != nil {
		t.Fatal(err)
	}
	foreign, other := filepath.Join(parent, "tidepool-bench-1"), filepath.Join(parent, scratchPrefix+"1")
	if err := os.Mkdir(foreign, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(foreign, other); err != nil {
		t.Fatal(err)
	}
	NewScratch(parent).Sweep()
	if _, err := os.Stat(filepath.Dir(gone)); !os.IsNotExist(err) {
		t.Errorf("left: %v", err)
	}
	for _, path := range []string{stays, foreign, other} {
		if _, err := os.Lstat(path); err != nil {
			t.Errorf("swept: %v", err)
		}
	}
}

// A scratch that is made while others sweep is there when it is used.
func TestSweepAtTheSameTime(t *testing.T) {
	parent := t.TempDir()
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for range 50 {
				s := NewScratch(parent)
				s.Sweep()
				dir, err := s.Make()
				if err == nil {
					err = os.WriteFile(filepath.Join(dir, "file"), nil, 0o600)
				}
				if err != nil {
					t.Error(err)
				}
				s.Close()
			}
		})
	}
	all.Wait()
}
