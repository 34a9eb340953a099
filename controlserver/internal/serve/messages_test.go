package serve

import (
	"context"
	"testing"
	"testing/synctest"

	"tidepool/internal/activity"
	"tidepool/lsp"
	"tidepool/protocol"
)

// TestMessages: a client that attaches gets the present faults of the settings, and then the events of the language servers.
func TestMessages(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		log := new(activity.Messages)
		note := noteServers(log)
		note(lsp.Event{Language: "go", Ended: true, What: "ended before"})
		m := &messages{log, func() *protocol.SettingsState {
			return &protocol.SettingsState{Ignored: []string{"config.json:3: bad"}, Refused: []string{"config.json:4: languages is refused"}}
		}}
		ctx, cancel := context.WithCancel(t.Context())
		var got []protocol.LogMessage
		go m.Follow(ctx, func(l *protocol.LogMessage) { got = append(got, *l) })
		synctest.Wait()
		note(lsp.Event{Language: "go", Ended: true, What: "ended by itself"})
		note(lsp.Event{Language: "go", Ended: true, GaveUp: true, What: "is given up"})
		note(lsp.Event{Language: "go", What: "started again"})
		synctest.Wait()
		cancel()
		synctest.Wait()
		want := []protocol.LogMessage{
			{Level: "warning", Logger: "settings", Text: "newer settings are ignored: config.json:3: bad"},
			{Level: "warning", Logger: "settings", Text: "config.json:4: languages is refused"},
			{Level: "warning", Logger: "language server", Text: "go: ended by itself"},
			{Level: "error", Logger: "language server", Text: "go: is given up"},
			{Level: "notice", Logger: "language server", Text: "go: started again"},
		}
		if len(got) != len(want) {
			t.Fatalf("got %+v", got)
		}
		for i := range want {
			if got[i] != want[i] {
				t.Errorf("got %+v, want %+v", got[i], want[i])
			}
		}
	})
}
