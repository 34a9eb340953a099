package changes

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tidepool/internal/hook"
	"tidepool/protocol"
)

// noted are Files that remember.
type noted struct{ paths []string }

func (n *noted) FilesChanged(paths ...string) { n.paths = append(n.paths, paths...) }

func TestFilesChanged(t *testing.T) {
	tests := map[string]string{ // by input, recorded or written here: what is noted
		"PostToolUse.Edit":  "/home/dev/demo/made.txt",
		"PostToolUse.Write": "/home/dev/demo/made.txt",
		"PostToolUse.Bash":  "/home/dev/demo/src",
		"FileChanged":       "/home/dev/demo/watched.txt",
		"PostToolUse.mcp":   "/home/dev/demo",
		"PreToolUse.Edit":   "",
		"SessionStart":      "/home/dev/demo",
		"CwdChanged":        "/home/dev/demo/src",
		"UserPromptSubmit":  "/home/dev/demo",
		"WorktreeCreate":    "/home/dev/p/wt",
		"Stop":              "",
		`{"hook_event_name":"PostToolUse","cwd":"/p","tool_name":"NotebookEdit","tool_input":{"notebook_path":"/p/a.ipynb"}}`: "/p/a.ipynb",
		`{"hook_event_name":"PostToolUse","cwd":"/p/q","tool_name":"Edit","tool_input":{"file_path":"../ü \"x\".go"}}`:        `/p/ü "x".go`,
		`{"hook_event_name":"PostToolUseFailure","cwd":"/p","tool_name":"Bash","tool_input":{"command":"make"},"error":"2"}`:  "/p",
		`{"hook_event_name":"PostToolUseFailure","cwd":"/p","tool_name":"Edit","tool_input":{"file_path":"/p/a.go"}}`:         "/p/a.go",
		`{"hook_event_name":"PostToolUse","cwd":"/p","tool_name":"MultiEdit","tool_response":{"filePath":"/q/a.go"}}`:         "/q/a.go",
		`{"hook_event_name":"PostToolUse","cwd":"/p","tool_name":"Edit","tool_input":"no object"}`:                            "/p",
		`{"hook_event_name":"PostToolUse","cwd":"/p","tool_name":"Read","tool_input":{"file_path":"/p/a.go"}}`:                "",
		`{"hook_event_name":"PostToolUse","cwd":"/p","tool_name":"mcp__tidepool__find_callers"}`:                              "",
		`{"hook_event_name":"WorktreeRemove","cwd":"/p","worktree_path":"/p/.claude/worktrees/x"}`:                            "/p/.claude/worktrees/x",
		`{"hook_event_name":"CwdChanged","cwd":"/p"}`:                                                                         "/p",
	}
	for name, want := range tests {
		input := json.RawMessage(name)
		if !strings.HasPrefix(name, "{") {
			data, err := os.ReadFile(filepath.Join("..", "..", "protocol", "testdata", "hooks", name+".json"))
			if err != nil {
				t.Fatal(err)
			}
			input = data
		}
		files := new(noted)
		h := hook.New(hook.Options{Parts: []hook.Part{{Name: "changes", Contributor: Contributor{files}, Conduct: hook.Inline}}})
		if got := h.Hook(t.Context(), &protocol.HookEvent{Input: input}); string(got.Output) != `{"continue":true}` {
			t.Errorf("%s: %s", name, got.Output)
		}
		if got := strings.Join(files.paths, " "); got != want {
			t.Errorf("%s: noted %q, want %q", name, got, want)
		}
	}
}
