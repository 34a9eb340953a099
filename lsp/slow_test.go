package lsp

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"go.lsp.dev/protocol"

	"tidepool/lsp/internal/workspace"
	"tidepool/lsp/lsptest"
)

// slowProject is a project of a toy that leaves requests of a method unanswered, and of Go beside it. Both are ready.
func slowProject(t *testing.T, method string, answer, grace time.Duration) (*Project, string) {
	t.Helper()
	dir := t.TempDir()
	write(t, dir, "-- toy.mod --\n-- main.toy --\ndef Alpha\nuse Alpha\n"+
		"-- go.mod --\nmodule example.com/slow\n\ngo 1.26\n-- main.go --\npackage main\n\nfunc Alpha() {}\n\nfunc main() { Alpha() }\n")
	p := openWith(t, Options{
		Root: dir, Languages: []Language{toy(lsptest.HangsOn(method)), gopls(t)}, Env: environment("GOWORK=off"),
		answer: answer, grace: grace,
	})
	if err := p.WaitReady(t.Context()); err != nil {
		t.Fatal(err)
	}
	return p, dir
}

// impatient is a View that waits for nothing.
func impatient(t *testing.T, p *Project) *View {
	t.Helper()
	v, err := p.View(t.Context(), ViewOptions{Budget: -1})
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// While a server that is ready takes too long for one answer it gives others, as do other servers. Then the call ends
// with the reason, and the server has been told to stop.
func TestReadyButSlow(t *testing.T) {
	const answer = 500 * time.Millisecond
	p, dir := slowProject(t, protocol.MethodTextDocumentHover, answer, 0)
	at := At(filepath.Join(dir, "main.toy"), 1, 5)
	v, slow := impatient(t, p), make(chan error, 1)
	started := time.Now()
	go func() {
		_, err := v.Hover(context.WithoutCancel(t.Context()), at)
		slow <- err
	}()
	for _, at := range []Location{at, At(filepath.Join(dir, "main.go"), 3, 6)} {
		if found, err := impatient(t, p).References(t.Context(), at, false); err != nil || len(found) != 1 {
			t.Errorf("%s: %v, %v", at.Path, found, err)
		}
	}
	err := <-slow
	var late *SlowError
	if !errors.As(err, &late) || late.After != answer || !errors.Is(err, context.DeadlineExceeded) || time.Since(started) < answer {
		t.Errorf("after %v: %v", time.Since(started), err)
	}
	if text := err.Error(); !strings.HasSuffix(text, "did not answer textDocument/hover in time: no answer within 500ms") || hint(err) == "" {
		t.Errorf("error %s, hint %q", text, hint(err))
	}
	eventually(t, "the server says that it was cancelled", func() bool { return p.Status()[0].Message == "cancelled" })
}

// A call that ends sooner than the time for an answer still has time for one.
func TestSlowInAShortCall(t *testing.T) {
	p, dir := slowProject(t, protocol.MethodTextDocumentHover, 0, 0)
	ctx, cancel := context.WithTimeout(t.Context(), time.Second)
	defer cancel()
	_, err := impatient(t, p).Hover(ctx, At(filepath.Join(dir, "main.toy"), 1, 5))
	var late *SlowError
	if !errors.As(err, &late) || ctx.Err() != nil {
		t.Errorf("%v, %v", err, ctx.Err())
	}
	// Who is ready to wait longer for servers to know the project waits longer for answers, too.
	if v, err := p.View(t.Context(), ViewOptions{Budget: 2 * time.Minute}); err != nil || v.allowed(t.Context()) < 2*time.Minute {
		t.Errorf("%v, %v", v.allowed(t.Context()), err)
	}
}

// A strict budget bounds the answers of servers that know the project together.
func TestSlowBeyondAStrictBudget(t *testing.T) {
	p, dir := slowProject(t, protocol.MethodTextDocumentHover, time.Hour, time.Hour)
	const budget = time.Second
	started := time.Now()
	v := newView(p, p.workspace.Main, p.workspace.Main.Wanted(), budget, nil)
	v.holdAll()
	_, err := v.Hover(t.Context(), At(filepath.Join(dir, "main.toy"), 1, 5))
	var late *SlowError
	if took := time.Since(started); !errors.As(err, &late) || took < budget {
		t.Errorf("after %v: %v", took, err)
	}
	if got := v.allowed(t.Context()); got > 0 {
		t.Errorf("when the time is over another answer has %v", got)
	}
	for strict, want := range map[bool]time.Duration{false: time.Hour, true: p.budget + p.budget/10} {
		v, err := p.View(t.Context(), ViewOptions{Strict: strict})
		if err != nil {
			t.Fatal(err)
		}
		if got := v.allowed(t.Context()); got < p.budget || got > want || !strict && got < want {
			t.Errorf("strict %t: an answer has %v", strict, got)
		}
		if less := v.overtime < overtimeOf(p.budget, p.grace); less != strict {
			t.Errorf("strict %t: servers have %v beyond the budget", strict, v.overtime)
		}
	}
}

// Who asks by name gets what the others know if one of them has it, and reads that one is missing.
func TestNameBesideASlowServer(t *testing.T) {
	p, _ := slowProject(t, protocol.MethodWorkspaceSymbol, time.Hour, 100*time.Millisecond)
	v := impatient(t, p)
	found, err := v.Symbols(t.Context(), "Alpha")
	if err != nil || len(found) != 1 || found[0].Language != "go" {
		t.Fatalf("%+v, %v", found, err)
	}
	if c := v.Completeness(); c.State != Partial || !strings.Contains(c.Reason, "did not answer workspace/symbol in time: no answer within 1") {
		t.Errorf("%+v", c)
	}
}

// A server that knows the project a moment after the wait for it was over has no longer for its answers than one that does not: the
// answer says that it is not complete in any case.
func TestSlowOnceWaitedForInVain(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "-- toy.mod --\n-- main.toy --\ndef Alpha\nuse Alpha\n")
	p := openWith(t, Options{
		Root: dir, Languages: []Language{toy(lsptest.HoldsCheck, lsptest.HangsOn(protocol.MethodTextDocumentHover))},
		Env: environment(), answer: time.Hour, grace: time.Hour,
	})
	view(t, p)
	put(t, filepath.Join(dir, "more.toy"), "use Alpha\n")
	v, err := p.View(t.Context(), ViewOptions{})
	if err != nil {
		t.Fatal(err)
	}
	v.deadline, v.overtime = time.Now().Add(100*time.Millisecond), 100*time.Millisecond
	if _, err := v.Symbols(t.Context(), "Alpha"); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Kill(current(p).PID(), syscall.SIGUSR1); err != nil {
		t.Fatal(err)
	}
	if err := p.WaitReady(t.Context()); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), patienceOfTests)
	defer cancel()
	_, err = v.Hover(ctx, At(filepath.Join(dir, "main.toy"), 1, 5))
	var starting *workspace.StartingError
	if !errors.As(err, &starting) || v.Completeness().State != Indexing {
		t.Errorf("%v; %+v", err, v.Completeness())
	}
}

