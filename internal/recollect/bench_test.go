package recollect

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"testing"

	"tidepool/internal/hook"
	"tidepool/internal/journal"
	"tidepool/internal/recall"
	"tidepool/internal/recall/memory"
	"tidepool/internal/scrub"
	"tidepool/protocol"
)

// BenchmarkSessionStart begins a session of a project with 200 earlier ones and 50 preferences.
func BenchmarkSessionStart(b *testing.B) {
	scrubber, err := scrub.New(scrub.Options{})
	if err != nil {
		b.Fatal(err)
	}
	project := memory.Project{Key: "0123456789abcdef", Name: "harbor", Path: b.TempDir()}
	store, err := recall.Open(b.Context(), recall.Options{Dir: filepath.Join(b.TempDir(), "data"), Project: project, Scrub: scrubber})
	if err != nil {
		b.Fatal(err)
	}
	for i := range 200 {
		store.Learn(memory.Draft{Kind: memory.Session, Session: fmt.Sprint("s", i), Content: fmt.Sprintf("Goal: repair pump%d of quay%d\nFiles: pump%d.go", i, i*7, i), Replaces: true})
		if i%4 == 0 {
			store.Learn(memory.Draft{Kind: memory.Preference, Trust: memory.Said, Content: fmt.Sprintf("Always check pump%d before crane%d.", i, i*3)})
		}
		if err := store.Flush(b.Context()); err != nil {
			b.Fatal(err)
		}
	}
	opened := &Opened{Store: store, Journal: journal.New(store.Database(), journal.Options{Project: project, Scrub: scrubber, Save: func(context.Context, memory.Draft) (string, error) { return "", nil }})}
	opener := NewOpener(func(context.Context) (*Opened, error) { return opened, nil })
	defer func() {
		if err := opener.Close(context.Background()); err != nil {
			b.Error(err)
		}
	}()
	c := New(Options{Opener: opener, Root: project.Path})
	router := hook.New(hook.Options{Parts: []hook.Part{{Name: "recall", Contributor: c}}})
	defer router.Close(context.Background())
	input := json.RawMessage(fmt.Sprintf(`{"hook_event_name":"SessionStart","cwd":%q,"session_id":"new","source":"startup"}`, project.Path))
	for b.Loop() {
		router.Hook(b.Context(), &protocol.HookEvent{Input: input})
	}
}
