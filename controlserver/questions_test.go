package main

import (
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"tidepool/internal/ask"
	"tidepool/internal/daemontest"
	"tidepool/protocol"
)

// A watcher sees what happens in a daemon.
type watcher struct {
	t     *testing.T
	conn  net.Conn
	lines *protocol.Reader
}

func watch(t *testing.T, d running) *watcher {
	t.Helper()
	w := dialLines(t, d)
	if _, err := w.conn.Write(protocol.AppendRequest(nil, &protocol.Watch{Client: "test"})); err != nil {
		t.Fatal(err)
	}
	w.receive()
	return w
}

// dialLines connects without a request.
func dialLines(t *testing.T, d running) *watcher {
	t.Helper()
	conn, err := net.Dial("unix", d.Socket())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	return &watcher{t, conn, protocol.NewReader(conn)}
}

func (w *watcher) receive() protocol.Response {
	w.t.Helper()
	if err := w.conn.SetReadDeadline(time.Now().Add(daemontest.Patience)); err != nil {
		w.t.Fatal(err)
	}
	line, err := w.lines.ReadLine()
	if err != nil {
		w.t.Fatal(err)
	}
	response, err := protocol.DecodeResponse(line)
	if err != nil {
		w.t.Fatal(err)
	}
	return response
}

// await returns the newest question when it is in a state.
func (w *watcher) await(state protocol.QuestionState) protocol.QuestionRecord {
	w.t.Helper()
	for {
		h := daemontest.As[*protocol.Happening](w.t, w.receive())
		for _, q := range h.Questions {
			if q.State == state {
				return q
			}
		}
	}
}

func TestQuestionsFromTheShell(t *testing.T) {
	dir := daemontest.Project(t)
	d := startDaemon(t, dir, nil)
	runProgram(t, dir, nil, "questions").want(t, 0, "no questions\n", "")
	runProgram(t, dir, nil, "answer", "yes").want(t, 1, "", "no question waits for an answer")
	seen := watch(t, d)
	outcome := d.Send(t, &protocol.MCPToolCall{
		ID: "1", ToolName: "confirm_action", Arguments: []byte(`{"action":"Delete the\u001b[2J database","details":"all\nof it"}`),
		Meta: &protocol.CallMeta{Client: "claude-code 2"},
	})
	id := seen.await(protocol.QuestionOpen).ID

	list := runProgram(t, dir, nil, "questions")
	for _, want := range []string{"question " + id, "Delete the␛[2J database", "of it", "agent answer " + id + " yes", "by confirm_action of claude-code 2"} {
		list.want(t, 0, want, "")
	}
	runProgram(t, dir, nil, "answer", id, "perhaps").want(t, 1, "", "answer yes, no")
	runProgram(t, dir, nil, "answer", id).want(t, 2, "", "needs a choice")
	runProgram(t, dir, nil, "answer", "99", "yes").want(t, 1, "", `there is no question "99"`)
	runProgram(t, dir, nil, "answer", "y").want(t, 0, "question "+id+": Confirm\n", "")
	if r := daemontest.As[*protocol.MCPToolResponse](t, outcome()); string(r.Result) != `{"confirmed":true,"answered_by":"user","channel":"command"}` {
		t.Errorf("%s %v", r.Result, r.Error)
	}
	runProgram(t, dir, nil, "answer", id, "no").want(t, 1, "", "has been answered by command: Confirm")
	runProgram(t, dir, nil, "questions").want(t, 0, "no questions\n", "")
	runProgram(t, dir, nil, "questions", "--all").want(t, 0, "Confirm (command)", "")
}

func TestQuestionsWithoutADaemon(t *testing.T) {
	dir := daemontest.Project(t)
	runProgram(t, dir, nil, "questions").want(t, 1, "", "not running")
	runProgram(t, dir, nil, "answer", "1", "yes").want(t, 1, "", "not running")
}

