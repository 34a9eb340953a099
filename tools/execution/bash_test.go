package execution

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"tidepool/internal/audit"
	"tidepool/internal/policy"
	"tidepool/internal/ref"
	"tidepool/internal/sandbox"
	"tidepool/internal/session"
	"tidepool/internal/state"
	"tidepool/protocol"
	"tidepool/tools/internal/toolstest"
)

func TestCommand(t *testing.T) {
	f := newFixture(t)
	out, text := call[SafeBashOutput](f, "safe_bash", args{"cmd": "echo out; echo err >&2; exit 3"})
	if out.ExitCode != 3 || out.StdoutPreview != "out" || out.StderrPreview != "err" || out.StdoutRef+out.StderrRef != "" || out.Isolation != sandbox.Full ||
		out.Summary != "Executed: echo out; echo err >&2; exit 3 (exit 3, 2 lines)" || out.TimedOut || out.Truncated || out.TokensUsed != tokensOf(text) {
		t.Errorf("%+v", out)
	}
	if !regexp.MustCompile(`^exit 3 in \d+\.\d+s · 2 lines · isolation full\nout\nerr\n$`).MatchString(text) {
		t.Errorf("%q", text)
	}
	e := f.lastEntry()
	if e.Tool != "safe_bash" || e.Session != "s" || e.Input != "echo out; echo err >&2; exit 3" || *e.Exit != 3 || e.Bytes != 8 || e.Isolation != "full" || len(e.SHA256) != 64 {
		t.Errorf("%+v", e)
	}
}

// Of a long output the lines that matter are shown, and all of it is kept.
func TestLongOutput(t *testing.T) {
	f := newFixture(t)
	out, text := call[SafeBashOutput](f, "safe_bash", args{"cmd": `i=0; while [ $i -lt 2000 ]; do echo "step $i is fine"; i=$((i+1)); done; echo "a.go:12:3: error: undefined: x"; exit 1`})
	if !strings.Contains(text, "a.go:12:3: error: undefined: x") || len(text) > 700 || out.StdoutRef == "" || out.StderrRef != "" || out.Lines != 2001 {
		t.Fatalf("%+v\n%s", out, text)
	}
	if want := fmt.Sprintf(`all of it: ref_content {"ref":"%s"} (stdout, `, out.StdoutRef); !strings.Contains(text, want) {
		t.Errorf("%s", text)
	}
	part, shown := call[RefContentOutput](f, "ref_content", args{"ref": out.StdoutRef, "lines": "11-12"})
	if shown != "11-12 of 2,001\n11: step 10 is fine\n12: step 11 is fine\n" || part.Lines != 2001 || part.Left != 0 {
		t.Errorf("%+v\n%s", part, shown)
	}
	if _, shown := call[RefContentOutput](f, "ref_content", args{"ref": out.StdoutRef, "grep": "error", "context": 1}); shown != "1 match in 2,001 lines\n2000- step 1999 is fine\n2001: a.go:12:3: error: undefined: x\n" {
		t.Errorf("%s", shown)
	}
	if part, shown := call[RefContentOutput](f, "ref_content", args{"ref": out.StdoutRef}); part.Left == 0 || !strings.HasSuffix(shown, fmt.Sprintf("(%s more: lines %d-)\n", number(part.Left), part.Last+1)) {
		t.Errorf("%s", shown)
	}
	_, err := f.callAs(session.Conversation{ID: session.ID{Session: "other"}}, "ref_content", args{"ref": out.StdoutRef})
	if _, missing := errors.AsType[*ref.NotFoundError](err); !missing {
		t.Errorf("another session: %v", err)
	}
	f.refuses("ref_content", args{"ref": out.StdoutRef, "grep": "("}, "missing closing )")
	f.refuses("ref_content", args{"ref": "../" + out.StdoutRef}, "no reference")
	f.refuses("ref_content", args{"ref": out.StdoutRef, "head": 1, "tail": 1}, "exclude each other")
}

