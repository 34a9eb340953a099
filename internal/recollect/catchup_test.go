package recollect

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"tidepool/internal/conversation/tail"
	"tidepool/internal/recall"
	"tidepool/protocol"
)

// A step is something that happens in a session: a prompt, an edit, or a command.
type step struct {
	prompt  string
	edit    string
	command string
	output  string
	exit    int
}

// A play is a session that is told to hooks, and written into its transcript.
type play struct {
	t       *testing.T
	home    string
	session string
	cwd     string
	at      time.Time
	records int // that were made
	lines   []string
}

func newPlay(t *testing.T, session, cwd string) *play {
	t.Helper()
	return &play{t: t, home: t.TempDir(), session: session, cwd: cwd, at: time.Now().Add(-time.Hour).UTC().Truncate(time.Millisecond)}
}

func (p *play) path() string {
	return filepath.Join(p.home, ".claude", "projects", "-project", p.session+".jsonl")
}

// catchUp returns who reads the transcripts of the play's home, and nothing before it is asked.
func (p *play) catchUp(d *daemon) *CatchUp {
	finder := tail.NewFinder(tail.Options{Home: p.home, Getenv: func(string) string { return "" }})
	c := NewCatchUp(CatchUpOptions{Lessons: d.ready().Store, Open: finder.Open, Root: d.dir, After: time.Hour})
	p.t.Cleanup(c.Close)
	return c
}

// write writes the transcript as far as it goes.
func (p *play) write(more ...string) {
	p.t.Helper()
	if err := os.MkdirAll(filepath.Dir(p.path()), 0o700); err != nil {
		p.t.Fatal(err)
	}
	text := strings.Join(p.lines, "\n") + "\n" + strings.Join(more, "\n")
	if err := os.WriteFile(p.path(), []byte(text), 0o600); err != nil {
		p.t.Fatal(err)
	}
}

// record adds a record to the transcript, in the form that Claude Code gives it.
func (p *play) record(kind string, members map[string]any) {
	p.at = p.at.Add(time.Second)
	p.records++
	r := map[string]any{
		"type": kind, "uuid": fmt.Sprintf("u%d", p.records), "sessionId": p.session, "cwd": p.cwd, "isSidechain": false,
		"timestamp": p.at.Format("2006-01-02T15:04:05.000Z"),
	}
	for name, value := range members {
		r[name] = value
	}
	line, err := json.Marshal(r)
	if err != nil {
		p.t.Fatal(err)
	}
	p.lines = append(p.lines, string(line))
}

// play lets a step happen. With a daemon its hooks report it.
func (p *play) play(s step, d *daemon) {
	id := fmt.Sprintf("id-%d", p.records)
	common := fmt.Sprintf(`"session_id":%q,"transcript_path":%q,`, p.session, p.path())
	if s.prompt != "" {
		p.record("user", map[string]any{"promptId": id, "message": map[string]any{"role": "user", "content": s.prompt}})
		if d != nil {
			d.hook(protocol.UserPromptSubmit, common+fmt.Sprintf(`"prompt_id":%q,"prompt":%q`, id, s.prompt))
		}
		return
	}
	name, input, response := "Bash", map[string]any{"command": s.command}, map[string]any{"stdout": s.output, "stderr": "", "interrupted": false}
	if s.edit != "" {
		name, input, response = "Edit", map[string]any{"file_path": filepath.Join(p.cwd, s.edit)}, map[string]any{"filePath": filepath.Join(p.cwd, s.edit)}
	}
	p.record("assistant", map[string]any{"message": map[string]any{"role": "assistant", "content": []any{
		map[string]any{"type": "tool_use", "id": id, "name": name, "input": input},
	}}})
	call := common + fmt.Sprintf(`"tool_use_id":%q,"tool_name":%q,"tool_input":%s`, id, name, encoded(p.t, input))
	if s.exit != 0 {
		failure := fmt.Sprintf("Exit code %d\n%s", s.exit, s.output)
		p.record("user", map[string]any{"toolUseResult": "Error: " + failure, "message": map[string]any{"role": "user", "content": []any{
			map[string]any{"type": "tool_result", "tool_use_id": id, "is_error": true, "content": failure},
		}}})
		if d != nil {
			d.hook(protocol.PostToolUseFailure, call+fmt.Sprintf(`,"error":%q`, failure))
		}
		return
	}
	p.record("user", map[string]any{"toolUseResult": response, "message": map[string]any{"role": "user", "content": []any{
		map[string]any{"type": "tool_result", "tool_use_id": id, "content": s.output},
	}}})
	if d != nil {
		d.hook(protocol.PostToolUse, call+`,"tool_response":`+encoded(p.t, response))
	}
}

