//go:build team

package e2e

import (
	"os/user"
	"strings"
	"testing"

	"tidepool/internal/daemontest"
	"tidepool/internal/recall/team/teamtest"
	"tidepool/protocol"
)

// What one user's daemon saves for the team, another's finds, on another machine as far as they know. When the server ends, its memories are
// missing, and each answer says so.
func TestTeamsMemories(t *testing.T) {
	server, err := teamtest.Start()
	must(t, err)
	running := true
	stop := func() {
		if running {
			running = false
			must(t, server.Stop())
		}
	}
	t.Cleanup(stop)
	member := func() *rememberer {
		r := newRememberer(t, t.TempDir())
		r.env = append(r.env, "TIDEPOOL_RECALL_TEAM="+server.URL(teamtest.Superuser, "postgres"))
		must(t, r.start())
		return r
	}
	call := func(r *rememberer, tool string, arguments map[string]any) *protocol.MCPToolResponse {
		t.Helper()
		answer, err := r.call(t.Context(), tool, arguments)
		must(t, err)
		return answer
	}
	maria, jo := member(), member()
	saved := call(maria, "memory_save", map[string]any{"content": "The staging gateway drops idle connections after a minute.", "kind": "fix", "scope": "team"})
	if saved.Error != nil || !strings.Contains(string(saved.Result), `"id":"team_`) {
		t.Fatalf("%+v", saved)
	}
	if own := call(jo, "memory_save", map[string]any{"content": "Our gateway listens on 8443."}); own.Error != nil {
		t.Fatalf("%+v", own)
	}
	me, err := user.Current()
	must(t, err)
	found := call(jo, "memory_recall", map[string]any{"query": "why does the staging gateway drop connections"})
	if found.Error != nil || !strings.Contains(found.Text, "[From project: ") || !strings.Contains(found.Text, "saved by "+me.Username+" as postgres") || !strings.Contains(found.Text, "8443") {
		t.Errorf("%+v", found)
	}
	stop()
	daemontest.Eventually(t, "the answer says that the team's memories are missing", func() bool {
		found = call(jo, "memory_recall", map[string]any{"query": "why does the staging gateway drop connections"})
		return strings.Contains(string(found.Result), "the team's database postgres on this machine does not answer")
	})
	if found.Error != nil || !strings.Contains(found.Text, "8443") || strings.Contains(found.Text, "idle") {
		t.Errorf("%+v", found)
	}
	if lost := call(maria, "memory_save", map[string]any{"content": "x y", "scope": "team"}); lost.Error == nil || !strings.Contains(lost.Error.Message, "does not answer") {
		t.Errorf("%+v", lost)
	}
	if status := end(t, jo.command(t.Context(), "agent", "status")); !strings.Contains(status.stdout, "team's memories") {
		t.Errorf("%s", status.stdout)
	}
}
