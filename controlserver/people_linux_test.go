package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"tidepool/internal/daemontest"
	"tidepool/protocol"
)

// fakeClaude is a shell by the name of Claude Code.
func fakeClaude(t *testing.T) string {
	t.Helper()
	data, err := os.ReadFile("/bin/sh")
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "claude")
	if err := os.WriteFile(path, data, 0o700); err != nil {
		t.Fatal(err)
	}
	return path
}

// under has a shell run a command in its own way. The script finds the command's program and arguments in its own, and
// must not end as that program.
func under(shell, script string, cmd *exec.Cmd) *exec.Cmd {
	cmd.Args = append([]string{filepath.Base(shell), "-c", script + "; exit $?", cmd.Path}, cmd.Args[1:]...)
	cmd.Path = shell
	return cmd
}

// ending runs a command to the end of all that it has started and that writes.
func ending(t *testing.T, cmd *exec.Cmd) result {
	t.Helper()
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err := cmd.Run()
	if _, exited := errors.AsType[*exec.ExitError](err); err != nil && !exited {
		t.Fatal(err)
	}
	return result{out.String(), errs.String(), cmd.ProcessState.ExitCode()}
}

// The ways in which a process of the model reaches the daemon.
func waysOfAModel() map[string]string {
	return map[string]string{
		"its shell":               `"$0" "$@"`,
		"a session of its own":    `setsid -w "$0" "$@"`,
		"a clean environment":     `env -u CLAUDECODE "$0" "$@"`,
		"a process that it left":  `setsid "$0" "$@" & sleep 0`,
		"a shell within a shell":  `sh -c '"$0" "$@"; exit $?' "$0" "$@"`,
		"what it left, once more": `sh -c 'setsid sh -c "\"\$0\" \"\$@\"; true" "$0" "$@" &' "$0" "$@"`,
	}
}

func TestModelAnswersNothing(t *testing.T) {
	dir := daemontest.Project(t)
	d := startDaemon(t, dir, nil)
	c := askByDialog(t, d, false)
	claude := fakeClaude(t)
	for name, way := range waysOfAModel() {
		t.Run(name, func(t *testing.T) {
			cmd := program(t, dir, []string{"CLAUDECODE=1"}, "answer", "1", "yes")
			r := ending(t, under(claude, way, cmd))
			if said := r.out + r.err; !strings.Contains(said, "only a person may do this") || !strings.Contains(said, "use a terminal that Claude Code did not open") {
				t.Errorf("%+v", r)
			}
		})
	}
	for channel, want := range map[string]string{
		"ui": "only a person may do this", "command": "only a person may do this",
		"elicitation": "is not from the client that shows it",
	} {
		cmd := under(claude, `"$0"`, program(t, dir, []string{asLine + "=" + d.Socket()}))
		cmd.Env = append(cmd.Env[:0:0], asLine+"="+d.Socket())
		cmd.Stdin = strings.NewReader(fmt.Sprintf(`{"type":"AnswerRequest","question":"1","channel":%q,"choice":"yes"}`+"\n", channel))
		if r := ending(t, cmd); !strings.Contains(r.out, `"type":"ErrorResponse"`) || !strings.Contains(r.out, want) {
			t.Errorf("by %s: %+v", channel, r)
		}
	}
	ending(t, under(claude, `"$0" "$@"`, program(t, dir, nil, "questions"))).want(t, 0, "Deploy", "")
	if q := daemontest.As[*protocol.QuestionsResponse](t, d.Ask(t, &protocol.QuestionsRequest{})).Questions[0]; q.State != protocol.QuestionOpen || len(q.Seen) > 0 {
		t.Errorf("after all that: %+v", q)
	}
	person := under("/bin/sh", `"$0" "$@"`, program(t, dir, nil, "answer", "1", "yes"))
	person.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	ending(t, person).want(t, 0, "question 1: Confirm", "")
	if r := daemontest.As[*protocol.MCPToolResponse](t, c.receive()); !strings.Contains(string(r.Result), `"confirmed":true`) {
		t.Errorf("%s %v", r.Result, r.Error)
	}
}

