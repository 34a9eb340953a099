package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"tidepool/internal/daemontest"
	"tidepool/protocol"
)

// A keeper is a user who remembers: a project, and a directory of memories of its own.
type keeper struct {
	t       *testing.T
	project string
	data    string
	vars    []string
}

func newKeeper(t *testing.T) *keeper {
	k := &keeper{t: t, project: daemontest.Project(t), data: daemontest.Project(t)}
	k.vars = []string{"XDG_DATA_HOME=" + k.data}
	return k
}

// in is the same user in another project.
func (k *keeper) in(project string) *keeper { return &keeper{k.t, project, k.data, k.vars} }

func (k *keeper) memory(args ...string) result {
	k.t.Helper()
	return runProgram(k.t, k.project, k.vars, append([]string{"memory"}, args...)...)
}

// saves keeps a memory and returns its id.
func (k *keeper) saves(args ...string) string {
	k.t.Helper()
	r := k.memory(append([]string{"save"}, args...)...)
	id := regexp.MustCompile(`mem_[0-9a-f]{12}`).FindString(r.out)
	if r.code != 0 || id == "" {
		k.t.Fatalf("%+v", r)
	}
	return id
}

const drainFix = "TestDrainOrder raced because Stop closed the channel before the last worker returned."

func TestMemoryIsFoundShownAndForgotten(t *testing.T) {
	k := newKeeper(t)
	fix := k.saves(drainFix+"\nIt waits for the workers now.", "--kind", "fix", "--outcome", "success", "--tag", "queue", "--file", "queue/stop.go")
	k.saves("The till rounds to five cents.")
	k.memory("recall", "why", "does", "TestDrainOrder", "race").want(t, 0, "1 memory; complete\nfix           TestDrainOrder raced because Stop closed the channel before the\n", "")
	shown := k.memory("show", fix)
	for _, part := range []string{"text          TestDrainOrder raced", "\n              It waits for the workers now.\n", "tags          queue\n", "files         queue/stop.go\n", "believed      0.50\n", "learned\n", fix + ", "} {
		shown.want(t, 0, part, "")
	}
	var answer struct {
		Memories []struct{ ID, Kind, Content, Project string }
		Complete bool
	}
	if err := json.Unmarshal([]byte(k.memory("recall", "--json", "channel closed by Stop").out), &answer); err != nil || !answer.Complete || len(answer.Memories) != 1 ||
		answer.Memories[0].ID != fix || answer.Memories[0].Project != filepath.Base(k.project) {
		t.Errorf("%+v, %v", answer, err)
	}
	k.memory("forget", fix).want(t, 0, "forgotten     1 memory\n", "")
	k.memory("show", fix).want(t, 1, "", "no memory has the id")
	k.memory("recall", "TestDrainOrder").want(t, 0, "0 memories; complete\n", "")
	k.leavesNothingOf("last worker returned")
}

// leavesNothingOf checks that a text is in no file of the memories.
func (k *keeper) leavesNothingOf(text string) {
	k.t.Helper()
	files := 0
	err := filepath.WalkDir(k.data, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		files++
		data, err := os.ReadFile(path)
		if bytes.Contains(data, []byte(text)) {
			k.t.Errorf("%s still has %q", path, text)
		}
		return err
	})
	if err != nil || files == 0 {
		k.t.Errorf("%d files, %v", files, err)
	}
}