// A secret is seen nowhere: in the answer, what is kept, the audit log, and whatever cuts the text.
func TestSecretsAreReplaced(t *testing.T) {
	f := newFixture(t)
	f.file("secret.txt", secret)
	out, text := call[SafeBashOutput](f, "safe_bash", args{"cmd": `i=0; while [ $i -lt 300 ]; do echo "$(cat secret.txt) $i"; i=$((i+1)); done; cat secret.txt | base64; cat secret.txt >&2`})
	if !strings.Contains(text, "[SECRET_1]") || len(out.Secrets) == 0 || out.StdoutRef == "" {
		t.Fatalf("%s", text)
	}
	_, kept := call[RefContentOutput](f, "ref_content", args{"ref": out.StdoutRef, "tail": 5})
	if !strings.Contains(kept, "[SECRET_1] 299") {
		t.Errorf("%s", kept)
	}
	if _, shown := call[SafeReadOutput](f, "safe_read", args{"path": "secret.txt"}); !strings.Contains(shown, "1: [SECRET_1]\n") {
		t.Errorf("%s", shown)
	}
	// A command that names the secret itself runs, and is written down without it.
	_, text = call[SafeBashOutput](f, "safe_bash", args{"cmd": "echo " + secret})
	if e := f.lastEntry(); e.Input != "echo [SECRET_1]" || !strings.HasSuffix(text, "[SECRET_1]\n") {
		t.Errorf("%+v\n%s", e, text)
	}
	err := filepath.WalkDir(f.dir.Path(), func(path string, d os.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		data, err := os.ReadFile(path)
		if strings.Contains(string(data), secret) {
			t.Errorf("%s holds the secret", path)
		}
		return err
	})
	must(t, err)
	f.refuses("safe_bash", args{"cmd": "curl -H 'X: [SECRET_1]' x"}, "contains a token")
	f.refuses("safe_write", args{"path": "a", "content": "[SECRET_12]"}, "contains a token")
	f.refuses("safe_write", args{"path": "[SECRET_1]", "content": ""}, "contains a token")
}

// What cannot be written fails with the reason, in words of the system.
func TestWaysOutFail(t *testing.T) {
	f := newFixture(t)
	must(t, os.MkdirAll(filepath.Join(f.root, ".git", "hooks"), 0o755))
	for _, cmd := range []string{"echo x > .git/hooks/post-commit", "echo x > .tidepool/config.json", "echo x > $HOME/tidepool-test-file"} {
		out, text := call[SafeBashOutput](f, "safe_bash", args{"cmd": cmd})
		if out.ExitCode == 0 || !regexp.MustCompile(`Read-only|Permission denied|No such file|nonexistent`).MatchString(text) {
			t.Errorf("%s: %s", cmd, text)
		}
	}
}

func TestBadCommands(t *testing.T) {
	f := newFixture(t)
	outside := t.TempDir()
	f.file("file", "x")
	must(t, os.Symlink(outside, filepath.Join(f.root, "out")))
	for _, test := range []struct {
		in  args
		why string
	}{
		{args{}, "cmd: is required"},
		{args{"cmd": ""}, "cmd"},
		{args{"cmd": " \n"}, "there is no command"},
		{args{"cmd": "echo \x00"}, "NUL"},
		{args{"cmd": strings.Repeat("x", 1<<20)}, "at most 131,071"},
		{args{"cmd": "true", "timeout": 0}, "timeout"},
		{args{"cmd": "true", "timeout": -1}, "timeout"},
		{args{"cmd": "true", "timeout": 1_000_000}, "timeout"},
		{args{"cmd": "true", "preview": 10_000_000}, "preview"},
		{args{"cmd": "true", "working_dir": "/"}, "outside of the project"},
		{args{"cmd": "true", "working_dir": "../x"}, "outside of the project"},
		{args{"cmd": "true", "working_dir": outside}, "outside of the project"},
		{args{"cmd": "true", "working_dir": "out"}, "outside of the project"},
		{args{"cmd": "true", "working_dir": "file"}, "no directory"},
		{args{"cmd": "true", "working_dir": "none"}, "cannot run in"},
		{args{"cmd": "true", "working_dir": "a\x00b"}, "is no path"},
	} {
		f.refuses("safe_bash", test.in, test.why)
	}
	_, err := f.callAs(session.Conversation{Dir: outside}, "safe_bash", args{"cmd": "true"})
	if err == nil || !strings.Contains(err.Error(), "outside of the project") {
		t.Errorf("a caller in another tree: %v", err)
	}
	if e := f.lastEntry(); e.Exit != nil || e.Refused == "" {
		t.Errorf("%+v", e)
	}
}

