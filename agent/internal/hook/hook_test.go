package hook_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"tidepool/agent/internal/hook"
	"tidepool/agent/internal/peertest"
	"tidepool/protocol"
)

// A result is what a hook's process shows.
type result struct {
	status         int
	stdout, stderr string
}

// run runs a hook in dir with input on its stdin; env is "NAME=value" entries.
func run(t *testing.T, dir string, event protocol.Event, input string, env ...string) result {
	t.Helper()
	h := hook.Hook{Event: event, Runtime: "claude", Start: time.Now(), Dir: dir, Stdin: stdin(t, input)}
	return runHook(h, env...)
}

func runHook(h hook.Hook, env ...string) result {
	var stdout, stderr bytes.Buffer
	h.Stdout, h.Stderr = &stdout, &stderr
	h.Getenv = func(name string) string {
		for _, entry := range env {
			if value, ok := strings.CutPrefix(entry, name+"="); ok {
				return value
			}
		}
		return ""
	}
	status := h.Run()
	return result{status, stdout.String(), stderr.String()}
}

// stdin is a pipe that holds input and then ends.
func stdin(t *testing.T, input string) *os.File {
	t.Helper()
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { read.Close() })
	go func() {
		_, _ = write.WriteString(input)
		write.Close()
	}()
	return read
}