// TestClientThatGoesWithdrawsItsQuestion closes the connection of the one who asks.
func TestClientThatGoesWithdrawsItsQuestion(t *testing.T) {
	dir := daemontest.Project(t)
	d := startDaemon(t, dir, nil)
	seen := watch(t, d)
	conn, err := net.Dial("unix", d.Socket())
	if err != nil {
		t.Fatal(err)
	}
	call := &protocol.MCPToolCall{ID: "1", ToolName: "request_guidance", Arguments: []byte(`{"context":"Which one?"}`)}
	if _, err := conn.Write(protocol.AppendRequest(nil, call)); err != nil {
		t.Fatal(err)
	}
	id := seen.await(protocol.QuestionOpen).ID
	conn.Close()
	if q := seen.await(protocol.QuestionWithdrawn); q.ID != id || q.Reason == "" {
		t.Errorf("%+v", q)
	}
	runProgram(t, dir, nil, "answer", id, "--text", "the first").want(t, 1, "", "withdrawn")
}

// TestQuestionOutlivesTheDaemon: what was answered is known after a restart, what was open is withdrawn.
func TestQuestionOutlivesTheDaemon(t *testing.T) {
	dir := daemontest.Project(t)
	d := startDaemon(t, dir, nil)
	seen := watch(t, d)
	for range 2 {
		d.Send(t, &protocol.MCPToolCall{ID: "1", ToolName: "confirm_action", Arguments: []byte(`{"action":"Go"}`)})
		seen.await(protocol.QuestionOpen)
	}
	runProgram(t, dir, nil, "answer", "1", "no").want(t, 0, "question 1: Cancel", "")
	d.Signal(t, os.Kill)
	d.Wait(t)
	startDaemon(t, dir, nil)
	all := runProgram(t, dir, nil, "questions", "--all")
	all.want(t, 0, "Cancel (command)", "")
	all.want(t, 0, "the daemon was restarted while it was open", "")
}

// TestQuestionIsShownByItsCaller checks that a client which can show questions gets its own.
func TestQuestionIsShownByItsCaller(t *testing.T) {
	d := startDaemon(t, daemontest.Project(t), nil)
	w := watch(t, d) // whose connection carries calls as well
	call := &protocol.MCPToolCall{ID: "7", ToolName: "confirm_action", Arguments: []byte(`{"action":"Go"}`), Elicit: true}
	if _, err := w.conn.Write(protocol.AppendRequest(nil, call)); err != nil {
		t.Fatal(err)
	}
	var shown *protocol.MCPToolQuestion
	for shown == nil {
		shown, _ = w.receive().(*protocol.MCPToolQuestion)
	}
	if shown.ID != "7" || shown.Question.Text != "Go" {
		t.Fatalf("%+v", shown)
	}
	about := protocol.AnswerRequest{Question: shown.Question.ID, Channel: "elicitation"}
	if r := daemontest.As[*protocol.AnswerResponse](t, d.Ask(t, &about)); len(r.Question.Seen) != 1 {
		t.Errorf("%+v", r)
	}
	about.Choice = "no"
	daemontest.As[*protocol.AnswerResponse](t, d.Ask(t, &about))
	var end *protocol.MCPToolResponse
	for end == nil {
		end, _ = w.receive().(*protocol.MCPToolResponse)
	}
	if string(end.Result) != `{"confirmed":false,"answered_by":"user","channel":"elicitation"}` {
		t.Errorf("%s %v", end.Result, end.Error)
	}
}

func TestUnreadableBoardIsSaid(t *testing.T) {
	dir := daemontest.Project(t)
	if err := os.Mkdir(filepath.Join(dir, ".tidepool"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, ".tidepool", "questions.json"), []byte("not JSON"), 0o600); err != nil {
		t.Fatal(err)
	}
	d := startDaemon(t, dir, nil)
	for _, record := range d.Log(t) {
		if strings.Contains(fmt.Sprint(record["err"]), "holds no questions") {
			return
		}
	}
	t.Error("the log says nothing")
}

