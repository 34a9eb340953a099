package bareserver_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"tidepool/internal/bareserver"
	"tidepool/internal/sample"
	"tidepool/lsp"
	"tidepool/lsp/lsptest"
)

// patience bounds what a server takes on a busy machine.
const patience = 5 * time.Minute

// start runs the server of a project and waits until it is ready.
func start(t *testing.T, p *sample.Project, sources ...string) (s *bareserver.Server, dir string) {
	t.Helper()
	dir = t.TempDir()
	if err := p.Write(dir); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	t.Cleanup(cancel)
	s, err := bareserver.Start(ctx, languageOf(t, p.Language), dir, append(os.Environ(), "GOWORK=off"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Stop)
	for i := range sources {
		sources[i] = filepath.Join(dir, sources[i])
	}
	if err := s.Ready(ctx, sources...); err != nil {
		t.Fatal(err)
	}
	return s, dir
}

func languageOf(t *testing.T, id string) lsp.Language {
	t.Helper()
	for _, language := range lsp.Languages() {
		if language.ID == id {
			language.Command[0] = lsptest.Program(t, language.Command[0])
			return language
		}
	}
	t.Fatalf("no language %s", id)
	return lsp.Language{}
}

// Each server answers what the sample says is true of its project, and after an edit what is true then.
func TestServers(t *testing.T) {
	for _, test := range []struct {
		project *sample.Project
		sources []string
	}{
		{sample.Go(2 * sample.Hubs), nil},
		{sample.TypeScript(2 * sample.Hubs), nil},
		{sample.Python(2 * sample.Hubs), nil},
		{sample.C(2 * sample.Hubs), []string{"src/hub.c"}},
	} {
		t.Run(test.project.Language, func(t *testing.T) {
			p := test.project
			name := p.Functions()[0]
			path, line, column := p.Declaration(name)
			s, dir := start(t, p, append(test.sources, path)...)
			at := lsp.At(filepath.Join(dir, path), line, column)
			ctx, cancel := context.WithTimeout(t.Context(), patience)
			defer cancel()
			if err := s.KeepOpen(ctx, at.Path); err != nil {
				t.Fatal(err)
			}
			if n, err := s.Symbols(ctx, name); err != nil || n == 0 {
				t.Fatalf("%d symbols, %v", n, err)
			}
			before, err := s.References(ctx, at)
			if err != nil || len(before) < len(p.Callers[name]) {
				t.Fatalf("%d references, %v; there are %d calls", len(before), err, len(p.Callers[name]))
			}
			edited, text, _ := p.Repeat(name, 3)
			if err := s.Change(ctx, edited, text); err != nil {
				t.Fatal(err)
			}
			await(ctx, t, s, at, len(before)+2)
			_, text, _ = p.Repeat(name, 1)
			if err := s.Change(ctx, edited, text); err != nil {
				t.Fatal(err)
			}
			await(ctx, t, s, at, len(before))
			if err := s.Close(ctx, edited); err != nil {
				t.Fatal(err)
			}
			await(ctx, t, s, at, len(before))
		})
	}
}

// await asks until the server counts so many references: clangd answers from what it had before until it has compiled.
func await(ctx context.Context, t *testing.T, s *bareserver.Server, at lsp.Location, want int) {
	t.Helper()
	if err := s.Settled(ctx); err != nil {
		t.Fatal(err)
	}
	for {
		found, err := s.References(ctx, at)
		if err != nil {
			t.Fatalf("%d references, %v; want %d", len(found), err, want)
		}
		if len(found) == want {
			return
		}
	}
}

// A server that is not ready in time is an error, not a wait for ever.
func TestReadyEndsWithItsContext(t *testing.T) {
	p := sample.Go(1)
	dir := t.TempDir()
	if err := p.Write(dir); err != nil {
		t.Fatal(err)
	}
	s, err := bareserver.Start(t.Context(), languageOf(t, "go"), dir, os.Environ())
	if err != nil {
		t.Fatal(err)
	}
	defer s.Stop()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := s.Ready(ctx); err == nil {
		t.Error("a server is ready before it was waited for")
	}
}
