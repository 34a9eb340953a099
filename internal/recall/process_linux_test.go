package recall

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"tidepool/internal/recall/memory"
	"tidepool/internal/sqlite"
)

// A task is what the test program does as another process.
type task struct {
	Dir     string
	Project memory.Project
	Name    string
}

const taskVariable = "RECALL_TEST_TASK"

// The test program is also the other process.
func TestMain(m *testing.M) {
	given := os.Getenv(taskVariable)
	if given == "" {
		os.Exit(m.Run())
	}
	var t task
	err := json.Unmarshal([]byte(given), &t)
	if err == nil {
		err = t.run()
	}
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}

// run saves memories until it is killed. It prints the id of each that was acknowledged, and recalls it.
func (t task) run() error {
	ctx := context.Background()
	s, err := Open(ctx, Options{Dir: t.Dir, Project: t.Project})
	if err != nil {
		return err
	}
	for i := 0; ; i++ {
		saved, err := s.Save(ctx, note(fmt.Sprintf("%s crane%d and its grease%d", t.Name, i, i)))
		if err != nil {
			return err
		}
		fmt.Println(saved.ID)
		s.Learn(note(fmt.Sprintf("%s has learned%d of quay%d", t.Name, i, i)))
		if found, err := s.Recall(ctx, Query{Text: fmt.Sprintf("grease%d", i)}); err != nil || found.Complete && len(found.Memories) == 0 {
			return fmt.Errorf("what was saved is not found: %+v, %w", found, err)
		}
	}
}

// start starts a process that saves.
func (f *fixture) start(name string) (*exec.Cmd, *bufio.Scanner) {
	f.t.Helper()
	given, err := json.Marshal(task{f.options.Dir, f.options.Project, name})
	must(f.t, err)
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), taskVariable+"="+string(given))
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	must(f.t, err, cmd.Start())
	return cmd, bufio.NewScanner(out)
}

// Processes that save at once and are killed at any moment lose nothing that was acknowledged, and who opens the memories next finds all of it.
func TestKilledWriters(t *testing.T) {
	f := newFixture(t)
	random := rand.New(rand.NewPCG(uint64(time.Now().UnixNano()), 0))
	acknowledged := make(chan []string)
	const rounds, writers = 3, 3
	all := map[string]bool{}
	for round := range rounds {
		for w := range writers {
			cmd, out := f.start(fmt.Sprintf("writer%d%d", round, w))
			saves := 3 + random.IntN(10)
			go func() {
				var ids []string
				for out.Scan() {
					if ids = append(ids, out.Text()); len(ids) == saves {
						_ = cmd.Process.Kill() // Wait says if it has ended before
					}
				}
				if err := cmd.Wait(); err == nil || cmd.ProcessState.Exited() {
					ids = nil // which is an error below
				}
				acknowledged <- ids
			}()
		}
		for range writers {
			ids := <-acknowledged
			if len(ids) < 3 {
				t.Fatal("a writer has failed")
			}
			for _, id := range ids {
				if all[id] {
					t.Errorf("%s was given twice", id)
				}
				all[id] = true
			}
		}
	}
	s := f.ready()
	for id := range all {
		m := get(t, s, id)
		words := strings.Fields(m.Gist)
		if got := gists(t, s, Query{Text: words[0] + " " + words[1], Limit: 1}); len(got) != 1 || got[0] != m.Gist {
			t.Errorf("%q is not found: %q", m.Gist, got)
		}
	}
	st := s.Status(t.Context())
	if st.IndexDocs != st.Counts.Memories || st.Counts.Memories < len(all) {
		t.Errorf("%d acknowledged, %d in the index, %d in the database", len(all), st.IndexDocs, st.Counts.Memories)
	}
}

// On a full disk what was kept is found, what cannot be kept is an error, and with space again all works. The limit on the size of files is a whole process's, so
// the test runs again in one of its own.
func TestFullDisk(t *testing.T) {
	const limited = "RECALL_TEST_LIMITED"
	if os.Getenv(limited) == "" {
		cmd := exec.Command(os.Args[0], "-test.run=^TestFullDisk$", "-test.v")
		cmd.Env = append(os.Environ(), limited+"=1")
		if out, err := cmd.CombinedOutput(); err != nil || !strings.Contains(string(out), "--- PASS: TestFullDisk") {
			t.Errorf("%v\n%s", err, out)
		}
		return
	}
	f := newFixture(t)
	s := f.ready()
	save(t, s, note(raceText))
	var before unix.Rlimit
	must(t, unix.Prlimit(0, unix.RLIMIT_FSIZE, nil, &before))
	info, err := os.Stat(filepath.Join(f.options.Dir, "memory.db"))
	must(t, err)
	limit := before
	limit.Cur = uint64(info.Size())
	must(t, unix.Prlimit(0, unix.RLIMIT_FSIZE, &limit, nil))
	failed := false
	for i := 0; i < 200 && !failed; i++ {
		_, err := s.Save(t.Context(), note(fmt.Sprintf("filler%d %s", i, strings.Repeat(fmt.Sprint("word", i, " "), 300))))
		failed = err != nil
	}
	if !failed {
		t.Error("the disk does not get full")
	}
	if got := told(t, s, Prompt{Session: "a", Text: racePrompt}); len(got) != 1 {
		t.Errorf("on a full disk: %q", got)
	}
	s.Learn(note("learned on a full disk " + strings.Repeat("x1 y2 z3 ", 400)))
	var lost *LostError
	if err := s.Flush(t.Context()); !errors.As(err, &lost) {
		t.Errorf("on a full disk: %v", err)
	}
	other, err := OpenDatabase(t.Context(), f.options)
	var off *OffError
	var full *sqlite.FullError
	if err != nil && !errors.As(err, &off) && !errors.As(err, &full) {
		t.Error(err)
	}
	must(t, unix.Prlimit(0, unix.RLIMIT_FSIZE, &before, nil))
	if other != nil {
		closeStore(t, other)
	}
	save(t, s, note("The disk has space again"))
	if got := gists(t, s, Query{Text: "space again"}); len(got) == 0 {
		t.Errorf("%q", got)
	}
}
