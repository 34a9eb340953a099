package filecache

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

func write(t *testing.T, path, text string, changed time.Time) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chtimes(path, changed, changed); err != nil {
		t.Fatal(err)
	}
}

// A made value is what files are made into here.
type made struct{ text string }

func parse(_ string, text []byte) *made { return &made{strings.ToUpper(string(text))} }

func open(t *testing.T, c *Cache[*made], path string) *made {
	t.Helper()
	value, err := c.Open(path, parse)
	if err != nil {
		t.Fatal(err)
	}
	return value
}

func TestMakesWhatChanged(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a")
	day := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	var c Cache[*made]
	write(t, path, "a", day)
	first := open(t, &c, path)
	if open(t, &c, path) != first {
		t.Error("an unchanged file was made again")
	}
	write(t, path, "b", day.Add(time.Second))
	if got := open(t, &c, path).text; got != "B" {
		t.Errorf("%s after the time changed", got)
	}
	write(t, path, "ccc", day.Add(time.Second))
	if got := open(t, &c, path).text; got != "CCC" {
		t.Errorf("%s after the size changed", got)
	}
	write(t, path, "ddd", day.Add(time.Second))
	if got := open(t, &c, path).text; got != "DDD" {
		t.Errorf("%s after the text changed alone", got)
	}
	if _, err := c.Open(path+"x", parse); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a missing file gives %v", err)
	}
}

// A write that leaves size and time as they were is seen, even at once: time and again, a clock's tick may hide it.
func TestSameSizeAndTime(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a")
	day := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	var c Cache[*made]
	for i := range 200 {
		text := string(rune('a' + i%26))
		write(t, path, text, day)
		first := open(t, &c, path)
		if first.text != strings.ToUpper(text) {
			t.Fatalf("write %d: %s instead of %s", i, first.text, text)
		}
		if open(t, &c, path) != first {
			t.Fatal("the same text was made again")
		}
	}
}

// What was read long after it was written is not read again.
func TestSettled(t *testing.T) {
	now := time.Now()
	for ago, want := range map[time.Duration]bool{0: false, time.Second: false, 3 * time.Second: true, -time.Hour: false} {
		if got := (Stamp{Changed: now.Add(-ago).UnixNano()}).Settled(now); got != want {
			t.Errorf("changed %v before: settled %v", ago, got)
		}
	}
}

func TestIsBounded(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a")
	write(t, path, "a", time.Unix(1, 0))
	var c Cache[*made]
	open(t, &c, path)
	c.keep("b", &kept[*made]{stamp: Stamp{Size: maxCached / 2}})
	open(t, &c, path)
	c.keep("c", &kept[*made]{stamp: Stamp{Size: maxCached / 2}})
	if c.bytes > maxCached || len(c.kept) != 2 {
		t.Errorf("%d files with %d bytes are kept", len(c.kept), c.bytes)
	}
	if c.kept[path] == nil || c.kept["b"] != nil {
		t.Error("the file used again was dropped before an older one")
	}
	c.keep("d", &kept[*made]{stamp: Stamp{Size: maxCached}})
	if len(c.kept) != 2 {
		t.Errorf("a huge file leaves %d others", len(c.kept))
	}
}

func TestConcurrently(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a")
	write(t, path, "a", time.Unix(1, 0))
	var c Cache[*made]
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			if value, err := c.Open(path, parse); err != nil || value.text != "A" {
				t.Errorf("got %v, %v", value, err)
			}
		})
	}
	wg.Wait()
}

func TestReadingLooksOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a")
	write(t, path, "a", time.Unix(1, 0))
	var c Cache[*made]
	reading := c.Read(parse)
	first, err := reading.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	write(t, path, "b", time.Unix(2, 0))
	if again, err := reading.Open(path); err != nil || again != first {
		t.Errorf("looked again: %v", err)
	}
	if next, err := c.Read(parse).Open(path); err != nil || next.text != "B" {
		t.Errorf("the next reading sees the old file: %v", err)
	}
}