func sample(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("../../../protocol/testdata/hooks", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// answer starts a daemon that gives every hook the same raw reply.
func answer(t *testing.T, dir, reply string) {
	t.Helper()
	peertest.Start(t, dir, func(c *peertest.Conn, _ protocol.Request) { c.Raw(reply + "\n") })
}

func TestInputReachesTheDaemonByteForByte(t *testing.T) {
	files, err := filepath.Glob("../../../protocol/testdata/hooks/*.json")
	if err != nil || len(files) < 50 {
		t.Fatalf("%d samples, %v", len(files), err)
	}
	dir := peertest.Project(t)
	inputs := make(chan *protocol.HookEvent, 1)
	peertest.Start(t, dir, func(c *peertest.Conn, r protocol.Request) {
		if _, ok := r.(*protocol.Ping); ok { // before an Elicitation
			c.Reply(&protocol.Pong{})
			return
		}
		inputs <- r.(*protocol.HookEvent)
		c.Reply(&protocol.HookResponse{Output: json.RawMessage(`{"continue":true}`)})
	})
	for _, file := range files {
		input := sample(t, filepath.Base(file))
		event, _, _ := strings.Cut(filepath.Base(file), ".")
		if got := run(t, dir, protocol.Event(event), input); got != (result{}) {
			t.Errorf("%s: %+v", file, got)
		}
		got := <-inputs
		if string(got.Input) != strings.TrimSpace(input) {
			t.Errorf("%s: the daemon got %s", file, got.Input)
		}
		if got.Runtime != "claude" || got.Event != "" {
			t.Errorf("%s: runtime %q, event %q", file, got.Runtime, got.Event)
		}
	}
}

// The command line says which event it is, and the input reaches the daemon as it came all the same.
func TestCommandLineSaysWhichEvent(t *testing.T) {
	dir := peertest.Project(t)
	inputs := make(chan *protocol.HookEvent, 1)
	peertest.Start(t, dir, func(c *peertest.Conn, r protocol.Request) {
		inputs <- r.(*protocol.HookEvent)
		c.Reply(&protocol.HookResponse{})
	})
	for input, want := range map[string]protocol.Event{
		`{"tool_name":"Bash"}`:                                "PreToolUse",
		`{"tool_name":"Bash","hook_event_name":"Stop","x":1}`: "PreToolUse",
		`{"tool_name":"Bash","hook_event_name":null}`:         "PreToolUse",
		`{"tool_name":"Bash","hook_event_name":"PreToolUse"}`: "",
	} {
		if got := run(t, dir, "PreToolUse", input, "TIDEPOOL_FAIL_MODE=closed"); got != (result{}) {
			t.Errorf("%s: %+v", input, got)
		}
		if got := <-inputs; string(got.Input) != input || got.Event != want {
			t.Errorf("%s: the daemon got %+v", input, got)
		}
	}
}

func TestLineBreaksBetweenTokensBecomeSpaces(t *testing.T) {
	dir := peertest.Project(t)
	inputs := make(chan string, 1)
	peertest.Start(t, dir, func(c *peertest.Conn, r protocol.Request) {
		inputs <- string(r.(*protocol.HookEvent).Input)
		c.Reply(&protocol.HookResponse{})
	})
	large := strings.Repeat("ü", 1<<20)
	run(t, dir, "Stop", "{\n\t\"a\": \"b\\n"+large+"\"\r\n}\n")
	if got, want := <-inputs, "{ \t\"a\": \"b\\n"+large+"\"  }"; got != want {
		t.Errorf("%d bytes, want %d", len(got), len(want))
	}
}

func TestOutput(t *testing.T) {
	specific := `{"continue":true,"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny"}}`
	for _, test := range []struct {
		name, reply, stdout string
		status              int
	}{
		{"passed on", `{"type":"HookResponse","output":` + specific + `,"exit_code":0}`, specific + "\n", 0},
		{"status", `{"type":"HookResponse","output":` + specific + `,"exit_code":2}`, specific + "\n", 2},
		{"nothing to say", `{"type":"HookResponse","output":{"continue":true},"exit_code":0}`, "", 0},
		{"nothing, with space", `{"type":"HookResponse", "output": { "continue" : true } , "exit_code": 0}`, "", 0},
		{"empty", `{"type":"HookResponse","output":{},"exit_code":0}`, "", 0},
		{"null", `{"type":"HookResponse","output":null,"exit_code":0}`, "", 0},
		{"halt", `{"type":"HookResponse","output":{"continue":false},"exit_code":0}`, `{"continue":false}` + "\n", 0},
		{
			"null members",
			`{"type":"HookResponse","output":{"decision":null,"hookSpecificOutput":{"hookEventName":"PermissionRequest","x":null,` +
				`"decision":{"behavior":"allow","message":null,"updatedInput":{"a":null,"b":"<"}}},"updatedToolOutput":{"y":null}},"exit_code":0}`,
			`{"hookSpecificOutput":{"decision":{"behavior":"allow","updatedInput":{"a":null,"b":"<"}},"hookEventName":"PermissionRequest"},` +
				`"updatedToolOutput":{"y":null}}` + "\n",
			0,
		},
		{"only null members", `{"type":"HookResponse","output":{"continue":true,"reason":null},"exit_code":0}`, "", 0},
		{"null in a text", `{"type":"HookResponse","output":{"systemMessage":"null"},"exit_code":0}`, `{"systemMessage":"null"}` + "\n", 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			dir := peertest.Project(t)
			answer(t, dir, test.reply)
			got := run(t, dir, "PreToolUse", sample(t, "PreToolUse.json"))
			if want := (result{test.status, test.stdout, ""}); got != want {
				t.Errorf("got  %+v\nwant %+v", got, want)
			}
		})
	}
}

// A project that has nothing to do with tidepool must not notice.
func TestSilenceOutsideAProject(t *testing.T) {
	dir := t.TempDir()
	for _, input := range []string{sample(t, "PreToolUse.json"), "", "no JSON"} {
		if got := run(t, dir, "PreToolUse", input, "TIDEPOOL_FAIL_MODE=closed"); got != (result{}) {
			t.Errorf("input %.20q: %+v", input, got)
		}
	}
}

// A longer limit than the event leaves counts only where nothing is refused.
func TestLimit(t *testing.T) {
	t.Parallel()
	var hooks sync.WaitGroup
	for _, test := range []struct {
		event    protocol.Event
		env      []string
		at, most time.Duration // most tells one limit from another; a busy machine lets none end on time
	}{
		{"PreToolUse", []string{"TIDEPOOL_HOOK_TIMEOUT=80ms"}, 80 * time.Millisecond, 4 * time.Second},
		{"SessionEnd", []string{"TIDEPOOL_HOOK_TIMEOUT=1h"}, 700 * time.Millisecond, 4 * time.Second},
		{"PreToolUse", []string{"TIDEPOOL_HOOK_TIMEOUT=1h", "TIDEPOOL_FAIL_MODE=closed"}, 5 * time.Second, time.Minute},
		{"PreToolUse", []string{"TIDEPOOL_HOOK_TIMEOUT=6500ms"}, 6500 * time.Millisecond, time.Minute},
	} {
		dir := peertest.Project(t)
		peertest.Start(t, dir, func(*peertest.Conn, protocol.Request) {}) // silence
		hooks.Go(func() {
			start := time.Now()
			got := run(t, dir, test.event, `{"tool_name":"Bash"}`, test.env...)
			if took := time.Since(start); took < test.at || took > test.most {
				t.Errorf("%s, %q: it took %v", test.event, test.env, took)
			}
			if got.status != 0 || !strings.Contains(got.stderr, "did not answer in time") {
				t.Errorf("%s, %q: %+v", test.event, test.env, got)
			}
		})
	}
	hooks.Wait()
}

// mark is where hooks leave that a daemon is silent.
func mark(dir string) string { return filepath.Join(dir, protocol.StateDir, protocol.TimeoutName) }

func TestLimitOfStdin(t *testing.T) {
	dir := peertest.Project(t)
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer read.Close()
	defer write.Close() // stays open while the hook waits
	if _, err := write.WriteString(`{"hook_event_name":`); err != nil {
		t.Fatal(err)
	}
	h := hook.Hook{Event: "PreToolUse", Runtime: "claude", Start: time.Now(), Dir: dir, Stdin: read}
	got := runHook(h, "TIDEPOOL_HOOK_TIMEOUT=50ms")
	if got.status != 0 || got.stdout != "" || !strings.Contains(got.stderr, "input did not end in time") {
		t.Errorf("got %+v", got)
	}
}

func TestWrongTimeoutIsSaid(t *testing.T) {
	dir := peertest.Project(t)
	answer(t, dir, `{"type":"HookResponse","output":{},"exit_code":0}`)
	for _, value := range []string{"5", "-1s", "soon"} {
		got := run(t, dir, "Stop", `{}`, "TIDEPOOL_HOOK_TIMEOUT="+value)
		if got.status != 0 || !strings.Contains(got.stderr, "is no duration such as 5s: using 5.7s") {
			t.Errorf("%s: %+v", value, got)
		}
	}
}

// A person may take minutes to answer, and a daemon that hangs must not.
func TestElicitationWaitsForAPerson(t *testing.T) {
	const limit = 400 * time.Millisecond // of any other event
	dir := peertest.Project(t)
	peertest.Start(t, dir, func(c *peertest.Conn, r protocol.Request) {
		if _, is := r.(*protocol.Ping); is {
			c.Reply(&protocol.Pong{})
			return
		}
		time.Sleep(2 * limit) // the person reads
		c.Reply(&protocol.HookResponse{Output: json.RawMessage(`{"continue":true,"hookSpecificOutput":{"hookEventName":"Elicitation","action":"decline"}}`)})
	})
	got := run(t, dir, "Elicitation", sample(t, "Elicitation.json"), "TIDEPOOL_HOOK_TIMEOUT="+limit.String())
	if got.status != 0 || !strings.Contains(got.stdout, `"action":"decline"`) || got.stderr != "" {
		t.Errorf("got %+v", got)
	}
	hung := peertest.Project(t)
	peertest.Start(t, hung, func(*peertest.Conn, protocol.Request) {})
	h := hook.Hook{Event: "Elicitation", Runtime: "claude", Start: time.Now().Add(-4500 * time.Millisecond), Dir: hung, Stdin: stdin(t, sample(t, "Elicitation.json"))}
	begin := time.Now()
	if got := runHook(h); got.stdout != "" || !strings.Contains(got.stderr, "did not answer in time") || time.Since(begin) > 4*time.Second {
		t.Errorf("after %v: %+v", time.Since(begin), got)
	}
}
