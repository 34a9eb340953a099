package disk

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// TestWalkSeesAll does to a small tree whatever programs do, and compares what walks report with what is there. Half of
// the runs trust the watch alone.
func TestWalkSeesAll(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		dir, err := os.MkdirTemp("", "walk")
		if err != nil {
			t.Fatal(err)
		}
		defer os.RemoveAll(dir)
		root := filepath.Join(dir, "root")
		lab := &labour{t: t, root: root, away: filepath.Join(dir, "away")}
		lab.do(os.Mkdir(root, 0o755))
		d := New(root, Selection{Suffixes: []string{".toy"}})
		defer func() { d.Unwatch() }()
		if rapid.Bool().Draw(t, "without a watch") {
			d.Unwatch()
		}
		d.Walk(nil)
		before := contents(root)
		t.Repeat(map[string]func(*rapid.T){
			"": func(t *rapid.T) {
				d.trusted = time.Now().Add(time.Hour)
				changes := d.Walk(nil)
				now := contents(root)
				if missing := unreported(before, now, changes); missing != nil {
					t.Fatalf("not reported: %q in %v", missing, describeChanges(root, changes))
				}
				all := slices.Sorted(d.Files)
				if diff := cmp.Diff(slices.Sorted(maps.Keys(now)), all); diff != "" || d.total != len(now) {
					t.Fatalf("total %d, files (-there +known):\n%s", d.total, diff)
				}
				before = now
			},
			"write":   lab.write,
			"replace": lab.replace,
			"move":    lab.move,
			"remove":  lab.remove,
			"several": lab.several,
		})
	})
}

// A labour changes the files below a root.
type labour struct {
	t          *rapid.T
	root, away string
	count      int
}

// do is for what may be impossible: nothing has changed then.
func (l *labour) do(error) {}

var (
	someDir  = rapid.SampledFrom([]string{".", "a", "b", "a/a", "a/b", "b/a", "a/a/a"})
	someFile = rapid.SampledFrom([]string{"x.toy", "y.toy", "a", "notes"})
)

func (l *labour) dir(t *rapid.T) string { return filepath.Join(l.root, someDir.Draw(t, "dir")) }

func (l *labour) write(t *rapid.T) {
	dir := l.dir(t)
	l.count++
	l.do(os.MkdirAll(dir, 0o755))
	l.do(os.WriteFile(filepath.Join(dir, someFile.Draw(t, "file")), fmt.Appendf(nil, "%6d", l.count), 0o644))
}

// replace is how careful programs write: of the same size, and with the time of what was there.
func (l *labour) replace(t *rapid.T) {
	path := filepath.Join(l.dir(t), someFile.Draw(t, "file"))
	info, err := os.Stat(path)
	if err != nil || info.IsDir() {
		return
	}
	l.count++
	l.do(os.WriteFile(l.away, fmt.Appendf(nil, "%6d", l.count), 0o644))
	l.do(os.Chtimes(l.away, info.ModTime(), info.ModTime()))
	l.do(os.Rename(l.away, path))
}

// move renames a directory, out of the tree and into it again if there is one already.
func (l *labour) move(t *rapid.T) {
	from, to := l.dir(t), l.dir(t)
	if from != l.root && to != l.root && os.Rename(from, to) != nil {
		l.do(os.Rename(from, l.away+"dir"))
		l.do(os.Rename(to, from))
		l.do(os.Rename(l.away+"dir", to))
	}
}

func (l *labour) remove(t *rapid.T) {
	if dir := l.dir(t); rapid.Bool().Draw(t, "all of it") && dir != l.root {
		l.do(os.RemoveAll(dir))
	} else {
		l.do(os.Remove(filepath.Join(dir, someFile.Draw(t, "file"))))
	}
}

// several does more than one thing between two walks.
func (l *labour) several(t *rapid.T) {
	for range rapid.IntRange(2, 8).Draw(t, "things") {
		rapid.SampledFrom([]func(*rapid.T){l.write, l.replace, l.move, l.remove}).Draw(t, "thing")(t)
	}
}

// contents reads the source files of the toy language below a directory.
func contents(root string) map[string]string {
	found := map[string]string{}
	filepath.WalkDir(root, func(path string, entry os.DirEntry, err error) error {
		if err == nil && !entry.IsDir() && strings.HasSuffix(path, ".toy") {
			data, _ := os.ReadFile(path)
			found[path] = string(data)
		}
		return nil
	})
	return found
}

// unreported are the differences that the changes do not hold.
func unreported(before, now map[string]string, changes []Change) (missing []string) {
	kinds := map[string]Kind{}
	for _, c := range changes {
		kinds[c.Path] = c.Kind
	}
	for path, text := range now {
		if old, was := before[path]; was && old == text {
			continue
		}
		if kind := kinds[path]; kind != Created && kind != Changed {
			missing = append(missing, path)
		}
	}
	for path := range before {
		if _, is := now[path]; !is && kinds[path] != Deleted {
			missing = append(missing, path)
		}
	}
	return missing
}
