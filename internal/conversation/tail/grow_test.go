package tail

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"tidepool/internal/transcript"
	"tidepool/internal/transcript/transcripttest"
)

// kept are the lines of a file as an archive keeps them: what was added, and how far that is.
type kept struct {
	place Place
	lines []string
}

func (k *kept) Line(at int64, line []byte) { k.lines = append(k.lines, fmt.Sprintf("%d %s", at, line)) }

func (k *kept) PassedOver(at, length int64) {
	k.lines = append(k.lines, fmt.Sprintf("%d passed over %d", at, length))
}

// An archive reads what is new of all files of a project.
type archive struct {
	finder *Finder
	files  map[string]*kept
}

func newArchive(home string) *archive {
	return &archive{files: map[string]*kept{}, finder: NewFinder(Options{
		Home: home, Getenv: func(string) string { return "" }, Dirs: []string{project},
	})}
}

const project = "/home/dev/shop"

// first is the line that says whose a file is.
const first = `{"type":"user","uuid":"u","cwd":"/home/dev/shop/sub","message":{"content":"ask"}}` + "\n"

func (a *archive) sync(t rapid.TB, limit int64) {
	found, err := a.finder.Walk(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	there := map[string]bool{}
	for _, f := range found.Transcripts {
		there[f.Path] = true
	}
	for i := range found.Transcripts {
		a.read(t, &found.Transcripts[i], there, limit)
	}
	maps.DeleteFunc(a.files, func(path string, _ *kept) bool { return !there[path] })
}

func (a *archive) read(t rapid.TB, found *Transcript, there map[string]bool, limit int64) {
	f, err := a.finder.Open(found.Path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	k := a.files[found.Path]
	if k == nil {
		k = a.moved(f, there)
		a.files[found.Path] = k
	}
	change, err := f.Compare(k.place)
	if err != nil {
		t.Fatal(err)
	}
	if change == Rewritten {
		*k = kept{}
	}
	for change != Same {
		before := k.place.Offset
		if k.place, err = f.Read(k.place, limit, k); err != nil {
			t.Fatal(err)
		}
		if k.place.Offset == before {
			break
		}
	}
}

// moved returns what was kept of a file under its former name.
func (a *archive) moved(f *File, there map[string]bool) *kept {
	for path, k := range a.files {
		if there[path] || k.place.Device != f.Device || k.place.Inode != f.Inode {
			continue
		}
		if change, err := f.Compare(k.place); err == nil && change != Rewritten {
			delete(a.files, path)
			return k
		}
	}
	return &kept{}
}

// Whatever happens to files, reading what is new gives the lines of reading all anew.
func TestReadingWhatIsNewIsReadingAnew(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		home, err := os.MkdirTemp("", "tail")
		if err != nil {
			t.Fatal(err)
		}
		defer os.RemoveAll(home)
		dir := filepath.Join(home, ".claude/projects/-home-dev-shop")
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		a := newArchive(home)
		limit := rapid.SampledFrom([]int64{0, 1, 5000}).Draw(t, "limit")
		for range rapid.IntRange(1, 25).Draw(t, "steps") {
			path := func(label string) string {
				return filepath.Join(dir, rapid.SampledFrom([]string{"a", "b", "c"}).Draw(t, label)+".jsonl")
			}
			change(t, path)
			if rapid.Bool().Draw(t, "sync") {
				a.sync(t, limit)
			}
		}
		a.sync(t, limit)
		anew := newArchive(home)
		anew.sync(t, 0)
		if !slices.Equal(slices.Sorted(maps.Keys(a.files)), slices.Sorted(maps.Keys(anew.files))) {
			t.Fatalf("files are %v, want %v", slices.Sorted(maps.Keys(a.files)), slices.Sorted(maps.Keys(anew.files)))
		}
		for path, want := range anew.files {
			if got := a.files[path]; !slices.Equal(got.lines, want.lines) {
				t.Fatalf("%s: %d lines, want %d:\n%.300q\n%.300q", filepath.Base(path), len(got.lines), len(want.lines), got.lines, want.lines)
			}
		}
	})
}

// Reading only what a watch reports ends at the same lines, too.
func TestReadingWhatIsReportedIsReadingAnew(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		home, err := os.MkdirTemp("", "tail")
		if err != nil {
			t.Fatal(err)
		}
		defer os.RemoveAll(home)
		groups := []string{"-home-dev-shop", "-home-dev-shop-sub", "-elsewhere"}
		if err := os.MkdirAll(filepath.Join(home, ".claude/projects"), 0o700); err != nil {
			t.Fatal(err)
		}
		a := newArchive(home)
		w := a.finder.Watch(false)
		defer w.Close()
		for range rapid.IntRange(1, 25).Draw(t, "steps") {
			dir := filepath.Join(home, ".claude/projects", rapid.SampledFrom(groups).Draw(t, "group"))
			if err := os.MkdirAll(dir, 0o700); err != nil {
				t.Fatal(err)
			}
			change(t, func(label string) string {
				return filepath.Join(dir, rapid.SampledFrom([]string{"a", "b"}).Draw(t, label)+".jsonl")
			})
		}
		anew := newArchive(home)
		anew.sync(t, 0)
		ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
		defer cancel()
		for !a.equals(anew) {
			paths, err := w.Next(ctx)
			if err != nil {
				t.Fatalf("%d files, want %d: %v", len(a.files), len(anew.files), err)
			}
			a.take(t, paths)
		}
	})
}

