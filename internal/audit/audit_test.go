package audit

import (
	"bytes"
	"errors"
	"math"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"pgregory.net/rapid"

	"tidepool/internal/state"
	"tidepool/internal/wording"
)

func newDir(t testing.TB) *state.Dir {
	t.Helper()
	dir, err := state.Make(filepath.Join(t.TempDir(), state.Name))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := dir.Close(); err != nil {
			t.Error(err)
		}
	})
	return dir
}

func entry(input string) Entry {
	return Entry{Time: time.Date(2026, 3, 12, 9, 30, 0, 0, time.UTC), Session: "s", Tool: "safe_bash", Input: input, Exit: new(1), MS: 2100, Bytes: 12, Isolation: "full"}
}

// fill appends entries.
func fill(t testing.TB, l *Log, inputs ...string) {
	t.Helper()
	for _, input := range inputs {
		if err := l.Append(entry(input)); err != nil {
			t.Fatal(err)
		}
	}
}

func verified(t testing.TB, dir *state.Dir) Report {
	t.Helper()
	r, err := Verify(dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// The form of the lines is part of the product.
func TestLines(t *testing.T) {
	dir := newDir(t)
	l := New(dir, Options{})
	fill(t, l, "go test ./...")
	refused := entry("curl <x>")
	refused.Exit, refused.Refused, refused.Secrets = nil, "no", map[string]int{"github-pat": 2}
	if err := l.Append(refused); err != nil {
		t.Fatal(err)
	}
	got, err := dir.File(name).Read(1 << 20)
	const want = `{"n":1,"time":"2026-03-12T09:30:00Z","session":"s","tool":"safe_bash","input":"go test ./...","exit":1,"ms":2100,"bytes":12,"isolation":"full","before":""}
{"n":2,"time":"2026-03-12T09:30:00Z","session":"s","tool":"safe_bash","input":"curl \u003cx\u003e","refused":"no","ms":2100,"bytes":12,"secrets":{"github-pat":2},"isolation":"full","before":"5db2b63400966e2beb3950885a746dbe0fe93111e385575e7329be5f09fb679d"}
`
	if err != nil || string(got) != want {
		t.Errorf("%v\n%s", err, got)
	}
	info, err := dir.File(name).Stat()
	if err != nil || info.Mode() != 0o600 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
}

func TestChainGoesOn(t *testing.T) {
	dir := newDir(t)
	if r := verified(t, dir); r != (Report{}) {
		t.Errorf("%+v of nothing", r)
	}
	fill(t, New(dir, Options{}), "a", "b")
	fill(t, New(dir, Options{}), "c") // after a restart
	if r := verified(t, dir); r.Entries != 3 || r.First != 1 || r.Last != 3 || len(r.Head) != 64 {
		t.Errorf("%+v", r)
	}
}

// The chain goes through full files, also past those that were removed.
func TestFullFiles(t *testing.T) {
	dir := newDir(t)
	o := Options{MaxBytes: 500, Keep: 2}
	for range 10 {
		fill(t, New(dir, o), "a", "b", "c")
	}
	full, err := fullFiles(dir)
	if err != nil || len(full) != 2 {
		t.Fatalf("%v, %v", full, err)
	}
	r := verified(t, dir)
	if r.Last != 30 || r.First <= 1 || r.First > 27 || r.Entries != int(r.Last-r.First)+1 {
		t.Errorf("%+v", r)
	}
	for _, file := range append(full, name) {
		if info, err := dir.File(file).Stat(); err != nil || info.Size() > 600 {
			t.Errorf("%s: %v, %v", file, info.Size(), err)
		}
	}
	if err := dir.File(name).Remove(); err != nil {
		t.Fatal(err)
	}
	fill(t, New(dir, o), "d")
	if again := verified(t, dir); again.Entries < 2 {
		t.Errorf("%+v", again)
	}
}

// Every byte that is changed, and every line that is removed, doubled or moved, is seen.
func TestChangesAreSeen(t *testing.T) {
	dir := newDir(t)
	fill(t, New(dir, Options{}), "one", "two", "three", "four")
	whole, err := dir.File(name).Read(1 << 20)
	if err != nil {
		t.Fatal(err)
	}
	lines := bytes.SplitAfter(bytes.TrimSuffix(whole, []byte("\n")), []byte("\n"))
	rapid.Check(t, func(t *rapid.T) {
		var changed []byte
		at := rapid.IntRange(0, 2).Draw(t, "line")
		switch rapid.SampledFrom([]string{"byte", "remove", "double", "swap"}).Draw(t, "change") {
		case "byte":
			changed = bytes.Clone(whole)
			changed[rapid.IntRange(0, len(whole)-len(lines[3])-2).Draw(t, "offset")] ^= byte(rapid.IntRange(1, 255).Draw(t, "bits"))
		case "remove":
			at = max(1, at) // without its first lines a log is one whose beginning has become too old
			changed = append(bytes.Join(lines[:at], nil), bytes.Join(lines[at+1:], nil)...)
		case "double":
			for i, line := range lines {
				changed = append(changed, line...)
				if i == at {
					changed = append(changed, line...)
				}
			}
		case "swap":
			swapped := append([][]byte{}, lines...)
			swapped[at], swapped[(at+1)%3] = swapped[(at+1)%3], swapped[at]
			changed = bytes.Join(swapped, nil)
		}
		if err := dir.File(name).Replace(append(changed, '\n')); err != nil {
			t.Fatal(err)
		}
		_, err := Verify(dir, nil)
		if broken, is := errors.AsType[*BrokenError](err); !is || broken.Line < 1 || wording.HintOf(err) == "" {
			t.Fatalf("%v\n%s", err, changed)
		}
	})
}

// What a crash has left of a line is removed, and the next entry says so.
func TestUnfinishedLine(t *testing.T) {
	dir := newDir(t)
	fill(t, New(dir, Options{}), "a", "b")
	if err := dir.File(name).AppendAll([]byte(`{"n":3,"ti`)); err != nil {
		t.Fatal(err)
	}
	if r := verified(t, dir); r.Entries != 2 || r.Unfinished != 10 {
		t.Errorf("%+v", r)
	}
	l := New(dir, Options{})
	fill(t, l, "c", "d")
	var torn []int
	r, err := Verify(dir, func(l Line) error {
		torn = append(torn, l.Torn)
		return nil
	})
	if err != nil || r.Entries != 4 || r.Unfinished != 0 || torn[2] != 10 || torn[3] != 0 {
		t.Errorf("%+v, %v, %v", r, torn, err)
	}
}

// What others append is seen, and the log goes on behind it.
func TestForeignLine(t *testing.T) {
	dir := newDir(t)
	l := New(dir, Options{})
	fill(t, l, "a")
	if err := dir.File(name).AppendAll([]byte("hello\n")); err != nil {
		t.Fatal(err)
	}
	fill(t, l, "b")
	_, err := Verify(dir, nil)
	if broken, is := errors.AsType[*BrokenError](err); !is || broken.Line != 2 {
		t.Errorf("%v", err)
	}
}

// What a full disk has taken of a line is taken back, and the log goes on when there is room.
func TestFullDisk(t *testing.T) {
	if !onFullDisk(t) {
		return
	}
	dir := newDir(t)
	l := New(dir, Options{})
	fill(t, l, "a")
	info, err := dir.File(name).Stat()
	if err != nil {
		t.Fatal(err)
	}
	limitFiles(t, info.Size()+50)
	if err := l.Append(entry("b")); !errors.Is(err, syscall.EFBIG) {
		t.Errorf("%v", err)
	}
	if after, err := dir.File(name).Stat(); err != nil || after.Size() != info.Size() {
		t.Errorf("%d bytes of %d, %v", after.Size(), info.Size(), err)
	}
	limitFiles(t, math.MaxInt64)
	fill(t, l, "c")
	if r := verified(t, dir); r.Entries != 2 {
		t.Errorf("%+v", r)
	}
}

// onFullDisk runs a test in a process of its own, whose files can have so many bytes. It reports whether this is that process.
func onFullDisk(t *testing.T) bool {
	t.Helper()
	if os.Getenv("TIDEPOOL_FULL_DISK") != "" {
		signal.Ignore(syscall.SIGXFSZ)
		return true
	}
	cmd := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$")
	cmd.Env = append(os.Environ(), "TIDEPOOL_FULL_DISK=1")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
	return false
}

// limitFiles limits the size of files that this process writes, in bytes, as a full disk does.
func limitFiles(t *testing.T, size int64) {
	t.Helper()
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_FSIZE, &limit); err != nil {
		t.Fatal(err)
	}
	limit.Cur = min(uint64(size), limit.Max)
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &limit); err != nil {
		t.Fatal(err)
	}
}

