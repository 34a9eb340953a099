package main

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/hinshun/vt10x"
	"golang.org/x/sys/unix"

	"tidepool/internal/daemontest"
	"tidepool/protocol"
)

// A screen is a command in a terminal, as a person sees it.
// Goroutines: one that draws what the program writes, until the program has let go of the terminal.
type screen struct {
	t        *testing.T
	terminal vt10x.Terminal
	keyboard *os.File
	cmd      *exec.Cmd
	drawn    chan struct{} // closed when no more comes
	mu       sync.Mutex
	changed  chan struct{} // closed and replaced at every change
	raw      strings.Builder
}

func startUI(t *testing.T, dir string, columns, rows int, vars ...string) *screen {
	t.Helper()
	return startScreen(t, dir, columns, rows, vars, "ui")
}

// startScreen runs the program in a terminal of its own.
func startScreen(t *testing.T, dir string, columns, rows int, vars []string, args ...string) *screen {
	t.Helper()
	person, program := openTerminal(t)
	s := &screen{t: t, terminal: vt10x.New(vt10x.WithSize(columns, rows)), keyboard: person, drawn: make(chan struct{}), changed: make(chan struct{})}
	s.size(columns, rows)
	s.cmd = controlserver(t, dir, append([]string{"TERM=xterm-256color"}, vars...), program, args...)
	if err := s.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	program.Close()
	go s.draw()
	t.Cleanup(func() {
		_ = s.cmd.Process.Kill()
		_ = s.cmd.Wait()
		<-s.drawn
	})
	return s
}

// controlserver is the program on a terminal.
func controlserver(t *testing.T, dir string, vars []string, terminal *os.File, args ...string) *exec.Cmd {
	cmd := program(t, dir, vars, args...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = terminal, terminal, terminal
	return cmd
}

// written is all that the program has written yet.
func (s *screen) written() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.raw.String()
}

func (s *screen) draw() {
	defer close(s.drawn)
	buffer := make([]byte, 4096)
	for {
		n, err := s.keyboard.Read(buffer)
		s.mu.Lock()
		_, _ = s.terminal.Write(buffer[:n])
		s.raw.Write(buffer[:n])
		close(s.changed)
		s.changed = make(chan struct{})
		s.mu.Unlock()
		if err != nil {
			return
		}
	}
}

func (s *screen) size(columns, rows int) {
	s.t.Helper()
	s.terminal.Resize(columns, rows)
	if err := unix.IoctlSetWinsize(int(s.keyboard.Fd()), unix.TIOCSWINSZ, &unix.Winsize{Col: uint16(columns), Row: uint16(rows)}); err != nil {
		s.t.Fatal(err)
	}
	if s.cmd != nil {
		_ = s.cmd.Process.Signal(unix.SIGWINCH)
	}
}

// await waits until the screen holds all of the texts.
func (s *screen) await(texts ...string) {
	s.t.Helper()
	s.awaitIn("the screen", s.terminal.String, texts...)
}

// awaitWritten waits until the program has written texts, those included that the screen does not show.
func (s *screen) awaitWritten(texts ...string) {
	s.t.Helper()
	s.awaitIn("the output", s.raw.String, texts...)
}

// awaitIn waits until what is read holds all texts. read is called under mu.
func (s *screen) awaitIn(what string, read func() string, texts ...string) {
	s.t.Helper()
	deadline := time.After(daemontest.Patience)
	for {
		s.mu.Lock()
		text, changed := read(), s.changed
		s.mu.Unlock()
		if holdsAll(text, texts) {
			return
		}
		select {
		case <-changed:
		case <-deadline:
			s.t.Fatalf("%s never shows %q:\n%s", what, texts, text)
		}
	}
}

func holdsAll(text string, parts []string) bool {
	for _, part := range parts {
		if !strings.Contains(text, part) {
			return false
		}
	}
	return true
}

// settled is how long a question takes no keys.
const settled = 500 * time.Millisecond

// press sends keys to a question that has just come up; a person takes longer than the program ignores them.
func (s *screen) press(keys string) {
	s.t.Helper()
	<-time.After(settled)
	if _, err := io.WriteString(s.keyboard, keys); err != nil {
		s.t.Fatal(err)
	}
}

