package conversation

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tidepool/internal/conversation"
	"tidepool/internal/transcript/transcripttest"
	"tidepool/internal/wording"
	"tidepool/tools"
)

// archived returns a registry over a real archive of a transcript.
func archived(t *testing.T, file transcripttest.File, project string) *tools.Registry {
	t.Helper()
	base := t.TempDir()
	transcripts := filepath.Join(base, "claude", "projects", "slug")
	if err := os.MkdirAll(transcripts, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(transcripts, file.Session+".jsonl"), file.Data(), 0o600); err != nil {
		t.Fatal(err)
	}
	environment := map[string]string{"CLAUDE_CONFIG_DIR": filepath.Join(base, "claude"), "CODEX_HOME": filepath.Join(base, "codex")}
	archive, err := conversation.New(conversation.Options{
		Dir: filepath.Join(base, "state"), Project: project, Checkouts: func() []string { return []string{project} }, Home: base,
		Getenv: func(name string) string { return environment[name] },
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := archive.Close(); err != nil {
			t.Error(err)
		}
	})
	if err := archive.Keep().CatchUp(t.Context()); err != nil {
		t.Fatal(err)
	}
	r := tools.NewRegistry()
	if err := r.Discover(&Toolset{Archive: archive}); err != nil {
		t.Fatal(err)
	}
	return r
}

// ask calls a tool and decodes what it returns.
func ask(t *testing.T, r *tools.Registry, tool string, arguments object, out any) {
	t.Helper()
	raw, err := json.Marshal(arguments)
	if err != nil {
		t.Fatal(err)
	}
	got, err := r.Call(t.Context(), tools.Call{Tool: tool}, raw)
	if err != nil {
		t.Fatalf("%s %s: %v", tool, raw, err)
	}
	if err := json.Unmarshal(got.JSON, out); err != nil {
		t.Fatal(err)
	}
}

// TestToolsReadWhatWasSaid in transcripts of every shape: all turns by read_conversation, page by page, and the same by
// read_turn.
func TestToolsReadWhatWasSaid(t *testing.T) {
	for seed := range uint64(4) {
		file := transcripttest.Generate(seed, transcripttest.Options{Turns: 40, Cwd: "/home/dev/shop", Shapes: true})
		r := archived(t, file, "/home/dev/shop")
		var read []ReadTurnOutput
		for offset := 0; ; {
			var page struct {
				Turns []ReadTurnOutput
				Next  int
			}
			ask(t, r, "read_conversation", object{"session_id": file.Session[:8], "offset": offset, "budget": 3000, "limit": 7}, &page)
			read = append(read, page.Turns...)
			if offset = page.Next; offset == 0 {
				break
			}
		}
		if len(read) != len(file.Want) {
			t.Fatalf("seed %d: %d turns of %d", seed, len(read), len(file.Want))
		}
		for i, want := range file.Want {
			whole := ReadTurnOutput{}
			ask(t, r, "read_turn", object{"session_id": file.Session, "turn_number": i, "budget": 12000}, &whole)
			got := read[i]
			if got.Next == 0 && (got.UserText != whole.UserText || got.AssistantText != whole.AssistantText || len(got.ToolsUsed) != len(whole.ToolsUsed)) {
				t.Errorf("seed %d: turn %d is\n%+v\nbut read_turn says\n%+v", seed, i, got, whole)
			}
			if whole.UserText != wording.Visible(want.User) || whole.AssistantText != wording.Visible(want.Answer) || len(whole.ToolsUsed) != len(want.Tools) || whole.Abandoned != want.Abandoned {
				t.Errorf("seed %d: turn %d is\n%+v\nwant\n%+v", seed, i, whole, want)
			}
		}
	}
}

// TestToolsFindWhatWasSaid: each turn by a phrase of its prompt, and its session in the list.
func TestToolsFindWhatWasSaid(t *testing.T) {
	file := transcripttest.Generate(7, transcripttest.Options{Turns: 60, Cwd: "/home/dev/shop/web"})
	r := archived(t, file, "/home/dev/shop")
	for i, want := range file.Want {
		var found struct {
			Results []struct {
				SessionID  string `json:"session_id"`
				TurnNumber int    `json:"turn_number"`
			}
			Matches      int
			Completeness struct{ State string }
		}
		words := strings.Fields(want.User)
		ask(t, r, "search_conversations", object{"query": strings.Join(words, " "), "limit": 100, "budget": 12000}, &found)
		if found.Completeness.State != conversation.Complete || len(found.Results) == 0 {
			t.Fatalf("turn %d: %+v", i, found)
		}
		at := -1
		for place, hit := range found.Results {
			if hit.SessionID == file.Session && hit.TurnNumber == i {
				at = place
			}
		}
		if at < 0 || at > 2 {
			t.Errorf("turn %d is at place %d of %d by %q", i, at, found.Matches, words)
		}
	}
	var listed struct {
		Conversations []struct {
			SessionID string `json:"session_id"`
			TurnCount int    `json:"turn_count"`
			Project   string
		}
		Total int
	}
	ask(t, r, "list_conversations", object{"project": "SHOP"}, &listed)
	if listed.Total != 1 || listed.Conversations[0].SessionID != file.Session || listed.Conversations[0].TurnCount != len(file.Want) || listed.Conversations[0].Project != "shop" {
		t.Errorf("%+v", listed)
	}
}
