package main

import (
	"strings"
	"testing"

	"tidepool/controlserver/internal/page"
	"tidepool/protocol"
)

func TestDescribeServer(t *testing.T) {
	tests := []struct {
		name string
		row  protocol.LanguageServer
		want string
	}{
		{"ready", protocol.LanguageServer{Command: "gopls", State: "ready", PID: 7, MemoryBytes: 300 << 20, Completeness: "complete"}, "gopls ready, pid 7, 300 MB"},
		{"one project", protocol.LanguageServer{Command: "gopls", State: "ready", PID: 7, Trees: []string{"/p"}, Roots: []string{"/p"}}, "gopls ready, pid 7"},
		{"several", protocol.LanguageServer{Command: "gopls", State: "indexing", Done: 2, Total: 9, Completeness: "indexing", Trees: []string{"/p", "/w"}, Roots: []string{"/p/a", "/p/b", "/w/a"}},
			"gopls indexing, 2 of 9, 3 projects in 2 checkouts"},
		{"for drafts", protocol.LanguageServer{Command: "gopls", State: "ready", PID: 8, Drafts: true}, "gopls for drafts ready, pid 8"},
		{"idle", protocol.LanguageServer{Command: "clangd", State: "idle", Completeness: "indexing", Message: "clangd starts with the next question", Note: "stopped: nobody has asked for 30m0s"},
			"clangd idle: clangd starts with the next question; stopped: nobody has asked for 30m0s"},
		{"restarted", protocol.LanguageServer{Command: "tsserver", State: "ready", PID: 9, Restarts: 1, Note: "restarted: it occupied 5000 MB, more than the limit of 4096 MB"},
			"tsserver ready, pid 9, restarts: 1; restarted: it occupied 5000 MB, more than the limit of 4096 MB"},
	}
	for _, test := range tests {
		if got := describeServer(test.row); got != test.want {
			t.Errorf("%s:\ngot  %s\nwant %s", test.name, got, test.want)
		}
	}
}

func TestAnswersRow(t *testing.T) {
	for _, test := range []struct{ completeness, first, second, want string }{
		{"complete", "ready", "idle", "answers       complete"},
		{"indexing", "starting", "idle", "answers       indexing"},
		{"unknown", "idle", "idle", "answers       begin with the start of a language server: all are idle"},
	} {
		var out strings.Builder
		status := &protocol.StatusResponse{Completeness: test.completeness, LanguageServers: []protocol.LanguageServer{{State: test.first}, {State: test.second}}}
		printAnswers(page.New(&out), status)
		if got := strings.TrimSpace(out.String()); got != test.want {
			t.Errorf("%s beside %s:\ngot  %s\nwant %s", test.first, test.second, got, test.want)
		}
	}
}
