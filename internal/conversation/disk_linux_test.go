package conversation

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sys/unix"

	"tidepool/internal/mounttest"
	"tidepool/internal/sqlite"
	"tidepool/internal/transcript/transcripttest"
)

// limited is the variable of a test process that may lower its limit on the size of files.
const limited = "CONVERSATION_TEST_LIMITED"

// On a full disk what was read stays and is found, the answer says what is wrong, and with space again the rest is read. A limit on the
// size of files is an error of the same kind that every user can have; a disk of its own needs a namespace to mount it in.
func TestFullDisk(t *testing.T) {
	t.Run("limit on the size of files", func(t *testing.T) {
		if os.Getenv(limited) == "" { // the limit is a whole process's, whose log and profiles are files, too
			cmd := exec.Command(os.Args[0], "-test.run=^TestFullDisk$/^limit", "-test.v")
			cmd.Env = append(os.Environ(), limited+"=1")
			if out, err := cmd.CombinedOutput(); err != nil || !strings.Contains(string(out), "--- PASS: TestFullDisk/limit") {
				t.Errorf("%v\n%s", err, out)
			}
			return
		}
		f := newFixture(t)
		f.outliveFullDisk(func(full bool, work func()) {
			if !full {
				work()
				return
			}
			var before unix.Rlimit
			must(t, unix.Prlimit(0, unix.RLIMIT_FSIZE, nil, &before))
			info, err := os.Stat(f.options.StorePath())
			must(t, err)
			limit := before
			limit.Cur = uint64(info.Size())
			must(t, unix.Prlimit(0, unix.RLIMIT_FSIZE, &limit, nil))
			defer func() { must(t, unix.Prlimit(0, unix.RLIMIT_FSIZE, &before, nil)) }()
			work()
		})
	})
	t.Run("file system without space", func(t *testing.T) {
		if !mounttest.Allowed(t) {
			return
		}
		f := newFixture(t)
		disk := filepath.Dir(f.options.Dir)
		must(t, os.MkdirAll(disk, 0o700))
		mounttest.Mount(t, "tmpfs", disk, "tmpfs", 0, "size=2m,mode=700")
		ballast := filepath.Join(disk, "ballast")
		f.outliveFullDisk(func(full bool, work func()) {
			if full {
				if err := os.WriteFile(ballast, make([]byte, 3<<20), 0o600); err == nil {
					t.Fatal("the disk does not get full")
				}
				defer func() { must(t, os.Remove(ballast)) }()
			}
			work()
		})
	})
}

// outliveFullDisk reads on a disk that has space, on one that is full, and on the first one again. on runs work on either.
func (f *fixture) outliveFullDisk(on func(full bool, work func())) {
	t := f.t
	t.Helper()
	f.say("s", "u0", "", "zebra", "yes")
	a, k := f.archive()
	must(t, k.CatchUp(t.Context()))
	search(t, a, Query{Text: "zebra"}) // it has the store open
	large := transcripttest.Generate(1, transcripttest.Options{Turns: 60, Cwd: f.project, Session: "large"})
	f.write("large", large.Data())
	on(true, func() {
		_ = k.CatchUp(t.Context()) // the answer says what it says
		found, err := a.Search(t.Context(), Query{Text: "zebra"})
		if err != nil || len(found.Hits) != 1 {
			t.Errorf("on a full disk: %+v, %v", found.Hits, err)
		}
		if c := found.State; c.State != Partial || !strings.Contains(c.Why, "full") && !strings.Contains(c.Why, "disk I/O error") {
			t.Errorf("on a full disk: %+v", c)
		}
		other, keeper := f.archive()
		_ = keeper.CatchUp(t.Context())
		var full *sqlite.FullError // who opens the store now may lack space even for reading
		if found, err := other.Search(t.Context(), Query{Text: "zebra"}); found.State.State != Partial || err != nil && !errors.As(err, &full) {
			t.Errorf("another process: %+v, %v", found, err)
		}
	})
	on(false, func() {
		must(t, k.CatchUp(t.Context()))
		search(t, a, Query{Text: "zebra"})
	})
	got := dump(t, f.options.StorePath())
	f.options.Dir = filepath.Join(f.home, "anew")
	f.read()
	if diff := cmp.Diff(dump(t, f.options.StorePath()), got); diff != "" {
		t.Errorf("(-read anew +after a full disk):\n%.2000s", diff)
	}
}

func must(t testing.TB, errs ...error) {
	t.Helper()
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
}