// TestSessionOfAnotherName has a Claude Code that only its hook's word identifies.
func TestSessionOfAnotherName(t *testing.T) {
	dir := daemontest.Project(t)
	d := startDaemon(t, dir, nil)
	seen := watch(t, d)
	d.Send(t, &protocol.MCPToolCall{ID: "1", ToolName: "confirm_action", Arguments: []byte(`{"action":"Deploy"}`)})
	seen.await(protocol.QuestionOpen)
	sh := filepath.Join(t.TempDir(), "my-agent")
	if err := os.Rename(fakeClaude(t), sh); err != nil {
		t.Fatal(err)
	}
	const hook = `printf '%s\n' '{"type":"HookEvent","input":{"hook_event_name":"SessionStart","session_id":"s","cwd":"/"}}' | ` +
		`CLAUDECODE=1 CLAUDE_PID=$$ ` + asLine + `="$SOCKET" "$0" >&2; `
	for script, want := range map[string]string{hook + `"$0" "$@"`: "was started by Claude Code", `"$0" "$@"`: ""} {
		cmd := program(t, dir, []string{"SOCKET=" + d.Socket()}, "answer", "1", "--text", "perhaps")
		cmd.Env = withoutProgram(cmd.Env)
		r := ending(t, under(sh, strings.ReplaceAll(script, `"$0" "$@"`, asProgram+`=1 "$0" "$@"`), cmd))
		if refused := strings.Contains(r.err, "only a person"); refused != (want != "") || !strings.Contains(r.err, want) {
			t.Errorf("%s: %+v", script, r)
		}
	}
}

// withoutProgram is an environment whose processes are not the program by themselves.
func withoutProgram(environ []string) (kept []string) {
	for _, entry := range environ {
		if !strings.HasPrefix(entry, asProgram+"=") {
			kept = append(kept, entry)
		}
	}
	return kept
}

// A dialogClient is a client of the modern era with a question in its dialog.
type dialogClient struct {
	*watcher
	question protocol.Question
}

// askByDialog calls confirm_action as agent mcp does for a client with dialogs.
func askByDialog(t *testing.T, d running, stays bool) *dialogClient {
	t.Helper()
	w := dialLines(t, d)
	call := &protocol.MCPToolCall{ID: "1", ToolName: "confirm_action", Arguments: []byte(`{"action":"Deploy","details":"v2"}`), Elicit: true, Stays: stays}
	if _, err := w.conn.Write(protocol.AppendRequest(nil, call)); err != nil {
		t.Fatal(err)
	}
	return &dialogClient{w, daemontest.As[*protocol.MCPToolQuestion](t, w.receive()).Question}
}

// elicit runs the hook that comes before the dialog.
func elicit(t *testing.T, d running, q protocol.Question) func() protocol.Response {
	input := fmt.Sprintf(`{"session_id":"s","hook_event_name":"Elicitation","mcp_server_name":"tidepool","message":%q,"mode":"form"}`, q.Message())
	return d.Send(t, &protocol.HookEvent{Input: []byte(input)})
}

// TestDialogIsTheHome of a question that nobody watches in agent ui, until the dialog is closed.
func TestDialogIsTheHome(t *testing.T) {
	dir := daemontest.Project(t)
	d := startDaemon(t, dir, nil)
	c := askByDialog(t, d, true)
	if r := daemontest.As[*protocol.HookResponse](t, elicit(t, d, c.question)()); string(r.Output) != `{"continue":true}` {
		t.Errorf("the hook says %s", r.Output)
	}
	runProgram(t, dir, nil, "questions").want(t, 0, "which only its user can", "")
	runProgram(t, dir, nil, "answer", "yes").want(t, 1, "", "question 1 waits in the dialog of the client, which only its user can close: answer it there, or press Esc there")
	daemontest.As[*protocol.AnswerResponse](t, d.Ask(t, &protocol.AnswerRequest{Question: "1", Channel: "elicitation", Closed: true}))
	runProgram(t, dir, nil, "answer", "yes").want(t, 0, "question 1: Confirm", "")
	if r := daemontest.As[*protocol.MCPToolResponse](t, c.receive()); !strings.Contains(string(r.Result), `"channel":"command"`) {
		t.Errorf("%s %v", r.Result, r.Error)
	}
}