// take reads reported files, those that are gone last.
func (a *archive) take(t rapid.TB, paths []string) {
	there := map[string]bool{}
	for path := range a.files {
		if _, err := os.Lstat(path); err == nil {
			there[path] = true
		}
	}
	for _, path := range paths {
		if _, err := os.Lstat(path); err == nil {
			a.read(t, &Transcript{Path: path}, there, 0)
		} else if !there[path] {
			delete(a.files, path)
		}
	}
}

func (a *archive) equals(o *archive) bool {
	return maps.EqualFunc(a.files, o.files, func(a, b *kept) bool { return slices.Equal(a.lines, b.lines) })
}

// change does one thing to a file.
func change(t *rapid.T, path func(label string) string) {
	text := rapid.Custom(func(t *rapid.T) string {
		var b strings.Builder
		for range rapid.IntRange(0, 5).Draw(t, "lines") {
			b.WriteString(strings.Repeat(rapid.StringMatching(`[a-z0-9]{1,9}`).Draw(t, "word"), rapid.IntRange(0, 400).Draw(t, "times")) + "\n")
		}
		return b.String() + rapid.SampledFrom([]string{"", "part"}).Draw(t, "partial")
	}).Draw(t, "text")
	at := path("file")
	_, err := os.Stat(at)
	missing := errors.Is(err, fs.ErrNotExist)
	must := func(err error) {
		if err != nil {
			t.Fatal(err)
		}
	}
	switch what := rapid.SampledFrom([]string{"append", "append", "append", "truncate", "write", "replace", "rename", "remove"}).Draw(t, "what"); {
	case missing || what == "write":
		must(os.WriteFile(at, []byte(first+text), 0o600))
	case what == "append":
		f, err := os.OpenFile(at, os.O_APPEND|os.O_WRONLY, 0)
		must(err)
		_, err = f.WriteString(text)
		must(errors.Join(err, f.Close()))
	case what == "truncate":
		info, err := os.Stat(at)
		must(err)
		must(os.Truncate(at, rapid.Int64Range(int64(len(first)), max(int64(len(first)), info.Size())).Draw(t, "size")))
	case what == "replace":
		must(os.WriteFile(at+".tmp", []byte(first+text), 0o600))
		must(os.Rename(at+".tmp", at))
	case what == "rename":
		must(os.Rename(at, path("to")))
	case what == "remove":
		must(os.Remove(at))
	}
}

// A transcript that is written in pieces, each of which is read at once, gives the turns of the whole.
func TestTurnsOfAFileThatGrows(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		home, err := os.MkdirTemp("", "tail")
		if err != nil {
			t.Fatal(err)
		}
		defer os.RemoveAll(home)
		f := transcripttest.Generate(rapid.Uint64().Draw(t, "seed"), transcripttest.Options{Turns: 6, Shapes: true, Cwd: project})
		path := filepath.Join(home, ".claude/projects/-home-dev-shop", f.Session+".jsonl")
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		var (
			finder = newArchive(home).finder
			reader = transcript.NewReader(transcript.Sources()[0], f.Session)
			place  Place
			turns  []transcript.Turn
		)
		for data := f.Data(); len(data) > 0; {
			n := rapid.IntRange(1, len(data)).Draw(t, "piece")
			place = appendAndRead(t, finder, path, data[:n], place, reader)
			data = data[n:]
			for _, turn := range reader.Take() {
				turns = append(turns[:turn.Number], turn)
			}
			for _, mark := range reader.Marks() {
				turns[mark.Number].Abandoned = mark.Abandoned
			}
		}
		if diff := transcripttest.Diff(turns, f.Want); diff != "" {
			t.Fatal(diff)
		}
	})
}

func appendAndRead(t *rapid.T, finder *Finder, path string, data []byte, from Place, to Lines) Place {
	w, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	_, err = w.Write(data)
	f, openErr := finder.Open(path)
	if err := errors.Join(err, w.Close(), openErr); err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if change, err := f.Compare(from); change == Rewritten || err != nil {
		t.Fatal(change, err)
	}
	place, err := f.Read(from, 0, to)
	if err != nil {
		t.Fatal(err)
	}
	return place
}