// TestStopSyncsTheIssues ends turns of a project with issues, whose bd is a script.
func TestStopSyncsTheIssues(t *testing.T) {
	dir := daemontest.Project(t)
	bin := t.TempDir()
	script := "#!/bin/sh\ncase \"$*\" in version) ;; 'sync --help') echo 'Usage: bd sync --from-main' ;; 'sync --from-main') ;; *) exit 1 ;; esac\n"
	if err := os.WriteFile(filepath.Join(bin, "bd"), []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(dir, ".beads"), 0o700); err != nil {
		t.Fatal(err)
	}
	d := startDaemon(t, dir, []string{"PATH=" + bin + ":" + os.Getenv("PATH")})
	stop := func(active bool) {
		input := fmt.Sprintf(`{"hook_event_name":"Stop","session_id":"s","cwd":%q,"stop_hook_active":%t}`, dir, active)
		daemontest.As[*protocol.HookResponse](t, d.Ask(t, &protocol.HookEvent{Input: []byte(input)}))
	}
	stop(true)
	if s := d.Status(t); s.Tracker != nil {
		t.Errorf("a turn that goes on was closed: %+v", s.Tracker)
	}
	stop(false)
	daemontest.Eventually(t, "the issues are synced", func() bool { s := d.Status(t); return s.Tracker != nil && s.Tracker.Synced })
	runProgram(t, dir, nil, "status").want(t, 0, "by bd sync --from-main", "")
}

func TestQuestionNotifies(t *testing.T) {
	dir := daemontest.Project(t)
	told := filepath.Join(dir, "told")
	daemontest.WriteConfig(t, dir, fmt.Sprintf(`{"questions":{"notify":["sh","-c","printf %%s \"$1\" > %s","sh"]}}`, told))
	d := startDaemon(t, dir, nil)
	d.Send(t, &protocol.MCPToolCall{ID: "1", ToolName: "confirm_action", Arguments: []byte(`{"action":"Drop $(it)"}`)})
	daemontest.Eventually(t, "the program is run", func() bool { text, _ := os.ReadFile(told); return string(text) == "Drop $(it)" })
}

// TestAnswersAreNotMistaken for another question or for a flag.
func TestAnswersAreNotMistaken(t *testing.T) {
	dir := daemontest.Project(t)
	d := startDaemon(t, dir, nil)
	seen := watch(t, d)
	ask := func(arguments string) (id string, outcome func() protocol.Response) {
		outcome = d.Send(t, &protocol.MCPToolCall{ID: "1", ToolName: "select_option", Arguments: []byte(arguments)})
		return seen.await(protocol.QuestionOpen).ID, outcome
	}
	_, first := ask(`{"prompt":"Which?","options":[["2","two"],["$(id)","sub"],["-x","dash"]]}`)
	runProgram(t, dir, nil, "questions").want(t, 0, "agent answer 1 '$(id)'", "")
	runProgram(t, dir, nil, "answer", "7", "two").want(t, 1, "", `there is no question "7"`)
	runProgram(t, dir, nil, "answer", "2").want(t, 0, "question 1: two", "")
	if r := daemontest.As[*protocol.MCPToolResponse](t, first()); !strings.Contains(string(r.Result), `"selected":"2"`) {
		t.Errorf("%s %v", r.Result, r.Error)
	}
	_, second := ask(`{"prompt":"Which?","options":[["a","b"],["b","a"],["-x","dash"]]}`)
	runProgram(t, dir, nil, "questions").want(t, 0, "agent answer 2 -- -x", "")
	runProgram(t, dir, nil, "answer", "2", "--", "-x").want(t, 0, "question 2: dash", "")
	if r := daemontest.As[*protocol.MCPToolResponse](t, second()); !strings.Contains(string(r.Result), `"selected":"-x"`) {
		t.Errorf("%s %v", r.Result, r.Error)
	}
	ask(`{"prompt":"Which?","options":[["a","A"]]}`)
	ask(`{"prompt":"Which?","options":[["a","A"]]}`)
	runProgram(t, dir, nil, "answer", "a").want(t, 1, "", "say which: agent answer")
}

