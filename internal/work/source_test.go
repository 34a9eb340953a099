package work

import (
	"context"
	"os/exec"
	"strings"
	"testing"
	"time"
)

func TestFindSources(t *testing.T) {
	d := newDesk(t, "main")
	d.program("bd", bdToday)
	w := d.work()
	if got := w.Sources(); got != nil {
		t.Errorf("before anybody looked: %+v", got)
	}
	w.FindSources(t.Context())
	said, err := exec.Command("git", "--version").Output()
	if err != nil {
		t.Fatal(err)
	}
	got := w.Sources()
	if len(got) != 3 || got[0].Version == "" || !strings.Contains(string(said), got[0].Version) {
		t.Errorf("git: %+v", got)
	}
	if got[1].Version != "1.0.3" || got[1].Path != d.bin+"/bd" {
		t.Errorf("bd: %+v", got[1])
	}
	if other := w.At(t.TempDir()).Sources(); len(other) != 3 {
		t.Errorf("of another checkout: %+v", other)
	}
}

func TestSourcesThatDoNotSay(t *testing.T) {
	for name, test := range map[string]struct{ script, reason string }{
		"hangs":    {"sleep 60", "in time"},
		"fails":    {"echo broken >&2; exit 3", "broken"},
		"nonsense": {"echo well", "cannot be read"},
	} {
		t.Run(name, func(t *testing.T) {
			d := newDesk(t, "main")
			d.program("gh", test.script)
			ctx := t.Context()
			if name == "hangs" {
				var cancel context.CancelFunc
				ctx, cancel = context.WithTimeout(ctx, 300*time.Millisecond)
				defer cancel()
			}
			gh := Source{Name: "gh"}
			d.work().find(ctx, &gh)
			if gh.Version != "" || gh.Path == "" || !strings.Contains(gh.Reason, test.reason) {
				t.Errorf("%+v", gh)
			}
		})
	}
}

func TestVersionIn(t *testing.T) {
	for said, want := range map[string]string{
		"git version 2.39.5\n":                                   "2.39.5",
		"git version 2.50.1 (Apple Git-155)":                     "2.50.1",
		"bd version 0.47.1 (dev: main@a1b2c3d)":                  "0.47.1",
		"bd version 1.0.3-rc.1 (Homebrew)":                       "1.0.3-rc.1",
		"gh version 2.83.0 (2026-01-12)\nhttps://github.com/x\n": "2.83.0",
		"no": "",
	} {
		if got := versionIn(said); got != want {
			t.Errorf("%q: %q, want %q", said, got, want)
		}
	}
}