// TestHookHoldsTheDialog while somebody watches, and for no longer.
func TestHookHoldsTheDialog(t *testing.T) {
	dir := daemontest.Project(t)
	d := startDaemon(t, dir, []string{"TIDEPOOL_SERVER_HOOK_TIMEOUT=1s"})
	person := watch(t, d)
	for reply, want := range map[string]string{
		"yes": `{"continue":true,"hookSpecificOutput":{"hookEventName":"Elicitation","action":"accept","content":{}}}`,
		"no":  `{"continue":true,"hookSpecificOutput":{"hookEventName":"Elicitation","action":"decline"}}`,
	} {
		c := askByDialog(t, d, true)
		held := elicit(t, d, c.question)
		daemontest.Eventually(t, "the hook holds the question", func() bool {
			list := daemontest.As[*protocol.QuestionsResponse](t, d.Ask(t, &protocol.QuestionsRequest{})).Questions
			return list[0].State == protocol.QuestionOpen && list[0].Home == ""
		})
		<-time.After(1200 * time.Millisecond) // longer than any other hook may take
		runProgram(t, dir, nil, "answer", reply).want(t, 0, "question ", "")
		if r, is := held().(*protocol.HookResponse); !is || string(r.Output) != want {
			t.Errorf("%s: %+v", reply, r)
		}
		daemontest.As[*protocol.MCPToolResponse](t, c.receive())
	}
	c := askByDialog(t, d, true)
	held := elicit(t, d, c.question)
	daemontest.Eventually(t, "the hook holds the question", func() bool {
		return daemontest.As[*protocol.QuestionsResponse](t, d.Ask(t, &protocol.QuestionsRequest{})).Questions[0].Home == ""
	})
	person.conn.Close()
	if r := daemontest.As[*protocol.HookResponse](t, held()); string(r.Output) != `{"continue":true}` {
		t.Errorf("nobody watches, and the hook says %s", r.Output)
	}
	runProgram(t, dir, nil, "answer", "yes").want(t, 1, "", "waits in the dialog")
}

// TestModelWatchesForNobody has a process of the model pose as agent ui: the dialog stays with the person.
func TestModelWatchesForNobody(t *testing.T) {
	dir := daemontest.Project(t)
	d := startDaemon(t, dir, nil)
	cmd := under(fakeClaude(t), `"$0"`, program(t, dir, nil))
	cmd.Env = append(cmd.Env[:0:0], asLine+"="+d.Socket())
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer cmd.Wait()
	defer in.Close()
	if _, err := in.Write(protocol.AppendRequest(nil, &protocol.Watch{Client: "ui"})); err != nil {
		t.Fatal(err)
	}
	daemontest.Eventually(t, "the model watches", func() bool { return d.Status(t).Clients == 1 })
	c := askByDialog(t, d, true)
	if r := daemontest.As[*protocol.HookResponse](t, elicit(t, d, c.question)()); string(r.Output) != `{"continue":true}` {
		t.Errorf("the hook says %s", r.Output)
	}
}

// TestOnlyAPersonSeesAllProjects, and only a person removes.
func TestOnlyAPersonSeesAllProjects(t *testing.T) {
	h := newHome(t)
	other := daemontest.Project(t)
	h.says(otherSession, other, [][2]string{{"A wombat of another project", "yes"}})
	runProgram(t, other, h.vars, "search", "wombat").want(t, 0, "1 of 1 matching turn", "")
	h.run("search", "wombat").want(t, 0, "0 of 0 matching turns", "")
	h.run("search", "wombat", "--all").want(t, 0, "0ddba11e turn 0", "")
	h.run("conversations", "--all").want(t, 0, "A wombat of another project", "")
	claude := fakeClaude(t)
	for _, args := range [][]string{
		{"search", "wombat", "--all"}, {"conversations", "--all"}, {"conversations", "forget", "3f2a", "--yes"}, {"conversations", "exclude", "*/x"},
	} {
		cmd := program(t, h.project, append(h.vars, "CLAUDECODE=1"), args...)
		ending(t, under(claude, `"$0" "$@"`, cmd)).want(t, 1, "", "only a person may do this")
	}
	cmd := program(t, h.project, h.vars, "search", "jitter")
	ending(t, under(claude, `"$0" "$@"`, cmd)).want(t, 0, "1 of 1 matching turn", "")
}