func TestCommandRunsWhereItsCallerIs(t *testing.T) {
	f := newFixture(t)
	f.file("sub/below/x", "")
	link := filepath.Join(t.TempDir(), "link")
	must(t, os.Symlink(f.root, link))
	for dir, want := range map[string]string{"": "", f.root + "/sub": "/sub", link + "/sub/below": "/sub/below"} {
		result, err := f.callAs(session.Conversation{Dir: dir}, "safe_bash", args{"cmd": "pwd"})
		if err != nil || !strings.HasSuffix(result.Text, "\n"+f.root+want+"\n") {
			t.Errorf("%s: %s, %v", dir, result.Text, err)
		}
	}
	if _, text := call[SafeBashOutput](f, "safe_bash", args{"cmd": "pwd", "working_dir": "sub/below"}); !strings.HasSuffix(text, "/sub/below\n") {
		t.Errorf("%s", text)
	}
}

func TestTimeOver(t *testing.T) {
	f := newFixture(t)
	begin := time.Now()
	out, text := call[SafeBashOutput](f, "safe_bash", args{"cmd": "echo begin; sleep 1000 & sleep 1000", "timeout": 1})
	if out.ExitCode != 124 || !out.TimedOut || !strings.Contains(text, "timed out") || !strings.Contains(text, "begin") || time.Since(begin) > 20*time.Second {
		t.Errorf("after %v: %+v\n%s", time.Since(begin), out, text)
	}
}

func TestHostileOutput(t *testing.T) {
	f := newFixture(t)
	out, text := call[SafeBashOutput](f, "safe_bash", args{"cmd": `printf '\033[31mred\033[0m \033]0;title\007 \377\376 \342\200\256'`})
	if strings.ContainsAny(text, "\x1b\x07\u202e") || strings.ContainsAny(out.StdoutPreview, "\x1b\x07\u202e") || !strings.Contains(text, "red") {
		t.Errorf("%q", text)
	}
	out, text = call[SafeBashOutput](f, "safe_bash", args{"cmd": `yes "a long line of output" | head -c 3000000`})
	if !out.Truncated || !strings.Contains(text, "kept: the first 1.0 MB of 3.0 MB") || out.StdoutRef == "" {
		t.Errorf("%+v\n%s", out, text)
	}
	out, _ = call[SafeBashOutput](f, "safe_bash", args{"cmd": "yes", "timeout": 1})
	if !out.TimedOut || out.Lines == 0 {
		t.Errorf("%+v", out)
	}
}

// A full store is no reason not to run, and is said.
func TestOutputThatCannotBeKept(t *testing.T) {
	f := newFixture(t)
	small, err := ref.Open(f.dir.Sub("small"), ref.Options{MaxBytes: 10_000})
	must(t, err)
	f.parts.Refs = small
	out, text := call[SafeBashOutput](f, "safe_bash", args{"cmd": "seq 1 10000"})
	if out.StdoutRef != "" || !strings.Contains(text, "all of stdout is not kept: the whole text has 48894 bytes") || strings.Contains(text, "all of it: ref") {
		t.Errorf("%s", text)
	}
}

// If nothing can be written, a command runs nevertheless, and its answer says what is not kept and not written down.
func TestStateThatCannotBeWritten(t *testing.T) {
	f := newFixture(t)
	closed, err := state.Open(f.dir.Path())
	must(t, err)
	refs, err := ref.Open(closed.Sub("refs"), ref.Options{})
	must(t, err)
	must(t, closed.Close())
	f.parts.Refs, f.parts.Audit = refs, audit.New(closed, audit.Options{})
	_, text := call[SafeBashOutput](f, "safe_bash", args{"cmd": "seq 1 3000"})
	for _, want := range []string{"all of stdout is not kept: keeping the whole text: ", "writing the audit log: ", "\n3000\n"} {
		if !strings.Contains(text, want) {
			t.Errorf("%s is not said:\n%s", want, text)
		}
	}
	f.refuses("safe_bash", args{"cmd": " "}, "writing the audit log")
}