func TestUIAnswersByKeyboard(t *testing.T) {
	dir := daemontest.Project(t)
	d := startDaemon(t, dir, nil)
	s := startUI(t, dir, 100, 30)
	s.await("connected")
	for _, test := range []struct {
		tool, arguments string
		shows           []string
		keys            []string
		want            string
	}{
		{"confirm_action", `{"action":"Drop the table","details":"drop table\n\u001b[2J\u001b]0;owned\u0007users"}`,
			[]string{"Drop the table", "␛[2J␛]0;owned␇users", "Confirm", "confirm_action"}, []string{"y"}, `{"confirmed":true,"answered_by":"user","channel":"ui"}`},
		{"confirm_action", `{"action":"Drop it"}`, []string{"Drop it"}, []string{"\r"}, `{"confirmed":false,"answered_by":"user","channel":"ui"}`},
		{"select_option", `{"prompt":"Which?","options":[["pg","Postgres"],["lite","SQLite"]]}`,
			[]string{"Postgres", "SQLite", "something else"}, []string{"\x1b[B\r"}, `{"selected":"lite","custom":null,"answered_by":"user","channel":"ui"}`},
		{"request_guidance", `{"context":"Stuck."}`, []string{"Stuck.", "In your own words"}, []string{"try ü again", "\r"}, `{"guidance":"try ü again","answered_by":"user","channel":"ui"}`},
	} {
		outcome := d.Send(t, &protocol.MCPToolCall{ID: "1", ToolName: test.tool, Arguments: []byte(test.arguments)})
		s.await(append(test.shows, "1 question waits")...)
		for _, keys := range test.keys {
			s.press(keys)
		}
		if r := daemontest.As[*protocol.MCPToolResponse](t, outcome()); string(r.Result) != test.want {
			t.Errorf("%s: %s %v", test.tool, r.Result, r.Error)
		}
		s.await("connected", "answered by ui", "tool "+test.tool)
	}
	if strings.Contains(s.written(), "\x1b]0;owned") {
		t.Error("the terminal was told what a question said")
	}
	s.press("q")
	if err := s.cmd.Wait(); err != nil {
		t.Error(err)
	}
}

// TestUIShowsWhatOthersAnswer has two programs attached, of which one answers, and the shell answer another question.
func TestUIShowsWhatOthersAnswer(t *testing.T) {
	dir := daemontest.Project(t)
	d := startDaemon(t, dir, nil)
	one, two := startUI(t, dir, 80, 24), startUI(t, dir, 80, 24)
	one.await("connected")
	two.await("connected")
	first := d.Send(t, &protocol.MCPToolCall{ID: "1", ToolName: "confirm_action", Arguments: []byte(`{"action":"First"}`)})
	one.await("First")
	two.await("First")
	second := d.Send(t, &protocol.MCPToolCall{ID: "1", ToolName: "confirm_action", Arguments: []byte(`{"action":"Second"}`)})
	one.await("2 questions wait")
	one.press("n")
	daemontest.As[*protocol.MCPToolResponse](t, first())
	two.await("answered by ui: Cancel", "Second")
	runProgram(t, dir, nil, "answer", "2", "yes").want(t, 0, "Confirm", "")
	daemontest.As[*protocol.MCPToolResponse](t, second())
	one.await("question 2 was answered by command: Confirm", "connected")
	two.await("question 2 was answered by command: Confirm", "connected")
}

// TestUIIgnoresKeysMeantForSomethingElse presses a key in the moment in which a question comes up.
func TestUIIgnoresKeysMeantForSomethingElse(t *testing.T) {
	dir := daemontest.Project(t)
	d := startDaemon(t, dir, nil)
	s := startUI(t, dir, 80, 24)
	s.await("connected")
	outcome := d.Send(t, &protocol.MCPToolCall{ID: "1", ToolName: "confirm_action", Arguments: []byte(`{"action":"Delete it"}`)})
	s.await("Delete it")
	if _, err := io.WriteString(s.keyboard, "y"); err != nil {
		t.Fatal(err)
	}
	s.press("n")
	if r := daemontest.As[*protocol.MCPToolResponse](t, outcome()); !strings.Contains(string(r.Result), `"confirmed":false`) {
		t.Errorf("%s %v", r.Result, r.Error)
	}
}

func TestUIComesBack(t *testing.T) {
	dir := daemontest.Project(t)
	s := startUI(t, dir, 80, 24)
	s.await("no daemon")
	d := startDaemon(t, dir, nil)
	s.await("connected")
	d.Signal(t, os.Kill)
	d.Wait(t)
	s.await("no daemon")
	startDaemon(t, dir, nil)
	s.await("connected")
}

