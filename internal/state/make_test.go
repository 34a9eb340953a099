package state

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

func TestMake(t *testing.T) {
	dir := filepath.Join(t.TempDir(), ".tidepool")
	for range 2 {
		if err := Ensure(dir); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := os.ReadFile(filepath.Join(dir, ".gitignore")); string(got) != "*\n" {
		t.Errorf(".gitignore is %q, %v", got, err)
	}
}

func TestMakeKeepsWhatIsThere(t *testing.T) {
	dir := t.TempDir()
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	ignore := filepath.Join(dir, ".gitignore")
	if err := os.WriteFile(ignore, []byte("logs\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := Ensure(dir); err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(ignore); string(got) != "logs\n" {
		t.Errorf(".gitignore is %q, %v", got, err)
	}
	info, err := os.Stat(dir)
	if err != nil {
		t.Fatal(err)
	}
	if info.Mode().Perm() != 0o700 {
		t.Errorf("mode %o", info.Mode().Perm())
	}
}

func TestMakeRefuses(t *testing.T) {
	elsewhere := t.TempDir()
	tests := map[string]func(dir string) error{
		"a symbolic link": func(dir string) error { return os.Symlink(elsewhere, dir) },
		"a dangling link": func(dir string) error { return os.Symlink(filepath.Join(elsewhere, "none"), dir) },
		"a file":          func(dir string) error { return os.WriteFile(dir, nil, 0o600) },
	}
	for name, prepare := range tests {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), ".tidepool")
			if err := prepare(dir); err != nil {
				t.Fatal(err)
			}
			err := Ensure(dir)
			var refused *RefusedError
			if !errors.As(err, &refused) || refused.Path != dir || refused.Hint() == "" {
				t.Errorf("made: %v", err)
			}
		})
	}
	if left, err := os.ReadDir(elsewhere); len(left) != 0 || err != nil {
		t.Errorf("something was written elsewhere: %v, %v", left, err)
	}
}
