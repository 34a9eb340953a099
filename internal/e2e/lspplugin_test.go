package e2e

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tidepool/lsp"
)

// A pluginServer is what .lsp.json says of one language server. Claude Code 2.1 knows more members, and drops the whole
// server without a word for some of them: restartOnCrash, startupTimeout, shutdownTimeout.
type pluginServer struct {
	Command   string            `json:"command"`
	Args      []string          `json:"args"`
	Languages map[string]string `json:"extensionToLanguage"`
}

func pluginServers(t *testing.T, path string) map[string]pluginServer {
	t.Helper()
	file, err := os.Open(path)
	must(t, err)
	defer file.Close()
	decoder := json.NewDecoder(file)
	decoder.DisallowUnknownFields()
	servers := map[string]pluginServer{}
	if err := decoder.Decode(&servers); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return servers
}

// Both plugins bring the same language servers, which serve the files that the daemon serves.
func TestPluginsServeLanguages(t *testing.T) {
	want := map[string]pluginServer{}
	for _, language := range lsp.Languages() {
		if !slices.Contains([]string{"go", "typescript", "python", "c"}, language.ID) {
			continue // Claude Code would offer servers that hardly anybody has
		}
		server := pluginServer{"agent", []string{"lsp", language.ID}, map[string]string{}}
		for _, ext := range language.Extensions {
			server.Languages[ext] = language.ID
			if language.LanguageID != nil {
				server.Languages[ext] = language.LanguageID("file" + ext)
			}
		}
		want[language.ID] = server
	}
	for path, program := range map[string]string{
		"plugin/.lsp.json":     "${CLAUDE_PLUGIN_ROOT}/bin/agent",
		"plugin/lsp/.lsp.json": "${CLAUDE_PLUGIN_ROOT}/../bin/agent",
	} {
		got := pluginServers(t, path)
		for id, server := range got {
			server.Command = strings.Replace(server.Command, program, "agent", 1)
			got[id] = server
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-the daemon serves +it says):\n%s", path, diff)
		}
	}
}