func (p *play) start(d *daemon, source string) {
	d.hook(protocol.SessionStart, fmt.Sprintf(`"session_id":%q,"transcript_path":%q,"source":%q`, p.session, p.path(), source))
}

func (p *play) end(d *daemon) {
	d.hook(protocol.SessionEnd, fmt.Sprintf(`"session_id":%q,"transcript_path":%q`, p.session, p.path()))
}

func encoded(t *testing.T, value any) string {
	t.Helper()
	data, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// remembered returns all memories, each with how often it was learned.
func remembered(d *daemon) string {
	d.t.Helper()
	s := d.ready().Store
	if err := s.Flush(d.t.Context()); err != nil {
		d.t.Fatal(err)
	}
	all, err := s.List(d.t.Context(), recall.ListQuery{Limit: 1000})
	if err != nil {
		d.t.Fatal(err)
	}
	lines := make([]string, len(all))
	for i, m := range all {
		e, err := s.Expand(d.t.Context(), m.ID)
		if err != nil {
			d.t.Fatal(err)
		}
		lines[i] = fmt.Sprintf("%s %s: %q %v, %d times", m.Kind, m.Session, m.Content, m.Files, len(e.History))
	}
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}

// script is a session in which each rule has something to learn.
func script() []step {
	return []step{
		{prompt: "Please make the drain test stable again."},
		{command: "go test ./drain", output: failing, exit: 1},
		{edit: "drain/drain.go"},
		{prompt: "From now on always use pnpm in web, never npm."},
		{command: "go test ./drain", output: passing},
		{edit: "web/app.ts"},
		{prompt: "No, don't put the receiver into a helper of its own."},
	}
}

func catchUpNow(t *testing.T, d *daemon, c *CatchUp) {
	t.Helper()
	if err := d.ready().Store.Flush(t.Context()); err != nil { // which sessions there are is queued, too
		t.Fatal(err)
	}
	if err := c.unread(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// A daemon that is killed in the middle of a session loses what came afterwards to nobody: its successor reads it, once.
func TestCatchUpLearnsWhatHooksMissed(t *testing.T) {
	whole := start(t, t.TempDir(), repository(t))
	p := newPlay(t, "one", whole.dir)
	for _, s := range script() {
		p.play(s, whole)
	}
	p.end(whole)
	want := remembered(whole)
	if strings.Count(want, "\n") < 3 {
		t.Fatalf("hooks alone have taught too little:\n%s", want)
	}
	for killed := range len(script()) + 1 {
		t.Run(fmt.Sprint(killed), func(t *testing.T) {
			d := start(t, t.TempDir(), whole.dir)
			p := newPlay(t, "one", d.dir)
			d.ready()
			p.start(d, "startup")
			for i, s := range script() {
				if i < killed {
					p.play(s, d)
				} else {
					p.play(s, nil)
				}
			}
			p.write()
			c := p.catchUp(d)
			for range 2 { // the second time changes nothing
				catchUpNow(t, d, c)
				if got := remembered(d); got != want {
					t.Errorf("after %d steps by hooks it remembers\n%s\nand not\n%s", killed, got, want)
				}
				p.write("") // the file is another one
			}
		})
	}
}

// Whatever hooks miss, a transcript has all that all hooks would have taught.
func TestCatchUpMissesNothing(t *testing.T) {
	dir := repository(t)
	few(t)
	steps := append(script(), step{command: "go test ./drain", output: failing, exit: 1}, step{command: "npm run lint", output: "missing script", exit: 1},
		step{command: "npm run check", output: "missing script: check", exit: 1}, step{command: "npm run verify", output: "fine"})
	rapid.Check(t, func(r *rapid.T) {
		chosen := rapid.SliceOfN(rapid.SampledFrom(steps), 1, 12).Draw(r, "steps")
		heard := rapid.SliceOfN(rapid.Bool(), len(chosen), len(chosen)).Draw(r, "heard")
		whole, partly := start(t, t.TempDir(), dir), start(t, t.TempDir(), dir)
		defer whole.stop()
		defer partly.stop()
		all, some := newPlay(t, "one", dir), newPlay(t, "one", dir)
		partly.ready()
		some.start(partly, "startup")
		for i, s := range chosen {
			all.play(s, whole)
			if heard[i] {
				some.play(s, partly)
			} else {
				some.play(s, nil)
			}
		}
		all.end(whole)
		some.write()
		some.end(partly)
		c := some.catchUp(partly)
		catchUpNow(t, partly, c)
		c.Close()
		got := remembered(partly)
		for want := range strings.Lines(remembered(whole)) {
			if !strings.Contains(got, strings.TrimSpace(want)) {
				r.Fatalf("%s\nis missing from\n%s", want, got)
			}
		}
	})
}

// few has properties checked 8 times: each check opens two stores.
func few(t *testing.T) {
	t.Helper()
	checks := flag.Lookup("rapid.checks")
	if checks.Value.String() != checks.DefValue {
		return // somebody has asked for so many
	}
	if err := checks.Value.Set("8"); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := checks.Value.Set(checks.DefValue); err != nil {
			t.Error(err)
		}
	})
}

// The end of a session has its transcript read, without waiting.
func TestCatchUpAtTheEnd(t *testing.T) {
	d := start(t, t.TempDir(), repository(t))
	p := newPlay(t, "one", d.dir)
	d.ready().CatchUp = p.catchUp(d)
	p.start(d, "startup")
	for _, s := range script() {
		p.play(s, nil)
	}
	p.write()
	p.end(d)
	deadline, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	for !strings.Contains(remembered(d), "always use pnpm") {
		if deadline.Err() != nil {
			t.Fatalf("only this was learned:\n%s", remembered(d))
		}
		time.Sleep(time.Millisecond)
	}
	transcripts, err := d.ready().Store.Transcripts(t.Context(), time.Time{}, 10)
	if err != nil || len(transcripts) != 1 {
		t.Fatalf("%v, %v", transcripts, err)
	}
}

// A line that is not complete is read once it is, and a file that was replaced is read anew.
func TestCatchUpOfAFileThatChanges(t *testing.T) {
	d := start(t, t.TempDir(), repository(t))
	p := newPlay(t, "one", d.dir)
	d.ready()
	p.start(d, "startup")
	p.play(step{prompt: "From now on always use pnpm in web, never npm."}, nil)
	p.play(step{prompt: "Please remember that tests must never use the network."}, nil)
	whole := p.lines
	last := whole[1]
	p.lines = whole[:1]
	p.write(last[:len(last)/2])
	c := p.catchUp(d)
	catchUpNow(t, d, c)
	if got := remembered(d); !strings.Contains(got, "pnpm") || strings.Contains(got, "network") {
		t.Errorf("of a line and a half it remembers\n%s", got)
	}
	p.lines = whole
	p.write()
	catchUpNow(t, d, c)
	once := remembered(d)
	if !strings.Contains(once, "network") {
		t.Errorf("of the completed line it remembers\n%s", once)
	}
	p.lines = whole[1:]
	p.play(step{prompt: "In this project we always squash commits before a merge."}, nil)
	p.write()
	catchUpNow(t, d, c)
	if got := remembered(d); !strings.Contains(got, "squash") || strings.Count(got, ", 1 times") != 3 {
		t.Errorf("of the new file it remembers\n%s", got)
	}
	if err := os.Remove(p.path()); err != nil {
		t.Fatal(err)
	}
	if err := c.unread(t.Context()); err != nil {
		t.Errorf("a file that is gone: %v", err)
	}
}

// What may not be remembered is not learned from the transcript either.
func TestCatchUpLeavesOut(t *testing.T) {
	secret := step{prompt: "From now on always use the staging database, never production."}
	for name, c := range map[string]func(*daemon, *play){
		"a session that was begun with TIDEPOOL_RECALL=0": func(d *daemon, p *play) {
			d.hook(protocol.SessionStart, fmt.Sprintf(`"session_id":"one","transcript_path":%q,"source":"startup"`, p.path()), true)
			p.play(secret, nil)
		},
		"one that went on with it": func(d *daemon, p *play) {
			p.start(d, "startup")
			d.hook(protocol.SessionStart, fmt.Sprintf(`"session_id":"one","transcript_path":%q,"source":"resume"`, p.path()), true)
			p.play(secret, nil)
		},
		"one that went on after its end, where no hook was heard": func(d *daemon, p *play) {
			p.start(d, "startup")
			p.at = time.Now()
			p.end(d)
			p.play(secret, nil)
		},
		"what was before a session that nobody knows was taken up again": func(d *daemon, p *play) {
			p.play(secret, nil)
			p.start(d, "resume")
		},
		"a session while recall is off": func(d *daemon, p *play) {
			p.start(d, "startup")
			d.opener.Enable(false)
			p.play(secret, d)
			d.opener.Enable(true)
			p.play(step{command: "ls"}, d)
		},
		"another session's record": func(d *daemon, p *play) {
			p.start(d, "startup")
			p.session = "two"
			p.play(secret, nil)
			p.session = "one"
		},
		"a subagent's record in the session's file": func(d *daemon, p *play) {
			p.start(d, "startup")
			p.record("user", map[string]any{"isSidechain": true, "message": map[string]any{"role": "user", "content": secret.prompt}})
		},
		"what was said before everything was forgotten": func(d *daemon, p *play) {
			p.start(d, "startup")
			p.play(secret, nil)
			if _, err := d.ready().Store.ForgetMatching(t.Context(), recall.Selection{All: true}, false); err != nil {
				t.Error(err)
			}
			d.ready().Store.SessionBegan(recall.Beginning{ID: "one", Transcript: p.path()})
		},
	} {
		t.Run(name, func(t *testing.T) {
			d := start(t, t.TempDir(), repository(t))
			p := newPlay(t, "one", d.dir)
			d.ready()
			c(d, p)
			p.write()
			catchUpNow(t, d, p.catchUp(d))
			if got := remembered(d); strings.Contains(got, "staging") {
				t.Errorf("it remembers\n%s", got)
			}
		})
	}
}

// A session that was taken up again after its end is learned from but for what was said in between.
func TestCatchUpAfterResuming(t *testing.T) {
	d := start(t, t.TempDir(), repository(t))
	p := newPlay(t, "one", d.dir)
	d.ready()
	p.start(d, "startup")
	p.play(step{prompt: "From now on always use pnpm in web, never npm."}, nil)
	p.end(d)
	p.at = time.Now()
	time.Sleep(2 * time.Millisecond) // times are kept in milliseconds
	p.at = p.at.Add(-time.Second)
	p.start(d, "resume")
	p.at = time.Now()
	p.play(step{prompt: "Please remember that tests must never use the network."}, nil)
	p.write()
	catchUpNow(t, d, p.catchUp(d))
	if got := remembered(d); !strings.Contains(got, "pnpm") || !strings.Contains(got, "network") {
		t.Errorf("it remembers\n%s", got)
	}
}

// The transcript of a subagent is read with its session's, by the rules for subagents.
func TestCatchUpOfSubagents(t *testing.T) {
	d := start(t, t.TempDir(), repository(t))
	p := newPlay(t, "one", d.dir)
	d.ready()
	p.start(d, "startup")
	p.play(step{prompt: "Let somebody repair the drain test, please."}, nil)
	p.write()
	agent := newPlay(t, "one", d.dir)
	for _, s := range script() {
		agent.play(s, nil)
	}
	lines := strings.ReplaceAll(strings.Join(agent.lines, "\n")+"\n", `"isSidechain":false`, `"isSidechain":true,"agentId":"a1"`)
	dir := filepath.Join(strings.TrimSuffix(p.path(), ".jsonl"), "subagents")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "agent-a1.jsonl"), []byte(lines), 0o600); err != nil {
		t.Fatal(err)
	}
	catchUpNow(t, d, p.catchUp(d))
	got := remembered(d)
	if !strings.Contains(got, "fix one: ") || strings.Contains(got, "preference") {
		t.Errorf("it remembers\n%s", got)
	}
}
