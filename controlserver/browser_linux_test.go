package main

import (
	"encoding/base64"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestBrowserFindsReadsAndResumes(t *testing.T) {
	h := newHome(t)
	bin := t.TempDir()
	if err := os.WriteFile(filepath.Join(bin, "claude"), []byte("#!/bin/sh\necho resumed \"$@\" in $(pwd -P)\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	s := startWindow(t, h.project, 120, 30, append(h.vars, "PATH="+bin+":"+os.Getenv("PATH")), "conversations")
	s.await("in this project", "3 conversations", "Round the till")
	s.typed("jitter")
	s.await("1 turn", "> jitter", "Why do the retries hammer", "func backoffWithJitter", "│ turn 0")
	s.typed("\r")
	s.await("3f2a91c0", "2 turns", "r resume", "user: And who calls it?", "delete the branch \uFFFD␛[2J")
	s.typed("y")
	s.await("copied, if the terminal takes it: cd " + h.project[:20])
	clip := base64.StdEncoding.EncodeToString([]byte("cd " + h.project + " && claude --resume " + retrySession))
	s.awaitWritten("\x1b]52;c;" + clip)
	s.typed("e")
	s.await("written to ")
	if page, err := os.ReadFile(filepath.Join(h.project, "conversation-3f2a91c0.md")); err != nil || !strings.Contains(string(page), "> Why do the retries") {
		t.Errorf("%v\n%s", err, page)
	}
	s.typed("e")
	s.await("is already there: move it away")
	s.typed("r")
	if err := s.program.Wait(); err != nil {
		t.Error(err)
	}
	if !strings.Contains(s.screen.Written(), "resumed --resume "+retrySession+" in "+h.project) {
		t.Errorf("%q", s.screen.Written()[max(0, len(s.screen.Written())-300):])
	}
	if strings.Contains(s.screen.Written(), "\x1b[2J\x1b") && strings.Contains(s.screen.Written(), "branch \x1b[2J") {
		t.Error("the terminal was told what was said")
	}
}

func TestBrowserForgetsAfterAQuestion(t *testing.T) {
	h := newHome(t)
	s := startWindow(t, h.project, 100, 24, h.vars, "conversations")
	s.typed("jitter")
	s.await("1 turn", "func backoff")
	s.typed("\rf")
	s.await("Forget 3f2a91c0 for good?")
	s.typed("n")
	s.await("nothing was forgotten")
	s.typed("fy")
	s.await("forgotten: 3f2a91c0", "0 conversations")
	s.typed("\x1b")
	s.await("2 conversations")
	s.typed("\x1b")
	if err := s.program.Wait(); err != nil {
		t.Error(err)
	}
	h.run("search", "jitter").want(t, 0, "0 of 0 matching turns", "")
}

// TestBrowserChangesTheScope to all projects and back.
func TestBrowserChangesTheScope(t *testing.T) {
	h := newHome(t)
	other := filepath.Join(t.TempDir(), "other")
	if err := os.Mkdir(other, 0o755); err != nil {
		t.Fatal(err)
	}
	h.says(otherSession, other, [][2]string{{"A wombat of another project", "yes"}})
	runProgram(t, other, h.vars, "search", "wombat").want(t, 0, "1 of 1 matching turn", "")
	s := startWindow(t, h.project, 120, 24, h.vars, "conversations")
	s.typed("wombat")
	s.await("0 conversations", "no turn has wombat")
	s.typed("\t")
	s.await("in all projects", "1 turn", "A wombat of another project")
	s.typed("\t")
	s.await("in this project", "nothing")
}
