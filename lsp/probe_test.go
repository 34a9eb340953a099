package lsp

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"tidepool/lsp/internal/session"
	"tidepool/lsp/lsptest"
)

// A held probe ends when the test says so, with what the test says.
type held struct {
	began chan int   // how many sources there are
	ends  chan error // the result
}

func newHeld() held { return held{began: make(chan int), ends: make(chan error)} }

func (h held) probe(ctx context.Context, s *session.Session) (session.Coverage, error) {
	select {
	case h.began <- len(s.Host.Sources()):
	case <-ctx.Done():
		return session.Coverage{}, ctx.Err()
	}
	covered := session.Coverage{Outside: func(path string) string {
		if filepath.Base(path) == "apart.toy" {
			return "stands apart"
		}
		return ""
	}, Unknown: func(path string) bool { return filepath.Base(path) == "apart.toy" }}
	select {
	case err := <-h.ends:
		return covered, err
	case <-ctx.Done():
		return covered, ctx.Err()
	}
}

// probed is a project whose language is asked what it knows.
func probed(t *testing.T) (held, *Project, string) {
	dir, h := t.TempDir(), newHeld()
	write(t, dir, "-- toy.mod --\n-- main.toy --\ndef Alpha\nuse Alpha\n")
	long := time.Now().Add(-time.Hour) // what has just been written may change again without showing
	for _, name := range []string{"toy.mod", "main.toy", "."} {
		if err := os.Chtimes(filepath.Join(dir, name), long, long); err != nil {
			t.Fatal(err)
		}
	}
	language := toy(lsptest.Mute)
	language.LoadTitle, language.CheckTitle, language.Probe = "", "", h.probe
	return h, open(t, dir, language), dir
}

func TestProbeIsWhatReadyMeans(t *testing.T) {
	t.Parallel()
	h, p, _ := probed(t)
	<-h.began
	if c := p.Completeness(); c.State != Indexing {
		t.Errorf("while the probe runs: %+v, want indexing", c)
	}
	h.ends <- nil
	if err := p.WaitReady(t.Context()); err != nil {
		t.Fatal(err)
	}
	if c := p.Completeness(); c.State != Complete {
		t.Errorf("after the probe: %+v, want complete", c)
	}
}

// A file that the server had not when it was asked was gone for that moment only: its next change has the server asked again.
func TestChangeOfWhatTheServerHadNot(t *testing.T) {
	t.Parallel()
	h, p, dir := probed(t)
	<-h.began
	write(t, dir, "-- apart.toy --\nuse Alpha\n")
	p.FilesChanged(dir)
	h.ends <- nil
	<-h.began // for a file more
	h.ends <- nil
	if err := p.WaitReady(t.Context()); err != nil {
		t.Fatal(err)
	}
	long := time.Now().Add(-time.Hour) // from a directory that has just changed, files may have gone and come back
	if err := os.Chtimes(dir, long, long); err != nil {
		t.Fatal(err)
	}
	if err := p.WaitReady(t.Context()); err != nil {
		t.Fatal(err)
	}
	write(t, dir, "-- main.toy --\ndef Alpha\nuse Alpha\nuse Alpha\n")
	p.FilesChanged(dir)
	if err := p.WaitReady(t.Context()); err != nil { // which a probe that nobody ends would hold up
		t.Fatal(err)
	}
	write(t, dir, "-- apart.toy --\nuse Alpha\nuse Alpha\n")
	p.FilesChanged(dir)
	<-h.began
	h.ends <- nil
}

// TestFileIsGoneDuringTheProbe removes a file and writes it again while the server is asked what it knows. The server is asked once more: it
// may have listed the files in between.
func TestFileIsGoneDuringTheProbe(t *testing.T) {
	t.Parallel()
	h, p, dir := probed(t)
	<-h.began
	if err := os.Remove(filepath.Join(dir, "main.toy")); err != nil {
		t.Fatal(err)
	}
	write(t, dir, "-- main.toy --\ndef Alpha\nuse Alpha\n")
	h.ends <- nil
	ready := make(chan error, 1)
	go func() { ready <- p.WaitReady(t.Context()) }()
	for probes := 0; ; probes++ {
		select {
		case <-h.began:
			h.ends <- nil
		case err := <-ready:
			if probes == 0 || err != nil {
				t.Errorf("ready when it had been asked again %d times: %v", probes, err)
			}
			return
		}
	}
}

func TestProbeThatFailsMakesAnswersPartial(t *testing.T) {
	t.Parallel()
	h, p, _ := probed(t)
	<-h.began
	h.ends <- errors.New("no project\nhere")
	if err := p.WaitReady(t.Context()); err != nil {
		t.Fatal(err)
	}
	if c := p.Completeness(); c.State != Partial || !strings.Contains(c.Reason, "no project here") {
		t.Errorf("got %+v, want partial with the reason", c)
	}
}

func TestProbeRunsAgainAfterStructuralChangesOnly(t *testing.T) {
	t.Parallel()
	h, p, dir := probed(t)
	<-h.began
	h.ends <- nil
	if err := p.WaitReady(t.Context()); err != nil {
		t.Fatal(err)
	}
	put(t, filepath.Join(dir, "main.toy"), "def Alpha\nuse Alpha\nuse Alpha\n")
	p.workspace.Main.Sync()
	p.workspace.Servers()[0].FlushOrStart()
	if c := p.Completeness(); c.State != Complete {
		t.Errorf("after a change of a file: %+v, want complete", c)
	}
	put(t, filepath.Join(dir, "more.toy"), "use Alpha\n")
	p.FilesChanged()
	if n := <-h.began; n != 2 {
		t.Errorf("the probe after a new file saw %d sources, want 2", n)
	}
	if c := p.Completeness(); c.State != Indexing {
		t.Errorf("while the second probe runs: %+v, want indexing", c)
	}
	h.ends <- nil
}

func TestProbeSaysWhatIsOutside(t *testing.T) {
	t.Parallel()
	h, p, dir := probed(t)
	put(t, filepath.Join(dir, "apart.toy"), "use Alpha\n")
	p.FilesChanged()
	go func() {
		for range h.began {
			h.ends <- nil
		}
	}()
	defer close(h.began)
	v := view(t, p)
	if _, err := v.Symbols(t.Context(), "Alpha"); err != nil {
		t.Fatal(err)
	}
	if c := v.Completeness(); c.State != Partial || !strings.Contains(c.Reason, "apart.toy mentions Alpha but stands apart") {
		t.Errorf("got %+v, want partial because of apart.toy", c)
	}
}
