package lsp

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"tidepool/lsp/internal/clang"
	"tidepool/lsp/internal/draft"
	"tidepool/lsp/internal/haskell"
	"tidepool/lsp/internal/python"
	"tidepool/lsp/internal/rust"
	"tidepool/lsp/internal/session"
	"tidepool/lsp/internal/workspace"
)

// signal sends one to the server of a draft.
func signal(t testing.TB, d *Draft, which syscall.Signal) {
	t.Helper()
	if err := syscall.Kill(d.server.Living().PID(), which); err != nil {
		t.Fatal(err)
	}
}

// trying has a Try under way that gets no answer, because the server is held.
func trying(t testing.TB, ctx context.Context, d *Draft, edit Edit) <-chan error {
	t.Helper()
	signal(t, d, syscall.SIGSTOP)
	done := make(chan error, 1)
	go func() {
		_, err := d.Try(ctx, []Edit{edit})
		done <- err
	}()
	live := d.server.Living()
	eventually(t, "the server is shown the change", func() bool { return live.Progress.Overlaid() })
	return done
}

// draftCancelled hangs up while the server is held.
func draftCancelled(t *testing.T, s trial, p *Project, dir string) {
	d := drafting(t, p)
	ctx, cancel := context.WithCancel(t.Context())
	parameter := replaced(t, dir, s.declares, s.parameter[0], s.parameter[1])
	done := trying(t, ctx, d, parameter)
	live := d.server.Living()
	cancel()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	if live.Progress.Overlaid() {
		t.Error("still shown")
	}
	signal(t, d, syscall.SIGCONT)
	if got := try(t, d); len(got) > 0 {
		t.Errorf("nothing tried: %q", got)
	}
	if got := try(t, d, parameter); !cmp.Equal(got, []string{s.broken}) {
		t.Errorf("tried again: %q", got)
	}
}

// draftKilled kills the server while there is a Try.
func draftKilled(t *testing.T, s trial, p *Project, dir string) {
	d := drafting(t, p)
	parameter := replaced(t, dir, s.declares, s.parameter[0], s.parameter[1])
	try(t, d, replaced(t, dir, s.old, s.first[0], s.first[1]))
	done := trying(t, t.Context(), d, parameter)
	signal(t, d, syscall.SIGKILL)
	var exit *session.ExitError
	if err := <-done; !errors.As(err, &exit) || exit.Cause == "" || hint(err) == "" {
		t.Errorf("error %v", err)
	}
	if got := try(t, d, parameter); !cmp.Equal(got, []string{s.unused, s.broken}) {
		t.Errorf("tried again, on top of what was tried before: %q", got)
	}
}

// TestDraftQueue has a second caller wait for the first.
func TestDraftQueue(t *testing.T) {
	p, _ := project(t, shopAndTill)
	first := drafting(t, p)
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if _, err := view(t, p).Draft(ctx, "go"); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("while there is another: %v", err)
	}
	second := make(chan error, 1)
	go func() {
		d, err := view(t, p).Draft(t.Context(), "go")
		if err == nil {
			d.Close()
		}
		second <- err
	}()
	select {
	case err := <-second:
		t.Fatalf("the second did not wait: %v", err)
	case <-time.After(50 * time.Millisecond):
	}
	first.Close()
	first.Close() // is nothing
	if err := <-second; err != nil {
		t.Error(err)
	}
}

// draftDisk changes files while there is a draft of others: what is wrong with them is not new.
func draftDisk(t *testing.T, s trial, p *Project, dir string) {
	d := drafting(t, p)
	parameter := replaced(t, dir, s.declares, s.parameter[0], s.parameter[1])
	try(t, d, parameter)
	old, declares := filepath.Join(dir, s.old), filepath.Join(dir, s.declares)
	put(t, old, s.first[1]+strings.TrimPrefix(readAll(t, old), s.first[0]))
	if got := try(t, d); !cmp.Equal(got, []string{s.broken}) {
		t.Errorf("with another error on the disk: %q", got)
	}
	if d.Sees(s.old) || !d.Sees(s.calls) {
		t.Error("a file with errors is said to be seen, or one without is not")
	}
	put(t, declares, readAll(t, declares)+"\n")
	var refused *draft.EditError
	if _, err := d.Try(t.Context(), nil); !errors.As(err, &refused) || hint(err) == "" {
		t.Errorf("with another text below the edits: %v", err)
	}
}

func readAll(t testing.TB, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func TestNoDraft(t *testing.T) {
	p, dir := project(t, shopAndTill)
	v := view(t, p)
	cases := map[string]error{}
	_, cases["a language that is not there"] = v.Draft(t.Context(), "cobol")
	d := drafting(t, p)
	for name, edit := range map[string]Edit{
		"a file of no language": {Path: "README.md"},
		"a file elsewhere":      {Path: filepath.Join(filepath.Dir(dir), "else.go")},
		"a file that is gone":   {Path: "gone.go"},
		"beyond the end":        {Path: "old/old.go", Start: 1, End: 1000},
		"backwards":             {Path: "old/old.go", Start: 3, End: 1},
	} {
		_, cases[name] = d.Try(t.Context(), []Edit{edit})
	}
	for name, err := range cases {
		if err == nil || hint(err) == "" && !errors.Is(err, os.ErrNotExist) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, language := range []Language{python.Language(), clang.Language(), rust.Language(), haskell.Language()} {
		if language.Drafting != nil {
			continue
		}
		other := newView(p, p.workspace.Main, []*workspace.Server{workspace.NewServer(p.workspace, &language, p.workspace.Main)}, 0, nil)
		if _, err := other.Draft(t.Context(), language.ID); err == nil || hint(err) == "" {
			t.Errorf("%s: %v", language.ID, err)
		}
	}
}

// TestDraftInNoTime has a View whose budget is spent: a server that has to start is not waited for, one that must only
// hear of changes is.
func TestDraftInNoTime(t *testing.T) {
	p, dir := project(t, shopAndTill)
	none, err := p.View(t.Context(), ViewOptions{Budget: -1})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := none.Draft(t.Context(), "go"); err == nil || hint(err) == "" {
		t.Errorf("with no server: %v", err)
	}
	drafting(t, p).Close()
	put(t, filepath.Join(dir, "old", "old.go"), "package old\n")
	spent := view(t, p)
	spent.deadline = time.Now()
	d, err := spent.Draft(t.Context(), "go")
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	if got := try(t, d, replaced(t, dir, "price/price.go", "item string", "item string, tax int")); len(got) != 1 {
		t.Errorf("errors %q", got)
	}
}
