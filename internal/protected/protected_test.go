package protected

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestWrite(t *testing.T) {
	for path, want := range map[string]string{ // the beginning of the reason; "": it may be written
		"src/a.go": "", "Makefile": "", "a.git/config": "", "git/hooks/post-commit": "", ".github/workflows/ci.yml": "", ".env": "", "docs/.gitkeep": "",
		".git": "it belongs to git", ".git/hooks/post-commit": "it belongs to git", "vendor/x/.git/config": "it belongs to git", ".GIT/Hooks/x": "it belongs to git",
		".claude/settings.json": "it belongs to Claude", "sub/.claude/skills/x/SKILL.md": "it belongs to Claude", ".claude": "it belongs to Claude",
		".claude/worktrees": "it belongs to Claude", ".claude/worktrees/w": "it belongs to Claude", ".claude/worktrees/w/a.go": "",
		".claude/worktrees/w/.claude/settings.json": "it belongs to Claude", ".claude/worktrees/w/.git": "it belongs to git",
		".tidepool/config.json": "it belongs to the daemon", ".mcp.json": ".mcp.json is", ".vscode/tasks.json": ".vscode is", "web/.idea/x": ".idea is",
		".envrc": ".envrc is", "ops": "exec.protect", "ops/deploy.sh": "exec.protect", "opsx": "", "id_rsa": "it holds", "a/.netrc": "it holds",
	} {
		if got := Write(path, []string{"ops/"}); !strings.HasPrefix(got, want) || want == "" && got != "" {
			t.Errorf("Write(%q) = %q, want %q", path, got, want)
		}
	}
}

func TestRead(t *testing.T) {
	for path, want := range map[string]string{
		".env": "", ".npmrc": "", ".git/config": "", ".claude/settings.json": "", "credentials": "", "docker/config.json": "",
		".tidepool/audit.jsonl": "it belongs to the daemon", "w/.TIDEPOOL/x": "it belongs to the daemon", "ssh/ID_RSA": "it holds credentials", ".ssh/config": "it holds credentials",
		"home/.aws/credentials": "it holds credentials", ".docker/config.json": "it holds credentials", ".config/gh/hosts.yml": "it holds credentials",
	} {
		if got := Read(path); got != want {
			t.Errorf("Read(%q) = %q, want %q", path, got, want)
		}
	}
}

// Names are refused at any depth, in any case of letters, with all that is below.
func TestNamesAreRefused(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		path := rapid.SampledFrom(Names()).Draw(t, "name")
		if rapid.Bool().Draw(t, "upper") {
			path = strings.ToUpper(path)
		}
		if rapid.Bool().Draw(t, "deep") {
			path = "some/dir/" + path
		}
		if rapid.Bool().Draw(t, "below") {
			path += "/" + rapid.StringMatching(`[a-z]{1,8}`).Draw(t, "below it")
		}
		if Write(path, nil) == "" {
			t.Fatalf("%q may be written", path)
		}
	})
}
