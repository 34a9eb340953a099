package e2e

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"tidepool/internal/daemontest"
	"tidepool/protocol"
)

// A project that is moved takes its socket along, behind which the daemon of the old place still listens for a moment. The
// session that begins in the new place gets a daemon of that place at once, by hook and by MCP, and keeps it. Over MCP the
// list of tools is empty while the daemon takes more than a second to start.
func TestProjectThatMoved(t *testing.T) {
	for name, begin := range map[string]func(h *home){
		"hook": func(h *home) {
			if said := h.begin(); said != "" {
				t.Errorf("the hook says %s", said)
			}
		},
		"mcp": func(h *home) {
			for limit := time.Now().Add(time.Minute); ; {
				mcp := h.program("agent", "mcp")
				mcp.Stdin = strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"tools/list"}` + "\n")
				out, err := mcp.Output()
				if err == nil && strings.Contains(string(out), "find_callers") {
					return
				}
				if notStarted := `"tools":[]`; err != nil || !strings.Contains(string(out), notStarted) || time.Now().After(limit) {
					t.Errorf("mcp says %s, %v", out, err)
					return
				}
			}
		},
	} {
		for _, started := range []string{"by a session", "by hand"} {
			t.Run(name+" "+started, func(t *testing.T) {
				h := newHome(t)
				h.dir = filepath.Join(h.dir, "project") // what is moved must not be the test's own directory
				must(t, os.MkdirAll(filepath.Join(h.dir, ".tidepool"), 0o700))
				if started == "by hand" {
					daemontest.Start(t, h.program("controlserver", "serve"), h.dir)
				} else if said := h.begin(); said != "" {
					t.Fatal(said)
				}
				first := h.owner()
				old := h.dir
				h.dir += " moved"
				must(t, os.Rename(old, h.dir))
				begin(h)
				second := h.owner()
				if second == first || second == 0 {
					t.Fatalf("the daemon was %d and is %d", first, second)
				}
				for limit := time.Now().Add(30 * time.Second); syscall.Kill(first, 0) == nil && started == "by a session"; time.Sleep(10 * time.Millisecond) {
					if time.Now().After(limit) {
						t.Fatal("the daemon of the old place does not leave")
					}
				}
				var status protocol.StatusResponse
				out, err := h.program("agent", "status", "--json").Output()
				must(t, err)
				must(t, json.Unmarshal(out, &status))
				if status.PID != second || status.Project != h.dir {
					t.Errorf("pid %d serves %s, want %d and %s", status.PID, status.Project, second, h.dir)
				}
			})
		}
	}
}
