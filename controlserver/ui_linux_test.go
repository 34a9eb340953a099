package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"tidepool/internal/daemontest"
	"tidepool/internal/screen"
	"tidepool/protocol"
)

// A window is a command in a terminal, as a person sees it.
type window struct {
	t       *testing.T
	screen  *screen.Screen
	program *screen.Program
	cmd     *exec.Cmd
}

func startUI(t *testing.T, dir string, columns, rows int, vars ...string) *window {
	t.Helper()
	return startWindow(t, dir, columns, rows, vars, "ui")
}

// startWindow runs the program in a terminal of its own.
func startWindow(t *testing.T, dir string, columns, rows int, vars []string, args ...string) *window {
	t.Helper()
	w := &window{t: t, screen: screen.New(columns, rows), cmd: program(t, dir, append([]string{"TERM=xterm-256color"}, vars...), args...)}
	t.Cleanup(w.screen.Close)
	started, err := w.screen.Start(w.cmd)
	if err != nil {
		t.Fatal(err)
	}
	w.program = started
	t.Cleanup(func() {
		_ = w.cmd.Process.Kill()
		_ = w.program.Wait()
	})
	return w
}

func (w *window) size(columns, rows int) {
	w.t.Helper()
	if err := w.program.Resize(columns, rows); err != nil {
		w.t.Fatal(err)
	}
}

// await waits until the screen holds all of the texts.
func (w *window) await(texts ...string) {
	w.t.Helper()
	ctx, cancel := context.WithTimeout(w.t.Context(), daemontest.Patience)
	defer cancel()
	if err := w.screen.Await(ctx, texts...); err != nil {
		w.t.Fatal(err)
	}
}

// awaitWritten waits until the program has written texts, those included that the screen does not show.
func (w *window) awaitWritten(texts ...string) {
	w.t.Helper()
	ctx, cancel := context.WithTimeout(w.t.Context(), daemontest.Patience)
	defer cancel()
	if err := w.screen.AwaitWritten(ctx, texts...); err != nil {
		w.t.Fatal(err)
	}
}

// typed presses keys at once.
func (w *window) typed(keys string) {
	w.t.Helper()
	if err := w.program.Type(keys); err != nil {
		w.t.Fatal(err)
	}
}

// settled is how long a question takes no keys.
const settled = 500 * time.Millisecond

// press sends keys to a question that has just come up; a person takes longer than the program ignores them.
func (w *window) press(keys string) {
	w.t.Helper()
	<-time.After(settled)
	w.typed(keys)
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
	if strings.Contains(s.screen.Written(), "\x1b]0;owned") {
		t.Error("the terminal was told what a question said")
	}
	s.press("q")
	if err := s.program.Wait(); err != nil {
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
	s.typed("y")
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
		s.typed("\x1b[6~")
	}
	s.await("The end.", "Confirm")
	s.press("n")
	daemontest.As[*protocol.MCPToolResponse](t, outcome())
	for _, colour := range []string{"\x1b[31", "\x1b[32", "\x1b[38", "\x1b[94", "\x1b[48"} {
		if strings.Contains(s.screen.Written(), colour) {
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
	if err := s.program.Wait(); err != nil {
		t.Error(err)
	}
}
