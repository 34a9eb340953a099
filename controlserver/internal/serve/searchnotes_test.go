package serve

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"tidepool/internal/hook"
	"tidepool/internal/searchnote"
	"tidepool/lsp"
	"tidepool/lsp/lsptest"
	"tidepool/protocol"
	codetools "tidepool/tools/code"
	"tidepool/tools/lang"
)

var update = flag.Bool("update", false, "write the notes of testdata/searches.txtar")

// serveGo serves the files of an archive by a gopls of their own, which has loaded them.
func serveGo(t testing.TB, archive []byte) *codetools.Toolset {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	lsptest.Write(t, dir, string(archive))
	gopls := lsp.Languages()[slices.IndexFunc(lsp.Languages(), func(l lsp.Language) bool { return l.ID == "go" })]
	gopls.Command = append([]string{lsptest.Program(t, gopls.Command[0])}, gopls.Command[1:]...)
	project, err := lsp.Open(lsp.Options{Root: dir, Languages: []lsp.Language{gopls}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		defer cancel()
		if err := project.Close(ctx); err != nil {
			t.Error(err)
		}
	})
	return &codetools.Toolset{Project: project, Root: dir, Memory: new(lang.Memory)}
}

// search is a hook after a search, in the project's directory.
func search(t testing.TB, code *codetools.Toolset, line string) *hook.Event {
	t.Helper()
	in, err := protocol.DecodeHookInput([]byte(strings.ReplaceAll(line, "PROJECT", code.Root)))
	if err != nil {
		t.Fatal(err)
	}
	in.Event, in.Cwd = protocol.PostToolUse, code.Root
	event := &hook.Event{HookInput: in}
	event.From.Session, event.From.Agent = in.SessionID, in.AgentID
	return event
}

// Recorded searches, and what the model reads after each of them.
func TestSearchNotes(t *testing.T) {
	const file = "testdata/searches.txtar"
	archive, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	of := func(name string) *txtar.File {
		return &archive.Files[slices.IndexFunc(archive.Files, func(f txtar.File) bool { return f.Name == name })]
	}
	code := serveGo(t, txtar.Format(archive))
	notes := searchnote.New(describer{codetools.Summarizer{Toolset: code}}, searchnote.Settings{Enabled: true, Budget: time.Minute}, slog.New(slog.DiscardHandler))
	defer notes.Close()

	lines := strings.Split(strings.TrimSpace(string(of("searches.jsonl").Data)), "\n")
	if err := code.Project.WaitReady(t.Context()); err != nil {
		t.Fatal(err)
	}
	var got bytes.Buffer
	for _, line := range lines {
		var call struct {
			Tool  string          `json:"tool_name"`
			Input json.RawMessage `json:"tool_input"`
		}
		if err := json.Unmarshal([]byte(line), &call); err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&got, "%s %s\n", call.Tool, call.Input)
		note := notes.Hook(t.Context(), search(t, code, line)).Context
		if note == "" {
			note = "(nothing)"
		}
		fmt.Fprintln(&got, "    "+strings.ReplaceAll(note, "\n", "\n    "))
	}
	if *update {
		of("notes").Data = got.Bytes()
		if err := os.WriteFile(file, txtar.Format(archive), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff(string(of("notes").Data), got.String()); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if count, enabled := notes.Count(); !enabled || count.Noted == 0 || count.Late != 0 {
		t.Errorf("counted %+v, %v", count, enabled)
	}
}

// held is a describer that answers when it is told to.
type held struct {
	describer
	described chan string   // receives the name to which there is an answer
	release   chan struct{} // closed when it may be given
}

func (h held) Describe(ctx context.Context, s searchnote.Search) (searchnote.Description, error) {
	found, err := h.describer.Describe(ctx, s)
	h.described <- s.Name
	select {
	case <-h.release:
		return found, err
	case <-ctx.Done():
		return searchnote.Description{}, ctx.Err()
	}
}

// A symbol whose references take longer than a hook may wait is told if they were asked for before the search, and no file has changed
// since.
func TestSearchNotesAhead(t *testing.T) {
	const project = `
-- go.mod --
module example.com/shop

go 1.26
-- till.go --
package shop

func price(item string) int { return len(item) }

func total(item string) int { return price(item) }

func count() int { return 0 }
`
	code := serveGo(t, []byte(project))
	if err := code.Project.WaitReady(t.Context()); err != nil {
		t.Fatal(err)
	}
	slow := held{describer{codetools.Summarizer{Toolset: code}}, make(chan string, 8), make(chan struct{})} // more than there are answers
	notes := searchnote.New(slow, searchnote.Settings{Enabled: true, Budget: 20 * time.Millisecond}, slog.New(slog.DiscardHandler))
	defer notes.Close()
	hooks := func(use, pattern string) (before, after *hook.Event) {
		line := fmt.Sprintf(`{"session_id":"s","tool_use_id":%q,"tool_name":"Grep","tool_input":{"pattern":%q}}`, use, pattern)
		before, after = search(t, code, line), search(t, code, line)
		before.Event = protocol.PreToolUse
		return before, after
	}

	until := func(name string) {
		for name != <-slow.described {
		}
	}

	_, after := hooks("1", "count")
	if got := notes.Hook(t.Context(), after).Context; got != "" {
		t.Errorf("without the hook before: %q", got)
	}
	before, after := hooks("2", "price")
	notes.Set(searchnote.Settings{Enabled: true, Budget: time.Minute})
	notes.Hook(t.Context(), before)
	until("price")
	close(slow.release)
	if got := notes.Hook(t.Context(), after).Context; got != "price: function, till.go:3, 1 call in 1 file (find_callers for all)" {
		t.Errorf("got %q", got)
	}

	before, after = hooks("3", "total")
	notes.Hook(t.Context(), before)
	until("total")
	lsptest.Write(t, code.Root, "-- more.go --\npackage shop\n\nvar sum = total(\"a\")\n")
	code.Project.FilesChanged(filepath.Join(code.Root, "more.go"))
	if got := notes.Hook(t.Context(), after).Context; got != "" && !strings.Contains(got, "1 call in 1 file") {
		t.Errorf("after a change: %q", got)
	}
}
