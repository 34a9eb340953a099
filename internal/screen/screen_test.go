package screen

import (
	"context"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"
	"go.uber.org/goleak"
)

func newScreen(t *testing.T, columns, rows int) *Screen {
	t.Helper()
	s := New(columns, rows)
	t.Cleanup(func() {
		s.Close()
		goleak.VerifyNone(t)
	})
	return s
}

func patient(t *testing.T) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	t.Cleanup(cancel)
	return ctx
}

func start(t *testing.T, s *Screen, script string) *Program {
	t.Helper()
	p, err := s.Start(exec.Command("/bin/sh", "-c", script))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestProgramsDrawAfterEachOther(t *testing.T) {
	s := newScreen(t, 30, 6)
	s.Print("$ one\n")
	if err := start(t, s, "stty size; printf '\\033[1mbold\\033[0m\\n'").Wait(); err != nil {
		t.Fatal(err)
	}
	s.Print("$ two\n")
	if err := start(t, s, "echo 日本; exit 3").Wait(); err == nil || !strings.Contains(err.Error(), "exit status 3") {
		t.Errorf("exit 3 is %v", err)
	}
	if got, want := s.String(), "$ one\n6 30\nbold\n$ two\n日本"; got != want {
		t.Errorf("the screen shows %q, want %q", got, want)
	}
	cells := s.Cells()
	if bold := cells.CellAt(0, 2); bold.Content != "b" || bold.Style.Attrs == 0 {
		t.Errorf("%+v is not a bold b", bold)
	}
	if wide := cells.CellAt(2, 4); wide.Content != "本" || wide.Width != 2 {
		t.Errorf("%+v is not a wide character", wide)
	}
}

func TestKeysReachTheProgram(t *testing.T) {
	s := newScreen(t, 40, 4)
	p := start(t, s, "printf 'name? '; read name; echo hello $name")
	if err := s.Await(patient(t), "name?"); err != nil {
		t.Fatal(err)
	}
	if err := p.Type("Ada\n"); err != nil {
		t.Fatal(err)
	}
	if err := p.Wait(); err != nil {
		t.Fatal(err)
	}
	if got := s.String(); !strings.Contains(got, "hello Ada") {
		t.Errorf("the screen shows %q", got)
	}
}

// Programs that ask the terminal what it can do wait for its reply. Two questions in one write are two replies.
func TestTheTerminalReplies(t *testing.T) {
	s := newScreen(t, 60, 4)
	p := start(t, s, "stty raw -echo; printf '\\033[5n\\033[5n'; dd bs=1 count=10 2>/dev/null | tr '\\033' E; echo .")
	if err := p.Wait(); err != nil {
		t.Fatal(err)
	}
	if got := s.String(); !strings.Contains(got, "E[?0nE[?0n") {
		t.Errorf("the screen shows %q", got)
	}
	s.Print(ansi.RequestCursorPositionReport) // with no program it goes nowhere
}

func TestAwaitSaysWhatIsMissing(t *testing.T) {
	s := newScreen(t, 20, 3)
	s.Print("here")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	err := s.Await(ctx, "here", "there")
	if err == nil || !strings.Contains(err.Error(), `"there"`) || !strings.HasSuffix(err.Error(), "here") {
		t.Errorf("%v", err)
	}
}

func TestTheProgramIsToldOfASize(t *testing.T) {
	s := newScreen(t, 20, 3)
	p := start(t, s, "trap 'stty size; exit' WINCH; echo ready; while :; do read line; done")
	if err := s.Await(patient(t), "ready"); err != nil {
		t.Fatal(err)
	}
	if err := p.Resize(33, 5); err != nil {
		t.Fatal(err)
	}
	if err := p.Type("\n"); err != nil { // the shell runs its trap after the line
		t.Fatal(err)
	}
	if err := s.Await(patient(t), "5 33"); err != nil {
		t.Fatal(err)
	}
	_ = p.Wait()
	if cells := s.Cells(); cells.Width() != 33 || cells.Height() != 5 {
		t.Errorf("the screen has %d × %d cells", cells.Width(), cells.Height())
	}
}

// A title is written and not shown.
func TestWhatIsWrittenIsMoreThanWhatIsShown(t *testing.T) {
	s := newScreen(t, 20, 3)
	p := start(t, s, "printf '\\033]0;owned\\007shown'")
	if err := s.AwaitWritten(patient(t), "\x1b]0;owned\a"); err != nil {
		t.Fatal(err)
	}
	if err := p.Wait(); err != nil {
		t.Fatal(err)
	}
	if s.String() != "shown" || s.Written() != "\x1b]0;owned\ashown" {
		t.Errorf("shown is %q, written %q", s.String(), s.Written())
	}
}
