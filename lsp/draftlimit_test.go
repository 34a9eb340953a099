package lsp

import (
	"context"
	"syscall"
	"testing"
	"time"

	"tidepool/lsp/internal/workspace"
)

// draftRow is the status of the server for drafts, nil if there is none.
func draftRow(p *Project) *ServerStatus {
	for _, s := range p.Status() {
		if s.Drafts {
			return &s
		}
	}
	return nil
}

// TestDraftsTakeTurns has one process for queries and drafts: the one makes room for the other, unless it is in use.
func TestDraftsTakeTurns(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, shopAndTill)
	var d diary
	p := openWith(t, Options{Root: dir, Languages: []Language{gopls(t)}, Env: environment(), ProcessLimit: 1, Events: d.note})
	parameter := replaced(t, dir, "price/price.go", "item string", "item string, tax int")
	for range 2 {
		draft := drafting(t, p)
		if got := try(t, draft, parameter); len(got) != 1 || draftRow(p) == nil || p.Status()[0].PID != 0 {
			t.Errorf("errors %q, status %+v", got, p.Status())
		}
		draft.Close()
		one(t, view(t, p), "price.Of")
		if row := draftRow(p); row != nil && row.PID != 0 {
			t.Errorf("the server for drafts runs beside the other: %+v", row)
		}
	}
	if !d.has("make room for gopls for drafts") || !d.has("make room for gopls:") {
		t.Errorf("events %q", d.events)
	}
}

func TestDraftIdle(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, shopAndTill)
	var d diary
	p := openWith(t, Options{
		Root: dir, Languages: []Language{gopls(t)}, Env: environment(), Events: d.note, DraftIdle: 200 * time.Millisecond, interval: 10 * time.Millisecond,
	})
	parameter := replaced(t, dir, "price/price.go", "item string", "item string, tax int")
	for range 2 {
		draft := drafting(t, p)
		pid := draft.server.Living().PID()
		if got := try(t, draft, parameter); len(got) != 1 {
			t.Errorf("errors %q", got)
		}
		draft.Close()
		eventually(t, "the server for drafts stops", func() bool { return draftRow(p) == nil })
		eventually(t, "its process ends", func() bool { return syscall.Kill(pid, 0) != nil })
	}
	if s := p.Status(); len(s) != 1 || s[0].PID == 0 || !d.has("stopped: nobody has asked for 200ms") {
		t.Errorf("status %+v, events %q", s, d.events)
	}
}

func TestDraftMemory(t *testing.T) {
	p, _ := project(t, shopAndTill)
	draft := drafting(t, p)
	p.Memory(t.Context())
	if row := draftRow(p); row == nil || row.Memory < 1<<20 || row.Trees[0] != p.workspace.Main.Root {
		t.Fatalf("status %+v", row)
	}
	draft.server.EnforceLimits(workspace.Limits{Memory: 1 << 20})
	if draftRow(p) == nil {
		t.Error("it was stopped while there was a draft")
	}
	draft.Close()
	draft.server.EnforceLimits(workspace.Limits{Memory: 1 << 20})
	if row := draftRow(p); row != nil {
		t.Errorf("a large one runs on: %+v", row)
	}
}

// draftEnds closes the project under a draft.
func draftEnds(t *testing.T, s trial, p *Project, dir string) {
	d := drafting(t, p)
	pid := d.server.Living().PID()
	try(t, d, replaced(t, dir, s.declares, s.parameter[0], s.parameter[1]))
	ctx, cancel := context.WithTimeout(t.Context(), patienceOfTests)
	defer cancel()
	if err := p.Close(ctx); err != nil {
		t.Error(err)
	}
	eventually(t, "its processes have ended", func() bool { return syscall.Kill(-pid, 0) != nil })
	if _, err := d.Try(t.Context(), nil); err == nil {
		t.Error("it still answers")
	}
}
