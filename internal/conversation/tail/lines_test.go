package tail

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// spans are the offsets and lengths of lines.
type spans []string

func (s *spans) Line(at int64, line []byte)  { *s = append(*s, fmt.Sprintf("%d+%d", at, len(line))) }
func (s *spans) PassedOver(at, length int64) { *s = append(*s, fmt.Sprintf("%d over %d", at, length)) }

func (h *home) open(path string) *File {
	h.t.Helper()
	f, err := newArchive(h.dir).finder.Open(path)
	if err != nil {
		h.t.Fatal(err)
	}
	h.t.Cleanup(func() { f.Close() })
	return f
}

func (h *home) read(f *File, from Place, limit int64, want ...string) Place {
	h.t.Helper()
	var got spans
	p, err := f.Read(from, limit, &got)
	if err != nil || !slices.Equal(got, want) {
		h.t.Fatalf("%q %v, want %q", got, err, want)
	}
	return p
}

func TestLinesAreReadFromAPlace(t *testing.T) {
	h := newHome(t)
	path := filepath.Join(h.slug, "a.jsonl")
	long := strings.Repeat("x", 3*chunk)
	h.append(path, "one\n\n\x00\x00\n"+long+"\npart")
	f := h.open(path)
	p := h.read(f, Place{}, 0, "0+3", "4+0", "5+2", fmt.Sprintf("8+%d", len(long)))
	if want := int64(len(long) + 9); p.Offset != want || p.Size != want+4 || !f.Unchanged(p) {
		t.Errorf("%+v", p)
	}
	h.read(f, p, 0)
	h.append(path, "ial\r\nx\n")
	if change, err := f.Compare(p); change != Grown || err != nil || f.Unchanged(p) {
		t.Error(change, err)
	}
	h.read(f, p, 0, fmt.Sprintf("%d+8", p.Offset), fmt.Sprintf("%d+1", p.Offset+9))

	// With a limit, the place is behind the line that reaches it, and shows that there is more.
	p = h.read(f, Place{}, 4, "0+3")
	if p.Offset != 4 || f.Unchanged(p) {
		t.Errorf("%+v", p)
	}
	p = h.read(f, p, 2, "4+0", "5+2")
	if change, err := f.Compare(p); change != Grown || err != nil {
		t.Error(change, err)
	}
}

func TestPlacesRecogniseTheirFile(t *testing.T) {
	h := newHome(t)
	path := filepath.Join(h.slug, "a.jsonl")
	body := strings.Repeat("0123456789abcde\n", 1000)
	for name, change := range map[string]struct {
		text string
		want Change
	}{
		"as it was": {body, Same}, "grown": {body + "more", Grown}, "cut": {body[:8000], Rewritten}, "empty": {"", Rewritten},
		"other beginning": {"x" + body[1:], Rewritten}, "other end": {body[:len(body)-2] + "x\n", Rewritten},
		"other end, grown": {body[:len(body)-2] + "x\n" + body, Rewritten},
	} {
		if err := os.WriteFile(path, []byte(body), 0o600); err != nil {
			t.Fatal(err)
		}
		var all spans
		p, err := h.open(path).Read(Place{}, 0, &all)
		if err != nil || len(all) != 1000 {
			t.Fatal(len(all), err)
		}
		if err := os.WriteFile(path, []byte(change.text), 0o600); err != nil {
			t.Fatal(err)
		}
		if got, err := h.open(path).Compare(p); got != change.want || err != nil {
			t.Errorf("%s: %s %v", name, got, err)
		}
	}
}

// A line that is too long is passed over without being held in memory, even if its end comes later.
func TestTooLongLines(t *testing.T) {
	h := newHome(t)
	path := filepath.Join(h.slug, "a.jsonl")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	piece := bytes.Repeat([]byte("y"), 1<<20)
	write := func(data []byte) {
		if _, err := f.Write(data); err != nil {
			t.Fatal(err)
		}
	}
	write([]byte("a\n"))
	for range 100 {
		write(piece)
	}
	opened := h.open(path)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	p := h.read(opened, Place{}, 0, "0+1")
	write([]byte("\nb\n"))
	h.read(opened, p, 0, fmt.Sprintf("2 over %d", 100<<20+1), fmt.Sprintf("%d+1", 100<<20+3))
	runtime.ReadMemStats(&after)
	if took := after.TotalAlloc - before.TotalAlloc; took > 4<<20 {
		t.Errorf("%d MB allocated", took>>20)
	}
	// The longest line that is read, and one byte more.
	for _, length := range []int{MaxLine - 1, MaxLine} {
		if err := os.WriteFile(path, append(bytes.Repeat([]byte("z"), length), '\n'), 0o600); err != nil {
			t.Fatal(err)
		}
		want := fmt.Sprintf("0+%d", length)
		if length == MaxLine {
			want = fmt.Sprintf("0 over %d", length+1)
		}
		h.read(h.open(path), Place{}, 0, want)
	}
}

// A file that is cut while it is read gives what was there, and the next comparison shows it.
func TestFileIsCutWhileItIsRead(t *testing.T) {
	h := newHome(t)
	path := filepath.Join(h.slug, "a.jsonl")
	h.append(path, strings.Repeat(strings.Repeat("x", 99)+"\n", 100_000))
	f := h.open(path)
	cut := &cutter{path: path, t: t}
	p, err := f.Read(Place{}, 0, cut)
	if err != nil || cut.lines == 0 || cut.lines == 100_000 {
		t.Fatal(cut.lines, err)
	}
	if change, err := f.Compare(p); change != Rewritten || err != nil {
		t.Error(change, err)
	}
}

type cutter struct {
	t     *testing.T
	path  string
	lines int
}

func (c *cutter) Line(int64, []byte) {
	if c.lines++; c.lines == 10 {
		if err := os.Truncate(c.path, 50); err != nil {
			c.t.Fatal(err)
		}
	}
}

func (c *cutter) PassedOver(at, length int64) { c.t.Errorf("%d bytes passed over at %d", length, at) }
