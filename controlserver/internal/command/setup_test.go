package command

import (
	"os"
	"path/filepath"
	"testing"
)

func TestAgentPath(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	beside := filepath.Join(filepath.Dir(self), "agent")
	if err := os.WriteFile(beside, nil, 0o700); err != nil {
		t.Fatal(err)
	}
	links, other := t.TempDir(), t.TempDir()
	if err := os.Symlink(beside, filepath.Join(links, "agent")); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(other, "agent"), nil, 0o700); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{
		"":                  beside,
		".:" + other:        beside,
		other + ":" + links: filepath.Join(links, "agent"),
	} {
		if got, err := agentPath(path); got != want || err != nil {
			t.Errorf("on %q: %s, %v, want %s", path, got, err, want)
		}
	}
	if err := os.Remove(beside); err != nil {
		t.Fatal(err)
	}
	if got, err := agentPath(links); got != beside || err != nil {
		t.Errorf("without an agent: %s, %v", got, err)
	}
}