func TestLongInput(t *testing.T) {
	dir := newDir(t)
	fill(t, New(dir, Options{}), strings.Repeat("\x01", 1<<20), "b")
	r, err := Verify(dir, func(l Line) error {
		if l.N == 1 && (len(l.Input) != maxInput || l.InputBytes != 1<<20) {
			t.Errorf("%d bytes of %d", len(l.Input), l.InputBytes)
		}
		return nil
	})
	if err != nil || r.Entries != 2 {
		t.Errorf("%+v, %v", r, err)
	}
}

// A link in the place of the log is not followed, and the failure is an error.
func TestLinkInThePlaceOfTheLog(t *testing.T) {
	dir := newDir(t)
	outside := filepath.Join(t.TempDir(), "x")
	if err := errors.Join(os.WriteFile(outside, nil, 0o600), os.Symlink(outside, dir.File(name).Path())); err != nil {
		t.Fatal(err)
	}
	if err := New(dir, Options{}).Append(entry("a")); err == nil || !state.IsRefused(err) {
		t.Errorf("%v", err)
	}
	if written, err := os.ReadFile(outside); err != nil || len(written) != 0 {
		t.Errorf("%q, %v", written, err)
	}
}

// While entries are written, whoever reads sees a chain that holds.
func TestVerifyMeanwhile(t *testing.T) {
	dir := newDir(t)
	l := New(dir, Options{MaxBytes: 2 << 10, Keep: 3})
	var writing sync.WaitGroup
	writing.Go(func() {
		for range 300 {
			if err := l.Append(entry("x")); err != nil {
				t.Error(err)
			}
		}
	})
	for range 100 {
		if _, err := Verify(dir, nil); err != nil {
			t.Error(err)
		}
	}
	writing.Wait()
	if r := verified(t, dir); r.Last != 300 {
		t.Errorf("%+v", r)
	}
}

func TestAppendAtOnce(t *testing.T) {
	dir := newDir(t)
	l := New(dir, Options{MaxBytes: 20 << 10, Keep: 100})
	var all sync.WaitGroup
	for range 20 {
		all.Go(func() {
			for range 20 {
				if err := l.Append(entry("x")); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	if r := verified(t, dir); r.Entries != 400 {
		t.Errorf("%+v", r)
	}
}
