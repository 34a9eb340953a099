package execution

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"tidepool/internal/audit"
	"tidepool/internal/fingerprint"
	"tidepool/internal/policy"
	"tidepool/internal/ref"
	"tidepool/internal/sandbox"
	"tidepool/internal/sandbox/sandboxtest"
	"tidepool/internal/scrub"
	"tidepool/internal/session"
	"tidepool/internal/state"
	"tidepool/internal/wording"
	"tidepool/protocol"
	"tidepool/tools"
	"tidepool/tools/internal/toolstest"
	"tidepool/tools/people"
)

// program is what TestMain has built: the process between daemon and command.
var program []string

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "execution")
	if err == nil {
		program, err = sandboxtest.Build(dir)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	status := m.Run()
	os.RemoveAll(dir)
	os.Exit(status)
}

// secret is a value that the sessions of the tests know.
const secret = "hunter2-hunter2-hunter2"

// A fixture has the tools over a project, with real parts.
type fixture struct {
	t        testing.TB
	root     string
	dir      *state.Dir
	registry *tools.Registry
	parts    *Parts
	policy   *policy.Engine
	user     *toolstest.FakeUser
	secrets  *scrub.Sessions
}

func newFixture(t testing.TB) *fixture {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	must(t, err)
	dir, err := state.Make(state.Of(root))
	must(t, err)
	t.Cleanup(func() { must(t, dir.Close()) })
	box, err := sandbox.New(sandbox.Options{Program: program, Project: root, Scratch: filepath.Join(state.Of(root), "exec")})
	must(t, err)
	refs, err := ref.Open(dir.Sub("refs"), ref.Options{})
	must(t, err)
	scrubber, err := scrub.New(scrub.Options{})
	must(t, err)
	f := &fixture{t: t, root: root, dir: dir, registry: tools.NewRegistry(), user: toolstest.NewFakeUser(t, toolstest.Saying("yes", ""))}
	f.secrets = scrubber.Sessions(fingerprint.Key{1})
	f.secrets.Of("").Learn(fingerprint.Of(fingerprint.Key{1}, "TOKEN", secret)...)
	f.rules()
	f.parts = &Parts{
		Commands: box, Refs: refs, Audit: audit.New(dir, audit.Options{}), Env: []string{"PATH=" + os.Getenv("PATH"), "HOME=" + os.Getenv("HOME")},
		Secrets: func(session string) Secrets { return f.secrets.Of(session) }, Protect: []string{"ops"},
		Limits: Limits{Accept: sandbox.Full, Network: "ask", Timeout: 30 * time.Second, OutputBytes: 1 << 20},
	}
	must(t, f.registry.Discover(&Toolset{
		Root: root, Policy: f, People: &people.Toolset{Asker: f.user, Timeout: time.Second},
		Open: func(context.Context) (*Parts, error) { return f.parts, nil },
	}))
	return f
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// rules replaces the rules of the policy.
func (f *fixture) rules(rules ...policy.Rule) {
	f.t.Helper()
	p, err := policy.New(rules, false)
	must(f.t, err)
	f.policy = policy.NewEngine(p, slog.New(slog.DiscardHandler))
}

// Decide asks the present policy.
func (f *fixture) Decide(tool string, input json.RawMessage) (policy.Verdict, bool) {
	return f.policy.Decide(tool, input)
}

// file writes a file of the project.
func (f *fixture) file(path, content string) {
	f.t.Helper()
	path = filepath.Join(f.root, path)
	must(f.t, os.MkdirAll(filepath.Dir(path), 0o755))
	must(f.t, os.WriteFile(path, []byte(content), 0o644))
}

func (f *fixture) content(path string) string {
	f.t.Helper()
	data, err := os.ReadFile(filepath.Join(f.root, path))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		f.t.Fatal(err)
	}
	return string(data)
}

// callAs calls a tool from a session, in a directory.
func (f *fixture) callAs(from session.Conversation, tool string, arguments any) (tools.Result, error) {
	f.t.Helper()
	data, err := json.Marshal(arguments)
	must(f.t, err)
	return f.registry.Call(f.t.Context(), tools.Call{Tool: tool, Caller: from}, data)
}

type args map[string]any

// call calls a tool, and decodes its output.
func call[Out any](f *fixture, tool string, arguments args) (out Out, text string) {
	f.t.Helper()
	result, err := f.callAs(session.Conversation{ID: session.ID{Session: "s"}}, tool, arguments)
	if err != nil {
		f.t.Fatalf("%s %v: %v (%s)", tool, arguments, err, wording.HintOf(err))
	}
	must(f.t, json.Unmarshal(result.JSON, &out))
	return out, result.Text
}

// refuses checks that a tool does nothing, and says why and what to do.
func (f *fixture) refuses(tool string, arguments args, why string) {
	f.t.Helper()
	result, err := f.callAs(session.Conversation{ID: session.ID{Session: "s"}}, tool, arguments)
	if err == nil {
		f.t.Errorf("%s %.80v is not refused: %s", tool, arguments, result.Text)
	} else if !strings.Contains(err.Error(), why) || wording.HintOf(err) == "" || len(err.Error()) > 600 {
		f.t.Errorf("%s %.80v: %.600v (%s), want %s", tool, arguments, err, wording.HintOf(err), why)
	}
}

// entries returns what was written down, after checking the chain.
func (f *fixture) entries() (all []audit.Line) {
	f.t.Helper()
	_, err := audit.Verify(f.dir, func(l audit.Line) error {
		all = append(all, l)
		return nil
	})
	must(f.t, err)
	return all
}

func (f *fixture) lastEntry() audit.Line {
	f.t.Helper()
	all := f.entries()
	if len(all) == 0 {
		f.t.Fatal("nothing was written down")
	}
	return all[len(all)-1]
}

func deny(tool, field, pattern string) policy.Rule {
	return policy.Rule{Decision: protocol.Deny.String(), Tool: tool, Field: field, Pattern: pattern, Reason: "the rules say no"}
}
