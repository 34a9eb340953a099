package conversation

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sys/unix"

	"tidepool/internal/conversation/store"
	"tidepool/internal/transcript/transcripttest"
)

// A task is what the test program does as another process, for the project of a fixture.
type task struct {
	Do            string // "grow", "read" or "keep"
	Home, Project string
}

// The test program is also the other process.
func TestMain(m *testing.M) {
	given := os.Getenv("CONVERSATION_TEST_TASK")
	if given == "" {
		os.Exit(m.Run())
	}
	var t task
	err := json.Unmarshal([]byte(given), &t)
	if err == nil {
		err = t.run()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func (t task) run() error {
	f := &fixture{home: t.Home, project: t.Project}
	f.options = optionsOf(t.Home, t.Project)
	a, err := New(f.options)
	if err != nil {
		return err
	}
	k := a.Keep()
	ctx := context.Background()
	switch t.Do {
	case "grow":
		return grow(ctx, f, k)
	case "keep":
		fmt.Println("begins")
		return k.Run(ctx)
	case "read":
		if err := k.CatchUp(ctx); err != nil {
			return err
		}
		peak, err := peakMemory()
		fmt.Println(peak)
		return errors.Join(err, a.Close())
	}
	return fmt.Errorf("unknown task %q", t.Do)
}

// start starts a task.
func (f *fixture) start(do string) (*exec.Cmd, *bufio.Reader) {
	f.t.Helper()
	given, err := json.Marshal(task{do, f.home, f.project})
	if err != nil {
		f.t.Fatal(err)
	}
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "CONVERSATION_TEST_TASK="+string(given))
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		f.t.Fatal(err)
	}
	return cmd, bufio.NewReader(out)
}

// growing are the transcripts of the killed process. The first one, which is whole at once, takes several transactions to read.
func growing(project string) (files []transcripttest.File) {
	for i, turns := range []int{1200, 40, 40} {
		files = append(files, transcripttest.Generate(uint64(i), transcripttest.Options{
			Turns: turns, Cwd: project, Shapes: i > 0, Session: fmt.Sprintf("%08d-session", i),
		}))
	}
	return files
}