func TestUINarrowAndLong(t *testing.T) {
	dir := daemontest.Project(t)
	d := startDaemon(t, dir, nil)
	s := startUI(t, dir, 100, 20, "NO_COLOR=1")
	s.await("connected")
	long := strings.Repeat("Every word of it matters. ", 400) // 10,400 characters
	outcome := d.Send(t, &protocol.MCPToolCall{ID: "1", ToolName: "confirm_action", Arguments: []byte(fmt.Sprintf(`{"action":"Read this","details":%q}`, long+"The end."))})
	s.await("Read this", "lines 1 to", "Confirm")
	s.size(40, 20)
	s.await("question 1", "Confirm", "lines 1 to")
	for range 100 {
		if _, err := io.WriteString(s.keyboard, "\x1b[6~"); err != nil {
			t.Fatal(err)
		}
	}
	s.await("The end.", "Confirm")
	s.press("n")
	daemontest.As[*protocol.MCPToolResponse](t, outcome())
	for _, colour := range []string{"\x1b[31", "\x1b[32", "\x1b[38", "\x1b[94", "\x1b[48"} {
		if strings.Contains(s.written(), colour) {
			t.Errorf("a colour in spite of NO_COLOR: %q", colour)
		}
	}
}

// TestUIIdles reads how much processor time the program uses when nothing happens.
func TestUIIdles(t *testing.T) {
	dir := daemontest.Project(t)
	startDaemon(t, dir, nil)
	s := startUI(t, dir, 80, 24)
	s.await("connected")
	before := ticks(t, s.cmd.Process.Pid)
	<-time.After(2 * time.Second)                                // the time that is measured
	if used := ticks(t, s.cmd.Process.Pid) - before; used > 20 { // make bench measures it; this is for what never rests
		t.Errorf("%d ticks of 10 ms in 2 s", used)
	}
}

// ticks is the processor time of a process, in hundredths of a second.
func ticks(t *testing.T, pid int) int {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "stat"))
	if err != nil {
		t.Fatal(err)
	}
	fields := strings.Fields(string(data[strings.LastIndexByte(string(data), ')')+1:]))
	user, _ := strconv.Atoi(fields[11])
	system, _ := strconv.Atoi(fields[12])
	return user + system
}

func TestUINeedsATerminal(t *testing.T) {
	runProgram(t, daemontest.Project(t), nil, "ui").want(t, 1, "", "ui needs a terminal")
}

// TestUIShowsWhereAQuestionWaits has a client with a dialog that only its user can close.
func TestUIShowsWhereAQuestionWaits(t *testing.T) {
	dir := daemontest.Project(t)
	d := startDaemon(t, dir, nil)
	s := startUI(t, dir, 120, 24)
	s.await("connected")
	c := askByDialog(t, d, true)
	s.await("Deploy", "It waits in the dialog of the client, which only its user can close", "press Esc there")
	s.press("y")
	daemontest.As[*protocol.AnswerResponse](t, d.Ask(t, &protocol.AnswerRequest{Question: c.question.ID, Channel: "elicitation", Closed: true}))
	s.await("Deploy", "Confirm", "Cancel")
	s.press("y")
	if r := daemontest.As[*protocol.MCPToolResponse](t, c.receive()); string(r.Result) != `{"confirmed":true,"answered_by":"user","channel":"ui"}` {
		t.Errorf("%s %v", r.Result, r.Error)
	}
}

// TestUIForgetsWhatWasTold has a prompt told a memory, and a person forget it there.
func TestUIForgetsWhatWasTold(t *testing.T) {
	k := newKeeper(t)
	k.saves(drainFix, "--kind", "fix")
	k.tells("why did TestDrainOrder race before the last worker returned?")
	s := startUI(t, k.project, 100, 24, k.vars...)
	s.await("no daemon")
	s.press("m")
	s.await("Told at prompts lately", "[fix] "+drainFix[:60])
	s.press("f")
	s.await("f again forgets mem_")
	s.press("f")
	s.await("forgotten: mem_", "nothing was told yet")
	k.memory("recall", "TestDrainOrder").want(t, 0, "0 memories; complete", "")
	s.press("q")
	if err := s.cmd.Wait(); err != nil {
		t.Error(err)
	}
}