func TestMemoryForgetsMoreThanOneOnlyWhenAsked(t *testing.T) {
	k := newKeeper(t)
	one, two := k.saves(drainFix), k.saves("The channel of the till is closed at night.")
	other := k.in(daemontest.Project(t))
	other.saves("Always close the channel of the harbor.")

	k.memory("forget", one, two).want(t, 1, one, "there is no terminal to ask at")
	k.memory("forget", "--matching", "channel").want(t, 1, two, "nothing was forgotten")
	k.memory("forget", "--matching", "channel", "--dry-run").want(t, 0, "dry run       2 memories would be forgotten\n", "")
	k.memory("forget").want(t, 2, "", "forget takes ids, or says which")
	k.memory("forget", one, "--all").want(t, 2, "", "forget takes ids, or says which")
	k.memory("forget", one, "mem_000000000000", "--yes").want(t, 1, "", "no memory has the id")
	k.memory("status").want(t, 0, "memories      2 of this project, 3 in 2 projects\n", "")

	k.memory("forget", "--matching", "channel night", "--yes").want(t, 0, "forgotten     1 memory\n", "")
	k.memory("forget", "--before", "2001-01-01", "--all", "--yes").want(t, 0, "forgotten     0 memories\n", "")
	k.memory("forget", "--whole-project", "--yes").want(t, 0, "forgotten     1 memory\n", "")
	other.memory("status").want(t, 0, "memories      1 of this project, 1 in 1 project\n", "")
	k.memory("forget", "--all", "--yes").want(t, 0, "forgotten     1 memory\n", "")
	k.leavesNothingOf("channel")
}

// TestMemoryOfAModelsProcess saves, finds and forgets by id. What it may not: forget much at once, say who has said something, take all of it.
func TestMemoryOfAModelsProcess(t *testing.T) {
	k := newKeeper(t)
	model := &keeper{t, k.project, k.data, append([]string{"CLAUDECODE=1"}, k.vars...)}
	id := model.saves(drainFix)
	model.memory("recall", "TestDrainOrder").want(t, 0, id, "")
	model.memory("export", "--whole-project").want(t, 0, id, "")
	for _, args := range [][]string{{"forget", "--all", "--yes"}, {"forget", "--matching", "Stop", "--yes"}, {"import"}, {"export"}, {"backup", filepath.Join(k.data, "copy")}} {
		model.memory(args...).want(t, 1, "", "only a person may do this")
	}
	model.memory("forget", "--all", "--dry-run").want(t, 0, "1 memory would be forgotten", "")
	model.memory("forget", id).want(t, 0, "forgotten     1 memory\n", "")
}

