package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	uv "github.com/charmbracelet/ultraviolet"

	"tidepool/internal/screen"
)

// shows returns a screen with a text.
func shows(text string) *uv.Buffer {
	s := screen.New(60, 4)
	defer s.Close()
	s.Print(text)
	return s.Cells()
}

func TestAPictureIsKeptIfOnlyTimesDiffer(t *testing.T) {
	dir := t.TempDir()
	for _, step := range []struct{ text, said string }{
		{"12:08:19 hook PreToolUse  0.2 ms · 3s", "made"},
		{"12:08:19 hook PreToolUse  0.2 ms · 3s", "shows the same"},
		{"01:00:00 hook PreToolUse  215 ms · 10s", "shows the same"},
		{"01:00:00 hook PreToolUse Bash  215 ms · 10s", "made"},
		{"01:00:00 hook \x1b[1mPreToolUse\x1b[0m Bash  215 ms · 10s", "made"},
	} {
		var said strings.Builder
		if err := publish(&said, dir, shot{name: "log", title: "A log"}, shows(step.text)); err != nil {
			t.Fatal(err)
		}
		for _, suffix := range []string{"light", "dark"} {
			if !strings.Contains(said.String(), step.said) || !strings.Contains(said.String(), "docs/log-"+suffix+".svg") {
				t.Errorf("after %q it says %q, want %s", step.text, said.String(), step.said)
			}
		}
	}
	picture, err := os.ReadFile(filepath.Join(dir, "log-dark.svg"))
	if err != nil || !strings.Contains(string(picture), "Bash  215 ms") && !strings.Contains(string(picture), ">215 ms · 10s<") {
		t.Errorf("the picture is %s (%v)", picture, err)
	}
}
