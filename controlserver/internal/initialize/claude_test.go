package initialize

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tidepool/internal/setup"
)

// A clone whose directory of programs is on PATH does not decide what is run.
func TestClaudeOfTheProject(t *testing.T) {
	project, elsewhere := t.TempDir(), t.TempDir()
	for _, dir := range []string{filepath.Join(project, "node_modules", ".bin"), elsewhere} {
		program := filepath.Join(dir, "claude")
		if err := errors.Join(os.MkdirAll(dir, 0o700), os.WriteFile(program, []byte("#!/bin/sh\necho $0 > ran\n"), 0o700)); err != nil {
			t.Fatal(err)
		}
	}
	for path, runs := range map[string]bool{"": false, elsewhere: true} {
		t.Setenv("PATH", filepath.Join(project, "node_modules", ".bin")+string(filepath.ListSeparator)+path)
		t.Chdir(t.TempDir())
		made := &task{plan: new(setup.Plan)}
		made.haveClaude(t.Context(), project, [][]string{{"claude", "mcp"}}, "a test")
		for _, s := range made.steps {
			if _, err := s.do(); err != nil {
				t.Error(err)
			}
		}
		ran, _ := os.ReadFile("ran")
		if want := map[bool]string{true: filepath.Join(elsewhere, "claude") + "\n"}[runs]; string(ran) != want || len(made.plan.Notes) != map[bool]int{false: 1}[runs] {
			t.Errorf("with %q: ran %q, notes %s", path, ran, strings.Join(made.plan.Notes, "; "))
		}
	}
}
