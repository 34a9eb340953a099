package recollect

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tidepool/internal/recall/memory"
	"tidepool/protocol"
)

// A prompt is not told what it teaches, though it waits for the index, which may be loaded after the memory was written.
func TestPromptIsNotToldWhatItTeaches(t *testing.T) {
	const rule = "Always run the zebra harness with voltage checks in the web directory."
	data, dir := t.TempDir(), repository(t)
	for n := range 20 {
		d := start(t, filepath.Join(data, fmt.Sprint(n)), dir)
		if got := d.prompt("one", rule); got != "" {
			t.Fatalf("start %d: the prompt is told %q", n, got)
		}
		d.hook(protocol.Stop, `"session_id":"one"`)
		if got := d.prompt("two", "how do we run the zebra harness with voltage checks in the web directory?"); !strings.Contains(got, rule) {
			t.Fatalf("start %d: the next session is told %q", n, got)
		}
		d.stop()
	}
}

// What Claude Code has loaded by itself is not told again.
func TestLoadedInstructionsAreNotTold(t *testing.T) {
	d := start(t, t.TempDir(), repository(t))
	opened := d.ready()
	const rule = "Always run the zebra harness with voltage checks in the web directory."
	if _, err := opened.Store.Save(t.Context(), memory.Draft{Kind: memory.Preference, Trust: memory.Said, Content: rule}); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(d.dir, "CLAUDE.md")
	if err := os.WriteFile(file, []byte("# Rules\n\n- "+rule+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	const question = "how do we run the zebra harness with voltage checks in the web directory?"
	if got := d.prompt("without", question); !strings.Contains(got, rule) {
		t.Errorf("without the file a prompt is told %q", got)
	}
	d.hook(protocol.InstructionsLoaded, fmt.Sprintf(`"session_id":"with","file_path":%q`, file))
	if got := d.prompt("with", question); got != "" {
		t.Errorf("with it %q", got)
	}
}