// Who vouches for a revision is not looked after on the disk.
func TestTrustsRevisions(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a")
	day := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	var c Cache[*made]
	read := func(revision int64) string {
		r := c.Read(parse)
		r.ReuseRevisions(func(string) (int64, bool) { return revision, revision > 0 })
		value, err := r.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		return value.text
	}
	write(t, path, "a", day)
	if got := read(1); got != "A" {
		t.Errorf("at first %s", got)
	}
	write(t, path, "b", day.Add(time.Second))
	for _, next := range []struct {
		revision int64
		want     string
	}{{1, "A"}, {2, "B"}, {2, "B"}, {0, "B"}, {2, "B"}, {3, "B"}, {0, "B"}} {
		if got := read(next.revision); got != next.want {
			t.Errorf("revision %d: %s, want %s", next.revision, got, next.want)
		}
	}
	write(t, path, "c", day.Add(2*time.Second))
	if got := read(3); got != "B" {
		t.Errorf("who did not vouch for the same text took its revision away: %s", got)
	}
	if got := read(0); got != "C" {
		t.Errorf("nobody vouches for it: %s", got)
	}
	if got := read(3); got != "C" {
		t.Errorf("what was looked at since has no revision: %s", got)
	}
}

// A cache has a bound of its own, and a reading holds no more than the cache once it has forgotten.
func TestLimitAndForget(t *testing.T) {
	dir, day := t.TempDir(), time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	c := Cache[*made]{Limit: 4}
	r := c.Read(parse)
	var first []*made
	names := []string{"a", "b", "cc"}
	for _, name := range names {
		write(t, filepath.Join(dir, name), name+name, day)
	}
	open := func(name string) *made {
		value, err := r.Open(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		return value
	}
	for _, name := range names {
		first = append(first, open(name))
	}
	if c.bytes != 4 || open("cc") != first[2] {
		t.Errorf("%d bytes are kept; a reading opened a file twice", c.bytes)
	}
	r.Forget()
	if open("a") != first[0] || open("cc") == first[2] {
		t.Error("after forgetting, what the cache keeps and nothing else must be what it was")
	}
}

// A reading of many files holds twice what the cache keeps, and opens a file that it let go again.
func TestReadingIsBounded(t *testing.T) {
	dir, day := t.TempDir(), time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	c := Cache[*made]{Limit: 4}
	r := c.Read(parse)
	for i := range 20 {
		name := string(rune('a' + i))
		write(t, filepath.Join(dir, name), name, day)
		if value, err := r.Open(filepath.Join(dir, name)); err != nil || value.text != strings.ToUpper(name) {
			t.Fatalf("%s: %v, %v", name, value, err)
		}
		if len(r.opened) > 8 || r.bytes > 8 {
			t.Fatalf("%d files with %d bytes are held after %s", len(r.opened), r.bytes, name)
		}
	}
	if value, err := r.Open(filepath.Join(dir, "a")); err != nil || value.text != "A" {
		t.Errorf("the first again: %v, %v", value, err)
	}
}

// A bound drops the oldest of what was derived, and what is used later than the rest; the latest stays, however large.
func TestDerivedIsBounded(t *testing.T) {
	b := Bound{Limit: 30}
	all := make([]Derived[int], 9)
	made := 0
	get := func(i int) {
		if got := all[i].Get(&b, func() (int, int) { made++; return i, 10 }); got != i {
			t.Fatalf("%d instead of %d", got, i)
		}
	}
	kept := func() (count int) {
		for i := range all {
			if all[i].kept.Load() != nil {
				count++
			}
		}
		return count
	}
	for i := range all {
		get(i)
		get(0)
		if kept() > 3 || b.bytes > 30 {
			t.Errorf("%d values of %d bytes are kept after the value %d", kept(), b.bytes, i)
		}
	}
	if made != len(all) {
		t.Errorf("%d values were made: what is used all the time is made again", made)
	}
	get(1)
	if made != len(all)+1 {
		t.Error("a value that was dropped was not made again")
	}
	var large Derived[int]
	if large.Get(&b, func() (int, int) { return 1, 1000 }); kept() != 0 || large.kept.Load() == nil {
		t.Errorf("%d others are kept beside one above the limit", kept())
	}
	var free Derived[int]
	if free.Get(nil, func() (int, int) { return 1, 1000 }); free.kept.Load() == nil {
		t.Error("a value without a bound is not kept")
	}
}