// A server that was waited for in vain, and does not answer by name in the time that it has left, is one at work: nothing found is not
// all there is, though the server knows the project by now, and other servers have answered.
func TestNameOfAServerWaitedForInVain(t *testing.T) {
	p, _ := slowProject(t, protocol.MethodWorkspaceSymbol, time.Hour, time.Hour)
	for _, only := range []bool{true, false} {
		v, err := p.View(t.Context(), ViewOptions{})
		if err != nil {
			t.Fatal(err)
		}
		v.deadline, v.overtime = time.Now().Add(-time.Second), time.Second // of which a server at work has a tenth
		v.leave(current(p))
		if only {
			v.wanted = v.wanted[:1]
		}
		found, err := v.Symbols(t.Context(), "Alpha")
		if err != nil || len(found) == 1 == only {
			t.Errorf("only it: %t: %+v, %v", only, found, err)
		}
		c := v.Completeness()
		at := slices.IndexFunc(c.Servers, func(s ServerCompleteness) bool { return s.Language == "toy" })
		if c.State != Indexing || !strings.Contains(c.Reason, "is still at work") || len(c.Servers) != len(v.wanted) || c.Servers[at].State != Indexing {
			t.Errorf("only it: %t: %+v", only, c)
		}
	}
}

// A server that refuses a request while it looks at a change leaves the answer unknown for now; at other times the refusal is the error.
func TestRefusedAtWork(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "-- toy.mod --\n-- main.toy --\ndef Alpha\n")
	p, at := open(t, dir, toy(lsptest.HoldsCheck, lsptest.Refuses(protocol.MethodTextDocumentHover))), At(filepath.Join(dir, "main.toy"), 1, 5)
	view(t, p)
	put(t, filepath.Join(dir, "more.toy"), "use Alpha\n")
	if _, err := hasty(t, p).Hover(t.Context(), at); !Unanswered(err) || !strings.Contains(err.Error(), "says \"invalid AST\" while it is at work") {
		t.Errorf("at work: %v", err)
	}
	if err := syscall.Kill(current(p).PID(), syscall.SIGUSR1); err != nil {
		t.Fatal(err)
	}
	if _, err := view(t, p).Hover(t.Context(), at); err == nil || Unanswered(err) || !strings.Contains(err.Error(), "invalid AST") {
		t.Errorf("afterwards: %v", err)
	}
}
