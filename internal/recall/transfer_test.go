package recall

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"tidepool/internal/recall/memory"
)

func TestExportAndImport(t *testing.T) {
	f := newFixture(t)
	s := f.rows()
	old := save(t, s, memory.Draft{Content: "The gateway listens on 8080", Tags: []string{"net"}, Files: []string{"gw.go"}, Session: "one", Turn: 2, At: time.Now().Add(-time.Hour)}).ID
	d := note("Nobody calls the gateway any more: it is gone")
	d.Supersedes = old
	save(t, s, d)
	save(t, s, memory.Draft{Content: "I prefer tabs <&> 日本", Scope: memory.ForUser, Kind: memory.Preference, Trust: memory.Said})
	if _, err := s.Feedback(t.Context(), old, true, ""); err != nil {
		t.Fatal(err)
	}
	learn(t, s, memory.Draft{Content: "told later", Twice: true, Outcome: memory.Failure, Commit: "abcdef1"})
	save(t, f.in(filepath.Join(filepath.Dir(f.options.Project.Path), "other")).rows(), note("of another project"))
	var exported bytes.Buffer
	must(t, s.Export(t.Context(), &exported, ""))
	if lines := strings.Count(exported.String(), "\n"); lines != 6 {
		t.Errorf("%d lines:\n%s", lines, exported.String())
	}
	to := newFixture(t).rows()
	got, err := to.Import(t.Context(), bytes.NewReader(exported.Bytes()))
	if err != nil || got != (Imported{New: 5}) {
		t.Errorf("%+v, %v", got, err)
	}
	var again bytes.Buffer
	must(t, to.Export(t.Context(), &again, ""))
	if diff := cmp.Diff(exported.String(), again.String()); diff != "" {
		t.Errorf("(-exported +exported after the import):\n%s", diff)
	}
	if got, err := to.Import(t.Context(), bytes.NewReader(exported.Bytes())); err != nil || got != (Imported{Known: 5}) {
		t.Errorf("once more: %+v, %v", got, err)
	}
	if _, err := to.Forget(t.Context(), old); err != nil {
		t.Fatal(err)
	}
	if got, err := to.Import(t.Context(), bytes.NewReader(exported.Bytes())); err != nil || got != (Imported{Known: 4, Forgotten: 1}) {
		t.Errorf("with a forgotten one: %+v, %v", got, err)
	}
	exported.Reset()
	must(t, s.Export(t.Context(), &exported, "other"))
	if text := exported.String(); strings.Count(text, "\n") != 2 || !strings.Contains(text, "of another project") {
		t.Errorf("%s", text)
	}
}

func TestImportOfNonsense(t *testing.T) {
	const head = `{"format":"tidepool memories","version":1}` + "\n"
	good := `{"id":"mem_00000000000%d","project":{"key":"k","name":"n","path":"/p"},"kind":"note","content":"text %d","alpha":1,"beta":1}` + "\n"
	s := newFixture(t).rows()
	for name, test := range map[string]struct {
		text string
		line int
		new  int
	}{
		"no export":      {"{}\n", 1, 0},
		"nonsense":       {"hello", 1, 0},
		"newer":          {`{"format":"tidepool memories","version":2}`, 1, 0},
		"a damaged line": {head + fmt.Sprintf(good, 1, 1) + "{\n" + fmt.Sprintf(good, 2, 2), 3, 1},
		"no id":          {head + strings.ReplaceAll(good, "mem_", "xxx_"), 2, 0},
		"no confidence":  {head + strings.ReplaceAll(fmt.Sprintf(good, 3, 3), `"alpha":1`, `"alpha":0`), 2, 0},
		"unknown kind":   {head + strings.ReplaceAll(fmt.Sprintf(good, 4, 4), "note", "poem"), 2, 0},
		"a long line":    {head + `{"content":"` + strings.Repeat("x", maxLine) + `"}`, 2, 0},
	} {
		got, err := s.Import(t.Context(), strings.NewReader(test.text))
		var line *LineError
		if !errors.As(err, &line) || line.Line != test.line || line.Hint() == "" || got.New != test.new {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
	}
	if got, err := s.Import(t.Context(), strings.NewReader("")); got != (Imported{}) || err == nil {
		t.Errorf("an empty file: %+v, %v", got, err)
	}
	if got, err := s.Import(t.Context(), strings.NewReader(head+"\n\n")); got != (Imported{}) || err != nil {
		t.Errorf("an empty export: %+v, %v", got, err)
	}
}

// A stream writes the export of so many memories, a line at a time.
type stream struct {
	left int
	line strings.Reader
	rand *rand.Rand
}

func (s *stream) Read(p []byte) (int, error) {
	if s.line.Len() == 0 {
		if s.left == 0 {
			return 0, io.EOF
		}
		s.left--
		var words []string
		for range 20 {
			words = append(words, fmt.Sprintf("w%d", int(s.rand.ExpFloat64()*4000)))
		}
		s.line.Reset(fmt.Sprintf(`{"id":"mem_%012x","project":{"key":"k%d","name":"n","path":"/p"},"kind":"note","content":"%s","session":"s%d","alpha":1,"beta":1}`+"\n",
			s.left, s.left%7, strings.Join(words, " "), s.left/10))
	}
	return s.line.Read(p)
}

// An import of 100,000 memories takes no more memory than its transactions do, others write meanwhile, and an index that was open has them all at the end.
func TestLargeImport(t *testing.T) {
	count := 100_000
	if raceDetector {
		count = 5_000 // it takes the detector six minutes for all; make bench-recall imports as many without it
	}
	f := newFixture(t)
	s, other := f.rows(), f.ready()
	imported := make(chan error, 1)
	before := inUse()
	most := before
	go func() {
		in := io.MultiReader(strings.NewReader(`{"format":"tidepool memories","version":1}`+"\n"), &stream{left: count, rand: rand.New(rand.NewPCG(1, 2))})
		got, err := s.Import(t.Context(), in)
		if err == nil && got.New != count {
			err = fmt.Errorf("%+v", got)
		}
		imported <- err
	}()
	saves := 0
	for done := false; !done; {
		select {
		case err := <-imported:
			must(t, err)
			done = true
		case <-time.After(200 * time.Millisecond): // between two looks at the memory, each of which takes a collection
			save(t, other, note(fmt.Sprint("meanwhile", saves, " something", saves)))
			saves++
			most = max(most, inUse())
		}
	}
	t.Logf("%d saves meanwhile, %d MB at most", saves, (most-before)>>20)
	if grown := most - before; grown > 64<<20 { // the index that was open waits with most of it
		t.Errorf("it takes %d MB", grown>>20)
	}
	must(t, other.live.work(t.Context(), false))
	if st := other.Status(t.Context()); st.IndexDocs != count+saves || st.Counts.Memories != count+saves {
		t.Errorf("%d are in the index, %d in the database", st.IndexDocs, st.Counts.Memories)
	}
}

// inUse returns the bytes of the heap that are in use, after a collection.
func inUse() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}
