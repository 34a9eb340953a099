package protocol

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

func TestBuild(t *testing.T) {
	path := filepath.Join(t.TempDir(), "program")
	write := func(content string, written time.Time) string {
		t.Helper()
		if err := os.WriteFile(path, []byte(content), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, time.Time{}, written); err != nil {
			t.Fatal(err)
		}
		return Build(path)
	}
	if got := Build(path); got != "" {
		t.Errorf("a file that is not there is %q", got)
	}
	noon := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	first := write("one", noon)
	if first == "" || write("one", noon) != first {
		t.Errorf("the same is not the same as %q", first)
	}
	if write("three", noon) == first || write("two", noon.Add(time.Nanosecond)) == first {
		t.Errorf("others are %q, too", first)
	}
}