// TestWaitingQuestionsHoldUpNoTool asks more than may run at the same time.
func TestWaitingQuestionsHoldUpNoTool(t *testing.T) {
	dir := daemontest.Project(t)
	d := startDaemon(t, dir, []string{"TIDEPOOL_SERVER_WORKERS=2"})
	seen := watch(t, d)
	const questions = 40
	for range questions {
		d.Send(t, &protocol.MCPToolCall{ID: "1", ToolName: "confirm_action", Arguments: []byte(`{"action":"Go"}`)})
	}
	for open := 0; open < questions; {
		if h := daemontest.As[*protocol.Happening](t, seen.receive()); h.Questions != nil {
			open = len(h.Questions)
		}
	}
	found := d.Send(t, &protocol.MCPToolCall{ID: "1", ToolName: "exo_status"})
	if r := daemontest.As[*protocol.MCPToolResponse](t, found()); r.Error != nil {
		t.Errorf("%v", r.Error)
	}
	for i := range questions {
		runBoard(t, d, fmt.Sprint(i+1))
	}
}

// TestStopWithdrawsQuestions at once: nobody could answer while the daemon waits for its calls.
func TestStopWithdrawsQuestions(t *testing.T) {
	dir := daemontest.Project(t)
	d := startDaemon(t, dir, []string{"TIDEPOOL_SERVER_DRAIN_TIMEOUT=10m"})
	seen := watch(t, d)
	outcome := d.Send(t, &protocol.MCPToolCall{ID: "1", ToolName: "confirm_action", Arguments: []byte(`{"action":"Go"}`)})
	seen.await(protocol.QuestionOpen)
	d.Signal(t, syscall.SIGTERM)
	if r := daemontest.As[*protocol.MCPToolResponse](t, outcome()); r.Error == nil || !strings.Contains(r.Error.Message, "stopping") {
		t.Errorf("%s %v", r.Result, r.Error)
	}
	d.Wait(t)
	startDaemon(t, dir, nil)
	runProgram(t, dir, nil, "questions", "--all").want(t, 0, "the daemon is stopping", "")
}

// TestStatusNamesTheSources of the state of the work, with their versions.
func TestStatusNamesTheSources(t *testing.T) {
	dir := daemontest.Project(t)
	d := startDaemon(t, dir, nil)
	for deadline := time.Now().Add(daemontest.Patience); ; {
		s := daemontest.As[*protocol.StatusResponse](t, d.Send(t, &protocol.StatusRequest{})())
		if len(s.Sources) == 3 && s.Sources[0].Name == "git" && s.Sources[0].Version != "" {
			break
		}
		if time.Now().After(deadline) {
			t.Fatalf("%+v", s.Sources)
		}
	}
	runProgram(t, dir, nil, "status").want(t, 0, "git 2.", "")
	if r := d.Call(t, "exo_status", "{}"); !strings.Contains(string(r.Result), `"sources":[{"name":"git"`) {
		t.Errorf("%s %v", r.Result, r.Error)
	}
}

// runBoard answers a question yes.
func runBoard(t *testing.T, d running, id string) {
	t.Helper()
	answer := &protocol.AnswerRequest{Question: id, Channel: "test", QuestionReply: protocol.QuestionReply{Choice: ask.Yes}}
	daemontest.As[*protocol.AnswerResponse](t, d.Send(t, answer)())
}

// Questions that cannot be read cost no daemon its start: their file is set aside, the log says so, and a new one begins.
func TestUnreadableQuestionsAreSetAside(t *testing.T) {
	for name, spoil := range map[string]func(path string) error{
		"20 GB":   func(path string) error { return os.Truncate(path, 20<<30) },
		"no JSON": func(path string) error { return os.WriteFile(path, []byte("dear diary"), 0o600) },
	} {
		dir := daemontest.Project(t)
		path := filepath.Join(dir, ".tidepool", "questions.json")
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, nil, 0o600), spoil(path)); err != nil {
			t.Fatal(err)
		}
		was, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		d := startDaemon(t, dir, nil)
		daemontest.As[*protocol.QuestionsResponse](t, d.Ask(t, &protocol.QuestionsRequest{}))
		if now, err := os.Stat(path + ".unreadable"); err != nil || !os.SameFile(was, now) {
			t.Errorf("%s: it is not set aside: %v", name, err)
		}
		told := false
		for _, record := range d.Log(t) {
			told = told || strings.Contains(record["msg"].(string), "set aside") && record["to"] == path+".unreadable"
		}
		if !told {
			t.Errorf("%s: the log does not say so", name)
		}
	}
}
