package fingerprint

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	"tidepool/internal/state"
)

func openState(t *testing.T) (*state.Dir, string) {
	t.Helper()
	path := state.Of(t.TempDir())
	dir, err := state.Make(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { dir.Close() })
	return dir, filepath.Join(path, keyFile)
}

// Whoever is first makes the key; all have the same.
func TestKeyIn(t *testing.T) {
	dir, path := openState(t)
	keys := make([]Key, 20)
	var all sync.WaitGroup
	for i := range keys {
		all.Go(func() {
			key, err := KeyIn(dir)
			if err != nil {
				t.Error(err)
			}
			keys[i] = key
		})
	}
	all.Wait()
	for _, key := range keys {
		if key != keys[0] || key == (Key{}) {
			t.Errorf("%x, %x", key, keys[0])
		}
	}
	info, err := os.Stat(path)
	if err != nil || info.Mode().Perm() != 0o600 || info.Size() != int64(len(Key{})) {
		t.Errorf("%v, %v", info, err)
	}
}

// A file that a killed process or a full disk has left is written again; what is no key of ours is refused.
func TestKeyInRepairs(t *testing.T) {
	dir, path := openState(t)
	if err := os.WriteFile(path, []byte("short"), 0o600); err != nil {
		t.Fatal(err)
	}
	first, err := KeyIn(dir)
	if err != nil {
		t.Fatal(err)
	}
	if second, err := KeyIn(dir); err != nil || second != first {
		t.Errorf("%x, %x, %v", first, second, err)
	}
	if err := os.WriteFile(path, []byte(strings.Repeat("x", 33)), 0o600); err != nil {
		t.Fatal(err)
	}
	if key, err := KeyIn(dir); err == nil {
		t.Errorf("a file of 33 bytes is %x", key)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("elsewhere", path); err != nil {
		t.Fatal(err)
	}
	if key, err := KeyIn(dir); !state.IsRefused(err) {
		t.Errorf("a link is %x, %v", key, err)
	}
}

// A process that was stopped while it made the key keeps nobody waiting for long.
func TestKeyInDoesNotWaitForever(t *testing.T) {
	dir, path := openState(t)
	other, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	if err := syscall.Flock(int(other.Fd()), syscall.LOCK_EX); err != nil {
		t.Fatal(err)
	}
	if key, err := KeyIn(dir); err == nil || !strings.Contains(err.Error(), "locked") {
		t.Errorf("%x, %v", key, err)
	}
}
