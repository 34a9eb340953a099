package browser

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"tidepool/internal/conversation"
	"tidepool/internal/transcript/transcripttest"
)

// BenchmarkFirstKey is the time from the first key to the screen with its hits, over 10,000 turns whose index is in memory. The
// renderer adds at most a frame, 17 ms. The latest conversations are shown before.
func BenchmarkFirstKey(b *testing.B) {
	archive := filled(b, 10_000)
	if _, err := archive.Search(b.Context(), conversation.Query{Text: "warm"}); err != nil {
		b.Fatal(err)
	}
	options := Options{Scopes: []Scope{{"this project", func(context.Context) (Archive, error) { return archive, nil }}}}
	for b.Loop() {
		b.StopTimer()
		m := newModel(b.Context(), options, time.Now)
		m.Update(tea.WindowSizeMsg{Width: 120, Height: 40})
		play(m, m.Init())
		b.StartTimer()
		_, cmd := m.Update(tea.KeyPressMsg{Code: 'c', Text: "c"})
		play(m, cmd)
		if len(m.View().Content) == 0 || m.results.query != "c" {
			b.Fatalf("%+v", m.results)
		}
	}
}

// BenchmarkWord is the same for a key that completes a word.
func BenchmarkWord(b *testing.B) {
	archive := filled(b, 10_000)
	options := Options{Scopes: []Scope{{"this project", func(context.Context) (Archive, error) { return archive, nil }}}}
	m := newModel(b.Context(), options, time.Now)
	m.Update(tea.WindowSizeMsg{Width: 120, Height: 40})
	play(m, m.Init())
	for b.Loop() {
		m.line.SetValue("cach")
		m.line.CursorEnd()
		_, cmd := m.Update(tea.KeyPressMsg{Code: 'e', Text: "e"})
		play(m, cmd)
		if len(m.View().Content) == 0 {
			b.Fatal("nothing is shown")
		}
	}
	b.ReportMetric(float64(m.results.total), "matches")
}

// play runs commands and what follows from them.
func play(m *model, cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	switch msg := cmd().(type) {
	case nil:
	case tea.BatchMsg:
		for _, each := range msg {
			play(m, each)
		}
	default:
		_, next := m.Update(msg)
		play(m, next)
	}
}

// filled returns an archive of so many turns.
func filled(b *testing.B, turns int) *conversation.Archive {
	base, project := b.TempDir(), "/home/dev/shop"
	for session := range transcripttest.Archive(1, turns, project) {
		path := filepath.Join(base, "projects", filepath.FromSlash(session.Path))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			b.Fatal(err)
		}
		f, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY, 0o600)
		if err != nil {
			b.Fatal(err)
		}
		if _, err := transcripttest.Write(f, session.Seed, session.Options); err != nil {
			b.Fatal(err)
		}
		if err := f.Close(); err != nil {
			b.Fatal(err)
		}
	}
	archive, err := conversation.New(conversation.Options{
		Dir: filepath.Join(base, "state"), Project: project, Checkouts: func() []string { return []string{project} }, Home: base,
		Getenv: func(name string) string {
			return map[string]string{"CLAUDE_CONFIG_DIR": base, "CODEX_HOME": filepath.Join(base, "codex")}[name]
		},
	})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { archive.Close() })
	if err := archive.Keep().CatchUp(b.Context()); err != nil {
		b.Fatal(err)
	}
	return archive
}