func TestMemoryMoves(t *testing.T) {
	k := newKeeper(t)
	id := k.saves(drainFix, "--kind", "decision", "--for-user")
	out := filepath.Join(t.TempDir(), "memories.jsonl")
	k.memory("export", "-o", out).want(t, 0, "", "written to ")
	if info, err := os.Stat(out); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info, err)
	}
	k.memory("export", "-o", out).want(t, 1, "", "file exists")
	elsewhere := newKeeper(t)
	elsewhere.memory("import", out).want(t, 0, "imported      1 memory\n", "")
	elsewhere.memory("import", out).want(t, 0, "imported      0 memories\n              1 were there already\n", "")
	elsewhere.memory("show", id).want(t, 0, "for you in all projects", "")
	if err := os.WriteFile(out, []byte("{}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	elsewhere.memory("import", out).want(t, 1, "imported      0 memories\n", "line 1 cannot be imported")

	copied := filepath.Join(t.TempDir(), "tidepool", "memory.db")
	if err := os.Mkdir(filepath.Dir(copied), 0o700); err != nil {
		t.Fatal(err)
	}
	k.memory("backup", copied).want(t, 0, "", "what is forgotten from now on stays in it")
	restored := &keeper{t, k.project, filepath.Dir(filepath.Dir(copied)), []string{"XDG_DATA_HOME=" + filepath.Dir(filepath.Dir(copied))}}
	restored.memory("recall", "TestDrainOrder").want(t, 0, id, "")
}

// TestMemoryReachesNoTerminal as it was written: what a clone, a tool or a model has brought in.
func TestMemoryReachesNoTerminal(t *testing.T) {
	k := newKeeper(t)
	const evil = "turnstile\x1b]0;owned\x07 \u202efdp\u009b2J"
	id := k.saves(evil+"\nsecond\x1b[2J", "--tag", "a\x1b[31m", "--file", "b\x07")
	for _, args := range [][]string{{"recall", "turnstile"}, {"show", id}, {"why", "turnstile owned second"}, {"forget", id, "--dry-run"}, {"recall", "--json", "turnstile"}} {
		r := k.memory(args...)
		if r.code != 0 || !strings.Contains(r.out, "turnstile") || strings.ContainsAny(r.out, "\x1b\x07\u202e\u009b") {
			t.Errorf("%v: %d, %+q, %+q", args, r.code, r.out, r.err)
		}
	}
}

// TestMemorySaysWhy of what is told and of what is not.
func TestMemorySaysWhy(t *testing.T) {
	k := newKeeper(t)
	k.saves(drainFix, "--kind", "fix")
	k.saves("The till rounds to five cents.")
	why := k.memory("why", "why did TestDrainOrder race before the last worker returned?")
	for _, part := range []string{"told          1 memory, of 1 that were considered\n", "bar           z ≥ ", "words         ", "fix           TestDrainOrder raced", "z ", "= cover ", " + chance ", "score ", "words: "} {
		why.want(t, 0, part, "")
	}
	k.memory("why", "continue").want(t, 0, "silent        nothing is told: ", "")
	k.memory("why", "which worker is it?").want(t, 0, "silent        nothing is told: ", "")
}

func TestMemoryWithoutAPlace(t *testing.T) {
	k := newKeeper(t)
	if err := os.WriteFile(filepath.Join(k.data, "tidepool"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	r := k.memory("save", "x")
	r.want(t, 1, "", "recall is off: ")
	r.want(t, 1, "", "hint: ")
}

// tells has a session of a daemon told something at a prompt, and ends the daemon.
func (k *keeper) tells(prompt string) {
	k.t.Helper()
	d := startDaemon(k.t, k.project, k.vars)
	event := fmt.Sprintf(`{"hook_event_name":"UserPromptSubmit","session_id":"s","cwd":%q,"prompt":%q}`, k.project, prompt)
	daemontest.Eventually(k.t, "the prompt is told something", func() bool {
		r := daemontest.As[*protocol.HookResponse](k.t, d.Ask(k.t, &protocol.HookEvent{Input: json.RawMessage(event)}))
		return strings.Contains(string(r.Output), "memory-data")
	})
	d.Signal(k.t, os.Interrupt)
	d.Wait(k.t)
}

// TestDoctorExaminesMemories, and makes none.
func TestDoctorExaminesMemories(t *testing.T) {
	k := newKeeper(t)
	examines := func(want string) {
		t.Helper()
		r := runProgram(t, k.project, k.vars, "doctor")
		if !strings.Contains(strings.Join(strings.Fields(r.out), " "), want) {
			t.Errorf("%+v", r)
		}
	}
	examines("ok memories: nothing is remembered yet")
	if _, err := os.Stat(filepath.Join(k.data, "tidepool")); err == nil {
		t.Error("doctor has made a place for memories")
	}
	k.saves(drainFix)
	examines("ok memories: 1 memory in " + filepath.Join(k.data, "tidepool"))
	if err := os.WriteFile(filepath.Join(k.data, "tidepool", "memory.db"), []byte("SQLite format 3\x00 or not"), 0o600); err != nil {
		t.Fatal(err)
	}
	k.memory("status").want(t, 0, "set aside     ", "")
	daemontest.WriteConfig(t, k.project, `{"recall": {"enabled": false}}`)
	examines("ok memories: switched off by recall.enabled")
}

// TestMemoryWithoutTheTeam finds what is here, and says what is missing.
func TestMemoryWithoutTheTeam(t *testing.T) {
	k := newKeeper(t)
	daemontest.WriteConfig(t, k.project, `{"recall": {"team": "postgres://nobody@127.0.0.1:1/none?connect_timeout=1"}}`)
	id := k.saves(drainFix)
	r := k.memory("recall", "TestDrainOrder")
	r.want(t, 0, "1 memory; incomplete: ", "")
	r.want(t, 0, id, "")
	k.memory("why", "why did TestDrainOrder race before the last worker returned?").want(t, 0, "team          ", "")
	if r := k.memory("save", "--for-team", drainFix); r.code != 1 || r.err == "" || r.out != "" {
		t.Errorf("%+v", r)
	}
}
