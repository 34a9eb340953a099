package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"tidepool/internal/daemontest"
	"tidepool/lsp/lsptest"
	"tidepool/protocol"
)

// diagnosed is a daemon that serves a Go module, ready, with more settings; its hooks have all the time they need.
func diagnosed(t *testing.T, settings string) running {
	t.Helper()
	dir := goModule(t)
	daemontest.WriteConfig(t, dir, patientConfig(t, settings))
	d := startDaemon(t, dir, []string{"GOWORK=off"})
	if s := daemontest.As[*protocol.StatusResponse](t, d.Ask(t, &protocol.StatusRequest{WaitReady: true})); len(s.LanguageServers) != 1 {
		t.Fatalf("status %+v", s)
	}
	return d
}

func patientConfig(t *testing.T, settings string) string {
	t.Helper()
	return fmt.Sprintf(`{"languages": {"go": {"command": [%q]}}, "server.hook_timeout": "1m", "diagnostics.budget": "1m"%s}`, lsptest.Program(t, "gopls"), settings)
}

// edit writes a file as the client's tool does, and returns what the model then reads of the hook.
func (r running) edit(t *testing.T, name, text string) string {
	t.Helper()
	return r.begin(t, name, text)()
}

// begin is edit whose hook does not wait; calling what it returns does.
func (r running) begin(t *testing.T, name, text string) func() string {
	t.Helper()
	path := filepath.Join(r.Project, name)
	event := map[string]any{
		"hook_event_name": "PreToolUse", "session_id": "s", "cwd": r.Project, "tool_name": "Edit", "tool_use_id": name, "tool_input": map[string]string{"file_path": path},
	}
	r.hooked(t, event)()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	event["hook_event_name"] = "PostToolUse"
	return r.hooked(t, event)
}

// hooked sends an event; calling what it returns waits for what the model reads.
func (r running) hooked(t *testing.T, input any) func() string {
	t.Helper()
	encoded, err := json.Marshal(input)
	if err != nil {
		t.Fatal(err)
	}
	wait := r.Send(t, &protocol.HookEvent{Input: encoded})
	return func() string {
		t.Helper()
		var output struct {
			HookSpecificOutput struct{ AdditionalContext string }
		}
		if err := json.Unmarshal(daemontest.As[*protocol.HookResponse](t, wait()).Output, &output); err != nil {
			t.Fatal(err)
		}
		return output.HookSpecificOutput.AdditionalContext
	}
}

func TestErrorsAfterEdit(t *testing.T) {
	d := diagnosed(t, "")
	const price = "package shop\n\nfunc Price(items int) int { return 3 * items }\n"
	steps := []struct {
		name, file, text string
		want             string // that the model reads
	}{
		{"a harmless edit", "price.go", price + "\n// Prices are whole.\n", ""},
		{"one that breaks a caller in another file", "price.go", strings.Replace(price, "items int", "items, tax int", 1),
			"tidepool: 1 error that was not there before:\nbasket.go:5:51: not enough arguments in call to Price have (int) want (int, int)"},
		{"another that leaves it so", "note.go", "package shop\n", ""},
		{"one that breaks itself, beside it", "note.go", "package shop\n\nvar note int = \"\"\n",
			"tidepool: 1 error that was not there before:\nnote.go:3:16: cannot use \"\" (untyped string constant) as int value in variable declaration"},
		{"one that moves an error", "note.go", "package shop\n\n// A note.\n\nvar note int = \"\"\n", ""},
		{"one that mends the caller", "price.go", price, ""},
		{"a file that is not code", "README.md", "# Shop\n", ""},
		{"one that breaks the module", "go.mod", "modul shop\n\ngo 1.26\n", "tidepool: 1 error that was not there before:\ngo.mod:1:1: unknown directive: modul"},
		{"one that mends it, and shows again what gopls could not see", "go.mod", "module shop\n\ngo 1.26\n",
			"tidepool: 1 error that was not there before:\nnote.go:5:16: cannot use \"\" (untyped string constant) as int value in variable declaration"},
	}
	for _, step := range steps {
		if got := d.edit(t, step.file, step.text); got != step.want {
			t.Errorf("%s:\ngot  %q\nwant %q", step.name, got, step.want)
		}
	}
}

// TestEditsInQuickSuccession makes the second before the first has been looked at: each error is told by one of them.
func TestEditsInQuickSuccession(t *testing.T) {
	d := diagnosed(t, "")
	const bad = "package shop\n\nvar %s int = \"\"\n"
	first := d.begin(t, "first.go", fmt.Sprintf(bad, "first"))
	second := d.begin(t, "second.go", fmt.Sprintf(bad, "second"))
	both := first() + "\n" + second()
	for _, file := range []string{"first.go:3:17: ", "second.go:3:18: "} {
		if strings.Count(both, file) != 1 {
			t.Errorf("%s is told %d times in\n%s", file, strings.Count(both, file), both)
		}
	}
}

func TestErrorsAfterEditOff(t *testing.T) {
	d := diagnosed(t, `, "diagnostics.enabled": false`)
	edits := 0
	bad := func() string { // an error more
		edits++
		return d.edit(t, fmt.Sprintf("note%d.go", edits), fmt.Sprintf("package shop\n\nvar note%d int = \"\"\n", edits))
	}
	if got := bad(); got != "" {
		t.Errorf("switched off, the model reads %q", got)
	}
	daemontest.WriteConfig(t, d.Project, patientConfig(t, ""))
	d.Signal(t, syscall.SIGHUP)
	daemontest.Eventually(t, "the setting is taken", func() bool { return bad() != "" })
}

func TestSessionStart(t *testing.T) {
	start := map[string]any{"hook_event_name": "SessionStart", "session_id": "s", "source": "startup"}
	d := diagnosed(t, `, "scout.scorer": "heuristic"`)
	want := "tidepool: gopls has loaded this project (complete): find_callers, scout, show_constructors, show_fields, teach-graph answer at once."
	if got := d.hooked(t, start)(); got != want {
		t.Errorf("got %q", got)
	}
	recent := d.Status(t).RecentHooks
	if parts := recent[len(recent)-1].Parts; len(parts) != 1 || parts[0] != (protocol.HookPart{Name: "languages", Characters: len(want)}) {
		t.Errorf("contributed %+v", parts)
	}
	d.edit(t, "price.go", "package shop\n") // which breaks the basket
	if got := d.hooked(t, start)(); got != "" {
		t.Errorf("in a project that does not compile: %q", got)
	}
	empty := startDaemon(t, daemontest.Project(t), nil)
	if got := empty.hooked(t, start)(); got != "" {
		t.Errorf("in a project without a language: %q", got)
	}
}
