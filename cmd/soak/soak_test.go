package main

import (
	"os"
	"path/filepath"
	"testing"

	"tidepool/internal/daemontest"
	"tidepool/protocol"
)

// TestTrials runs what make soak runs, on programs of its own and shorter.
func TestTrials(t *testing.T) {
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	bin := buildPrograms(t, root)
	for _, trial := range trials() {
		t.Run(trial.what, func(t *testing.T) {
			figures, err := trial.in(t.Context(), root, bin, trial.few)
			if err != nil {
				t.Fatal(err)
			}
			t.Logf("%d: %s", trial.few, figures)
		})
	}
}

// buildPrograms returns a directory with both programs and, if make has put it
// there, gopls.
func buildPrograms(t *testing.T, root string) string {
	t.Helper()
	bin := t.TempDir()
	if err := daemontest.Build(bin); err != nil {
		t.Fatal(err)
	}
	gopls := filepath.Join(root, "bin", "gopls")
	if _, err := os.Stat(gopls); err == nil {
		if err := os.Symlink(gopls, filepath.Join(bin, "gopls")); err != nil {
			t.Fatal(err)
		}
	}
	return bin
}

func TestJudge(t *testing.T) {
	const denied = `{"hookSpecificOutput":{}}` + "\n"
	for _, test := range []struct {
		name, mode string
		event      event
		v          verdict
		status     int
		stdout     string
		right      bool
	}{
		{"passes", closed, event{}, verdict{answered: true}, 0, "", true},
		{"speaks", open, event{}, verdict{answered: true}, 0, denied, true},
		{"fails open", open, event{}, verdict{}, 0, "", true},
		{"fails closed", closed, event{}, verdict{}, 2, "", true},
		{"fails closed, in words", closed, event{}, verdict{}, 0, denied, true},
		{"lets a turn end", closed, event{input: []byte(`{"stop_hook_active":true}`)}, verdict{}, 0, "", true},
		{"refuses in open mode", open, event{}, verdict{}, 2, "", false},
		{"refuses in open mode, in words", open, event{}, verdict{}, 0, denied, false},
		{"passes in closed mode", closed, event{}, verdict{}, 0, "", false},
		{"refuses by itself", closed, event{}, verdict{answered: true}, 2, "", false},
		{"fails", open, event{}, verdict{answered: true}, 1, "", false},
		{"says too much", open, event{}, verdict{answered: true}, 0, denied + denied, false},
		{"says no JSON", open, event{}, verdict{answered: true}, 0, "ok\n", false},
		{"takes too long", open, event{name: "SessionEnd"}, verdict{answered: true, took: protocol.TimeOf(protocol.SessionEnd).Limit + slack + 1}, 0, "", false},
		{"takes long", open, event{}, verdict{answered: true, took: protocol.TimeOf(protocol.SessionEnd).Limit + slack + 1}, 0, "", true},
	} {
		if err := test.v.judge(test.event, test.mode, test.status, []byte(test.stdout)); (err == nil) != test.right {
			t.Errorf("%s: %v", test.name, err)
		}
	}
}