func TestPolicyDecides(t *testing.T) {
	f := newFixture(t)
	f.rules(deny("Bash", "", `\brm\b`), policy.Rule{Decision: "ask", Tool: "Bash", Pattern: "deploy"}, deny("Read", "", `private`), deny("Write", "content", "TODO"))
	f.file("private", "x")
	f.refuses("safe_bash", args{"cmd": "rm -rf ."}, "the rules say no")
	f.refuses("safe_read", args{"path": "private"}, "the rules say no")
	f.refuses("safe_write", args{"path": "a", "content": "TODO"}, "the rules say no")
	if e := f.lastEntry(); !strings.Contains(e.Refused, "the rules say no") || e.Exit != nil {
		t.Errorf("%+v", e)
	}
	call[SafeBashOutput](f, "safe_bash", args{"cmd": "echo deploy"})
	if !strings.Contains(f.user.Asked.Text, "Run: echo deploy") {
		t.Errorf("asked %+v", f.user.Asked)
	}
	f.user.Reply = toolstest.Saying("no", "")
	f.refuses("safe_bash", args{"cmd": "echo deploy"}, "the user said no")
}

func TestNetworkIsAskedFor(t *testing.T) {
	f := newFixture(t)
	const look = "cat /proc/net/dev | wc -l" // a loopback interface alone is 3 lines
	call[SafeBashOutput](f, "safe_bash", args{"cmd": look, "network": true})
	if !strings.Contains(f.user.Asked.Text, "with network") {
		t.Errorf("asked %+v", f.user.Asked)
	}
	f.user.Asked = protocol.Question{}
	f.user.Reply = toolstest.Saying("no", "")
	f.refuses("safe_bash", args{"cmd": look, "network": true}, "the user said no")
	f.user.Reply = func(protocol.Question) *protocol.QuestionReply { return nil }
	_, err := f.callAs(session.Conversation{}, "safe_bash", args{"cmd": look, "network": true})
	if err == nil || !strings.Contains(err.Error(), "neither a yes nor a no") {
		t.Errorf("nobody answers: %v", err)
	}
	f.user.Asked = protocol.Question{}
	f.parts.Limits.Network = "deny"
	f.refuses("safe_bash", args{"cmd": look, "network": true}, "exec.network")
	f.rules(policy.Rule{Decision: "allow", Tool: "Bash"})
	f.refuses("safe_bash", args{"cmd": look, "network": true}, "exec.network") // the rule does not speak of the network
	f.rules(policy.Rule{Decision: "allow", Tool: "Bash", Field: "network", Pattern: "true"})
	call[SafeBashOutput](f, "safe_bash", args{"cmd": look, "network": true})
	if f.user.Asked.Text != "" {
		t.Errorf("asked %+v", f.user.Asked)
	}
}

// Whoever has no isolation is refused, with what to do.
func TestWithoutIsolation(t *testing.T) {
	f := newFixture(t)
	box, err := sandbox.New(sandbox.Options{Program: []string{"/bin/false"}, Project: f.root, Scratch: filepath.Join(f.dir.Path(), "exec")})
	must(t, err)
	f.parts.Commands = box
	f.refuses("safe_bash", args{"cmd": "touch ran"}, "isolation here is none")
	if f.content("ran") != "" {
		t.Error("it has run")
	}
}

func TestFiftyAtOnce(t *testing.T) {
	f := newFixture(t)
	var all sync.WaitGroup
	for i := range 50 {
		all.Go(func() {
			result, err := f.callAs(session.Conversation{ID: session.ID{Session: "s"}}, "safe_bash", args{"cmd": fmt.Sprintf("echo %d > file%d; cat file%d", i, i, i)})
			if err != nil || !strings.HasSuffix(result.Text, fmt.Sprintf("\n%d\n", i)) {
				t.Errorf("%d: %s, %v", i, result.Text, err)
			}
		})
	}
	all.Wait()
	if n := len(f.entries()); n != 50 {
		t.Errorf("%d entries", n)
	}
}