// grow appends to the transcripts, from where they end, and reads what is new, until they are whole. It prints a line for each step.
func grow(ctx context.Context, f *fixture, k *Keeper) error {
	random := rand.New(rand.NewPCG(uint64(time.Now().UnixNano()), 0))
	files := growing(f.project)
	for whole := 0; whole < len(files); {
		whole = 0
		for _, one := range files {
			data := one.Data()
			file, err := os.OpenFile(f.path(one.Session), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
			if err != nil {
				return err
			}
			size, err := file.Seek(0, io.SeekEnd)
			if err == nil {
				step := int(size) + random.IntN(len(data)/8)
				_, err = file.Write(data[size:min(len(data), step)])
			}
			if size == int64(len(data)) {
				whole++
			}
			if err := errors.Join(err, file.Close()); err != nil {
				return err
			}
		}
		if err := k.CatchUp(ctx); err != nil {
			return err
		}
		fmt.Println("read")
	}
	return nil
}

// A process that is killed at any moment leaves in the store what reading each transcript up to its offset gives, and the next one reads
// on to what one reading gives.
func TestKilledReader(t *testing.T) {
	f := newFixture(t)
	if err := os.MkdirAll(filepath.Dir(f.path("x")), 0o700); err != nil {
		t.Fatal(err)
	}
	long := growing(f.project)[0]
	f.write(long.Session, long.Data())
	random := rand.New(rand.NewPCG(uint64(time.Now().UnixNano()), 0))
	kills := 0
	for done := false; !done; {
		cmd, out := f.start("grow")
		for range random.IntN(4) + kills/8 { // a busy machine gives it no time before: in the end it is let get further
			_, err := out.ReadString('\n')
			done = done || err != nil
		}
		time.AfterFunc(time.Duration(random.IntN(20_000))*time.Microsecond, func() { cmd.Process.Kill() })
		_, _ = io.Copy(io.Discard, out)
		err := cmd.Wait()
		if done = err == nil; !done {
			kills++
		}
		f.checkOffsets()
	}
	if kills < 3 {
		t.Fatalf("killed %d times", kills)
	}
	t.Logf("killed %d times", kills)
	for path, offset := range f.checkOffsets() {
		if info, err := os.Stat(path); err != nil || info.Size() != offset {
			t.Errorf("%s is read up to %d: %v, %v", path, offset, info, err)
		}
	}
}

// checkOffsets compares the store with what another one has that read the transcripts up to the store's offsets, and returns those.
func (f *fixture) checkOffsets() map[string]int64 {
	f.t.Helper()
	s, err := store.OpenReadOnly(f.t.Context(), f.options.StorePath())
	if errors.Is(err, os.ErrNotExist) {
		return nil // it was killed before
	}
	if err != nil {
		f.t.Fatal(err)
	}
	files, err := s.Files(f.t.Context())
	if err := errors.Join(err, s.Close()); err != nil {
		f.t.Fatal(err)
	}
	anew := newFixture(f.t)
	anew.options = optionsOf(anew.home, f.project) // as the transcripts say
	offsets := map[string]int64{}
	for _, one := range files {
		offsets[one.Path] = one.Offset
		data, err := os.ReadFile(one.Path)
		if err != nil || one.Offset > int64(len(data)) {
			f.t.Fatalf("%d bytes of %d were read, %v", one.Offset, len(data), err)
		}
		if one.Offset > 0 {
			anew.write(filepath.Base(one.Path[:len(one.Path)-len(".jsonl")]), data[:one.Offset])
		}
	}
	anew.read()
	if diff := cmp.Diff(dump(f.t, anew.options.StorePath()), dump(f.t, f.options.StorePath())); diff != "" {
		f.t.Fatalf("(-read anew +after a kill):\n%.3000s", diff)
	}
	return offsets
}

// Two daemons, commands that read, search and forget, and sessions that go on, all at once: no question fails, and when one of the daemons is
// killed and the other one ends, the store is that of one reading, without what was forgotten.
func TestTwoDaemonsAndCommandsAtOnce(t *testing.T) {
	f := newFixture(t)
	f.say("secret", "f0", "", "the wombat", "burrows")
	f.read()
	first, begun := f.start("keep")
	second, begunToo := f.start("keep")
	for _, out := range []*bufio.Reader{begun, begunToo} {
		if _, err := out.ReadString('\n'); err != nil {
			t.Fatal(err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	var commands sync.WaitGroup
	command := func(do func(*Archive, *Keeper) error) {
		commands.Go(func() {
			for ctx.Err() == nil {
				a, err := New(f.options)
				if err == nil {
					err = errors.Join(do(a, a.Keep()), a.Close())
				}
				if err != nil && ctx.Err() == nil {
					t.Error(err)
					return
				}
			}
		})
	}
	command(func(_ *Archive, k *Keeper) error { return k.CatchUp(ctx) })
	command(func(a *Archive, k *Keeper) error {
		found, err := a.Search(ctx, Query{Text: "retry gateway handler"})
		if found.State.State == "" {
			err = errors.Join(err, errors.New("an answer without completeness"))
		}
		return err
	})
	command(func(a *Archive, _ *Keeper) error {
		_, err := a.Forget(ctx, "secret")
		var gone *SessionError
		if errors.As(err, &gone) {
			return nil // it has been forgotten
		}
		return err
	})
	var sessions sync.WaitGroup
	for i := range 3 {
		sessions.Go(func() {
			file := transcripttest.Generate(uint64(i), transcripttest.Options{Turns: 400, Cwd: f.project, Shapes: true, Session: fmt.Sprintf("%08d-session", i)})
			for _, line := range file.Lines {
				f.add(file.Session, append(line, '\n'))
				if i == 0 && string(line) == string(file.Lines[len(file.Lines)/2]) {
					_ = first.Process.Kill() // Wait says if it was not there
				}
			}
			f.say("secret", "f"+file.Session, "f0", "the wombat", "is back")
		})
	}
	sessions.Wait()
	cancel()
	commands.Wait()
	if err := second.Process.Kill(); err != nil {
		t.Error(err)
	}
	for _, cmd := range []*exec.Cmd{first, second} {
		if err := cmd.Wait(); err == nil || cmd.ProcessState.Exited() {
			t.Errorf("a daemon was not killed, but ended: %v", err)
		}
	}
	a := f.read()
	if got := places(search(t, a, Query{Text: "wombat"})); len(got) != 0 {
		t.Errorf("what was forgotten is found: %v", got)
	}
	got := dump(t, f.options.StorePath())
	if err := os.Remove(f.path("secret")); err != nil {
		t.Fatal(err)
	}
	f.options.Dir += "-anew"
	f.read()
	if diff := cmp.Diff(dump(t, f.options.StorePath()), got); diff != "" {
		t.Errorf("(-read anew +read at once):\n%.2000s", diff)
	}
}

// add appends to a transcript.
func (f *fixture) add(session string, data []byte) {
	file, err := os.OpenFile(f.path(session), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err == nil {
		_, err = file.Write(data)
		err = errors.Join(err, file.Close())
	}
	if err != nil {
		f.t.Error(err)
	}
}

// What is read in the background has a lower priority than other work, unless the options are eager.
func TestBackgroundGoesLast(t *testing.T) {
	raw, err := unix.Getpriority(unix.PRIO_PROCESS, 0)
	if err != nil {
		t.Fatal(err)
	}
	own := 20 - raw // the system call returns it so
	for eager, want := range map[bool]int{true: own, false: max(own, 10)} {
		priorities := make(chan int)
		go func() {
			runtime.LockOSThread() // a thread of lower priority ends with it
			defer (&Keeper{archive: &Archive{options: Options{Eager: eager}}}).back()()
			got, err := unix.Getpriority(unix.PRIO_PROCESS, unix.Gettid())
			if err != nil {
				t.Error(err)
			}
			priorities <- 20 - got
		}()
		if got := <-priorities; got != want {
			t.Errorf("eager %v: %d", eager, got)
		}
	}
}
