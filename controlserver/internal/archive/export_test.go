package archive

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tidepool/internal/conversation"
)

// A tape has one session of so many turns.
type tape int

func (n tape) Conversation(_ context.Context, session string, offset, limit int) (conversation.Summary, []conversation.Turn, error) {
	if session != "s1" {
		return conversation.Summary{}, nil, &conversation.SessionError{Asked: session}
	}
	var turns []conversation.Turn
	for i := offset; i < min(int(n), offset+limit); i++ {
		turns = append(turns, conversation.Turn{Session: session, Number: i, User: fmt.Sprint("question ", i)})
	}
	return conversation.Summary{Session: session, Title: "t", Turns: int(n)}, turns, nil
}

func TestExportHasAllTurns(t *testing.T) {
	for _, n := range []tape{0, 1, 19, 20, 21, 45} {
		path := filepath.Join(t.TempDir(), "x.md")
		if err := ExportFile(t.Context(), n, "s1", path, false); err != nil {
			t.Fatal(err)
		}
		page, err := os.ReadFile(path)
		if err != nil || strings.Count(string(page), "> question ") != int(n) {
			t.Errorf("%d turns: %v\n%s", n, err, page)
		}
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%v %v", info.Mode(), err)
		}
	}
}

func TestExportReplacesNothingUnasked(t *testing.T) {
	dir := t.TempDir()
	path, target := filepath.Join(dir, "x.md"), filepath.Join(dir, "target")
	for name, there := range map[string]func() error{
		"a file":                 func() error { return os.WriteFile(path, []byte("mine"), 0o644) },
		"a link":                 func() error { return os.Symlink(target, path) },
		"a link to nothing":      func() error { return errors.Join(os.Remove(target), os.Symlink(target, path)) },
		"a directory with force": func() error { return os.MkdirAll(filepath.Join(path, "full"), 0o755) },
	} {
		if err := os.WriteFile(target, []byte("mine"), 0o644); err != nil {
			t.Fatal(err)
		}
		if err := there(); err != nil {
			t.Fatal(err)
		}
		err := ExportFile(t.Context(), tape(3), "s1", path, strings.HasSuffix(name, "force"))
		if _, exists := errors.AsType[*ExistsError](err); err == nil || exists == strings.HasSuffix(name, "force") {
			t.Errorf("%s: %v", name, err)
		}
		if data, err := os.ReadFile(target); err == nil && string(data) != "mine" {
			t.Errorf("%s: the target is %q", name, data)
		}
		if err := os.RemoveAll(path); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(os.Symlink(target, path), os.WriteFile(target, []byte("mine"), 0o644)); err != nil {
		t.Fatal(err)
	}
	if err := ExportFile(t.Context(), tape(3), "s1", path, true); err != nil {
		t.Error(err)
	}
	if info, err := os.Lstat(path); err != nil || !info.Mode().IsRegular() || info.Mode().Perm() != 0o600 {
		t.Errorf("with force: %v %v", info, err)
	}
	if data, _ := os.ReadFile(target); string(data) != "mine" {
		t.Errorf("with force the target of the link became %q", data)
	}
	if err := ExportFile(t.Context(), tape(3), "s2", filepath.Join(dir, "new.md"), true); err == nil {
		t.Error("an unknown session is exported")
	}
	if err := ExportFile(t.Context(), tape(3), "s2", filepath.Join(dir, "new.md"), false); err == nil {
		t.Error("an unknown session is exported")
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "*")); len(left) != 2 {
		t.Errorf("left over: %v", left)
	}
	if left, _ := filepath.Glob(filepath.Join(dir, ".conv*")); len(left) != 0 {
		t.Errorf("left over: %v", left)
	}
}

func TestExportName(t *testing.T) {
	for session, want := range map[string]string{
		"3f2a91c0-1111-4222-8333-444455556666": "conversation-3f2a91c0.md", "../../etc/x": "conversation-______etc_x.md", "agent-a1": "conversation-agent-a1.md",
	} {
		if got := ExportName(session); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}
