package serve

import (
	"context"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"tidepool/internal/activity"
	"tidepool/internal/ask"
	"tidepool/internal/hook"
	"tidepool/protocol"
)

// TestFeedTellsWhatChanges follows questions, activity and language servers.
func TestFeedTellsWhatChanges(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		board, err := ask.OpenStore("")
		if err != nil {
			t.Fatal(err)
		}
		var mu sync.Mutex
		state := "starting"
		f := &feed{questionStore: board, log: new(activity.Log), languages: func() []protocol.LanguageServer {
			mu.Lock()
			defer mu.Unlock()
			return []protocol.LanguageServer{{Language: "go", State: state, MemoryBytes: time.Now().UnixNano()}}
		}}
		ctx, cancel := context.WithCancel(t.Context())
		told := make(chan *protocol.Happening, 100)
		var following sync.WaitGroup
		following.Go(func() { f.Follow(ctx, func(h *protocol.Happening) { told <- h }) })
		if h := <-told; len(h.Languages) != 1 || h.Languages[0].State != "starting" {
			t.Errorf("at first: %+v", h)
		}
		noteHook(f.log)(hook.Outcome{Time: time.Now(), Event: "PreToolUse", Tool: "Bash", Verdict: hook.Verdict{Decision: "deny"}})
		if h := <-told; len(h.Activity) != 1 || h.Activity[0].Detail != "Bash deny" || h.Languages != nil {
			t.Errorf("a hook: %+v", h)
		}
		mu.Lock()
		state = "ready"
		mu.Unlock()
		if h := <-told; len(h.Languages) != 1 || h.Languages[0].State != "ready" || len(h.Activity) != 0 {
			t.Errorf("a language server: %+v", h)
		}
		time.Sleep(time.Hour) // nothing happens
		if len(told) != 0 {
			t.Errorf("%d news of nothing", len(told))
		}
		var asking sync.WaitGroup
		asking.Go(func() { board.Ask(ctx, protocol.Question{Text: "?", Free: true}, nil) })
		if h := <-told; len(h.Questions) != 1 {
			t.Errorf("a question: %+v", h)
		}
		cancel()
		following.Wait()
		asking.Wait()
	})
}
