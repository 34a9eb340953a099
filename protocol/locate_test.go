package protocol

import (
	"os"
	"path/filepath"
	"testing"
)

func TestLocate(t *testing.T) {
	root := t.TempDir()
	for _, dir := range []string{"a/.tidepool", "a/b/c", "other/.tidepool", "bare"} {
		if err := os.MkdirAll(filepath.Join(root, dir), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(root, "a/b/.tidepool"), nil, 0o600); err != nil { // a file is no state
		t.Fatal(err)
	}
	at := func(path string) string { return filepath.Join(root, path) }
	type env map[string]string
	tests := []struct {
		name            string
		cwd             string
		env             env
		project, socket string
		managed         bool
	}{
		{"ancestor of the cwd", "a/b/c", nil, "a", "a/.tidepool/control.sock", true},
		{"no state anywhere", "bare", nil, "bare", "bare/.tidepool/control.sock", false},
		{"client's project first", "other", env{"CLAUDE_PROJECT_DIR": at("a/b")}, "a", "a/.tidepool/control.sock", true},
		{"client's project has no state, the cwd has", "other", env{"CLAUDE_PROJECT_DIR": at("bare")}, "other", "other/.tidepool/control.sock", true},
		{"neither has state", "bare", env{"CLAUDE_PROJECT_DIR": root}, ".", ".tidepool/control.sock", false},
		{"named project", "a", env{"TIDEPOOL_PROJECT_DIR": at("bare")}, "bare", "bare/.tidepool/control.sock", true},
		{"named relative project", "a", env{"TIDEPOOL_PROJECT_DIR": "../bare"}, "bare", "bare/.tidepool/control.sock", true},
		{"named socket", "a/b", env{"TIDEPOOL_CONTROL_SOCKET": "x.sock"}, "a", "a/b/x.sock", true},
		{"empty variables", "a", env{"TIDEPOOL_CONTROL_SOCKET": "", "TIDEPOOL_PROJECT_DIR": "", "CLAUDE_PROJECT_DIR": ""}, "a", "a/.tidepool/control.sock", true},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got := Locate(func(key string) string { return test.env[key] }, at(test.cwd))
			want := Place{Project: at(test.project), Socket: at(test.socket), Managed: test.managed}
			if got != want {
				t.Errorf("got %+v\nwant %+v", got, want)
			}
		})
	}
}

// Linked worktrees belong to the project of their main checkout.
func TestLocateWorktrees(t *testing.T) {
	root := t.TempDir()
	at := func(path string) string { return filepath.Join(root, path) }
	for _, dir := range []string{
		"main/.git/worktrees/beside", "main/.git/modules/sub", "main/.tidepool", "main/sub", "beside/deep/er", "own/.tidepool", "own/deep",
		"main/.claude/worktrees/within/deep", "lone/.git/worktrees/w", "lonely/.tidepool", "lonely2", "bare.git/worktrees/b", "ofbare",
		"part/.git/worktrees/p", "part/app/.tidepool", "parted/app/src", "parted/lib",
	} {
		if err := os.MkdirAll(at(dir), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	for dir, private := range map[string]string{
		"beside": at("main/.git/worktrees/beside"), "own": "../main/.git/worktrees/own", "main/.claude/worktrees/within": at("main/.git/worktrees/within"),
		"main/sub": "../.git/modules/sub", "lonely": at("lone/.git/worktrees/w"), "lonely2": at("lone/.git/worktrees/w"),
		"ofbare": at("bare.git/worktrees/b"), "parted": at("part/.git/worktrees/p"),
	} {
		if err := os.WriteFile(filepath.Join(at(dir), ".git"), []byte("gitdir: "+private+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for cwd, want := range map[string]string{
		"main":                               "main",
		"main/sub":                           "main", // a submodule
		"main/.claude/worktrees/within/deep": "main",
		"beside":                             "main",
		"beside/deep/er":                     "main",
		"own/deep":                           "main",   // although it has a state of its own
		"lonely":                             "lonely", // the main checkout has none
		"lonely2":                            "",
		"ofbare":                             "",
		"parted/app/src":                     "part/app",
		"parted/lib":                         "",
	} {
		got := Locate(func(string) string { return "" }, at(cwd))
		if got.Managed != (want != "") || got.Managed && got.Project != at(want) {
			t.Errorf("%s: %+v, want %s", cwd, got, want)
		}
	}
}

// An explicit place wins over what git says.
func TestLocateNamedWorktree(t *testing.T) {
	root := t.TempDir()
	if err := os.WriteFile(filepath.Join(root, ".git"), []byte("gitdir: /elsewhere/.git/worktrees/w\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	named := func(key string) string { return map[string]string{"TIDEPOOL_PROJECT_DIR": root}[key] }
	if got := Locate(named, "/"); got.Project != root || !got.Managed {
		t.Errorf("got %+v", got)
	}
}

// What every hook pays. The second lstat of the project's directory is that for its .git.
//
//	go test -run '^$' -bench Locate ./protocol
func BenchmarkLocate(b *testing.B) {
	root := b.TempDir()
	for _, dir := range []string{".tidepool", ".git", "a/b/c"} {
		if err := os.MkdirAll(filepath.Join(root, dir), 0o700); err != nil {
			b.Fatal(err)
		}
	}
	for b.Loop() {
		Locate(func(string) string { return "" }, filepath.Join(root, "a", "b", "c"))
	}
}
