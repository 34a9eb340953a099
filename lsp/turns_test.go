package lsp

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"tidepool/lsp/internal/session"
)

// While a question about the disk is with a server that takes turns, no text of a client reaches it, and the other way
// round.
func TestTextsReachNoQuestionOfOthers(t *testing.T) {
	t.Parallel()
	for name, d := range dialects() {
		if name == "go" { // takes none
			continue
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			write(t, dir, d.files)
			path := filepath.Join(dir, "away", "caller"+d.ext)
			put(t, path, fmt.Sprintf(d.caller, "../", 1))
			p := open(t, dir, d.language(t))
			v := view(t, p)
			alpha := one(t, v, "Alpha").Location
			disk, err := v.References(t.Context(), alpha, false)
			if err != nil {
				t.Fatal(err)
			}
			client, live := greeted(t, p), current(p)
			client.open(path, strings.ReplaceAll(fmt.Sprintf(d.caller, "../", 1), "Alpha(1)", "Alpha(1) + Alpha(2)"))
			at := alpha.Range.Start
			ask := func() string { return client.references(alpha.Path, at.Line-1, at.Column-1) }
			theirs := ask()
			if strings.Count(theirs, "caller") != len(disk)+1 {
				t.Fatalf("the client sees %s, the disk has %v", theirs, brief(dir, disk))
			}
			end := live.Turn(t.Context())
			if err := live.RestoreDisk(session.AboutNoText(t.Context())); err != nil {
				t.Fatal(err)
			}
			answer := make(chan string, 1)
			go func() { answer <- ask() }()
			eventually(t, "the client waits", func() bool {
				return live.Turns.IsAwaited()
			})
			if _, ok := live.Documents.TextOnDisk(path); !ok {
				t.Error("the server has the text of the client before it has answered a question about the disk")
			}
			end()
			if got := <-answer; got != theirs {
				t.Errorf("the client sees %s, and then %s", theirs, got)
			}
			if again, err := view(t, p).References(t.Context(), alpha, false); err != nil || len(again) != len(disk) {
				t.Errorf("tools see %v, %v; want %v", brief(dir, again), err, brief(dir, disk))
			}
		})
	}
}
