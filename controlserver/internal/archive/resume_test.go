package archive

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"tidepool/internal/conversation"
)

// asResume is the variable with the directory of a session for a process that resumes it.
const asResume = "TIDEPOOL_TEST_RESUME_IN"

func TestMain(m *testing.M) {
	if dir := os.Getenv(asResume); dir != "" {
		err := Resume(conversation.Summary{Session: "3f2a91c0-1111-4222-8333-444455556666", Cwd: dir, Resumable: true})
		os.Stderr.WriteString(err.Error())
		os.Exit(1)
	}
	os.Exit(m.Run())
}

func TestResumeBecomesClaudeInTheOwnDirectory(t *testing.T) {
	bin, dir := t.TempDir(), t.TempDir()
	if err := os.WriteFile(filepath.Join(bin, "claude"), []byte("#!/bin/sh\npwd -P; echo \"$@\"\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	run := func(path string) (string, error) {
		cmd := exec.Command(self)
		cmd.Env = []string{asResume + "=" + dir, "PATH=" + path}
		out, err := cmd.CombinedOutput()
		return string(out), err
	}
	resolved, err := filepath.EvalSymlinks(dir)
	if err != nil {
		t.Fatal(err)
	}
	if out, err := run(bin + ":/usr/bin:/bin"); err != nil || out != resolved+"\n--resume 3f2a91c0-1111-4222-8333-444455556666\n" {
		t.Errorf("%v %q", err, out)
	}
	if out, err := run("/nowhere"); err == nil || !strings.Contains(out, "there is no claude in PATH") {
		t.Errorf("%v %q", err, out)
	}
}

func TestResumeRefusesWithTheReason(t *testing.T) {
	dir := t.TempDir()
	good := conversation.Summary{Session: "s1", Cwd: dir, Resumable: true, Source: "claude"}
	if err := resumable(good); err != nil {
		t.Error(err)
	}
	for want, change := range map[string]func(*conversation.Summary){
		"Claude Code has deleted its transcript": func(s *conversation.Summary) { s.Resumable = false },
		"its directory " + dir + "/x is gone":    func(s *conversation.Summary) { s.Cwd += "/x" },
		"it is a session of codex":               func(s *conversation.Summary) { s.Source = "codex" },
		"it is a subagent's":                     func(s *conversation.Summary) { s.Subagent = true },
		"its id is none that Claude Code gives":  func(s *conversation.Summary) { s.Session = "--help" },
		"does not say where it ran":              func(s *conversation.Summary) { s.Cwd = "" },
	} {
		s := good
		change(&s)
		err := resumable(s)
		refused, is := errors.AsType[*ResumeError](err)
		if !is || !strings.Contains(err.Error(), want) || !strings.HasPrefix(refused.Hint(), "read it: agent conversations show ") {
			t.Errorf("want %q, got %v", want, err)
		}
	}
}
