package conversation

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"tidepool/internal/transcript/transcripttest"
)

// Whatever is written in whatever pieces, rewritten, moved, read on or read after a restart: the store is that of one reading.
func TestAnyGrowthGivesTheStoreOfOneReading(t *testing.T) {
	few(t)
	rapid.Check(t, func(r *rapid.T) {
		f := newFixture(t)
		defer os.RemoveAll(f.home)
		var files []transcripttest.File
		for i := range 3 {
			seed := rapid.Uint64().Draw(r, "seed")
			files = append(files, transcripttest.Generate(seed, transcripttest.Options{Turns: 6, Cwd: f.project, Shapes: true, Session: fmt.Sprintf("%08d-session", i)}))
		}
		a, k := f.archive()
		written := map[int]int{}
		dir := map[int]string{}
		path := func(i int) string {
			return filepath.Join(f.home, ".claude", "projects", "-src-shop"+dir[i], files[i].Session+".jsonl")
		}
		put := func(i int, data []byte) {
			if err := os.MkdirAll(filepath.Dir(path(i)), 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path(i), data, 0o600); err != nil {
				t.Fatal(err)
			}
			written[i] = len(data)
		}
		catchUp := func() {
			if err := k.CatchUp(context.Background()); err != nil {
				t.Fatal(err)
			}
		}
		which := rapid.IntRange(0, len(files)-1)
		r.Repeat(map[string]func(*rapid.T){
			"grow": func(r *rapid.T) {
				i := which.Draw(r, "file")
				data := files[i].Data()
				put(i, data[:rapid.IntRange(written[i], len(data)).Draw(r, "size")])
			},
			"append": func(r *rapid.T) { // in place, as Claude Code does
				i := which.Draw(r, "file")
				data := files[i].Data()
				if written[i] == 0 {
					return
				}
				size := rapid.IntRange(written[i], len(data)).Draw(r, "size")
				file, err := os.OpenFile(path(i), os.O_APPEND|os.O_WRONLY, 0)
				if err != nil {
					t.Fatal(err)
				}
				defer file.Close()
				if _, err := file.Write(data[written[i]:size]); err != nil {
					t.Fatal(err)
				}
				written[i] = size
			},
			"shrink": func(r *rapid.T) {
				i := which.Draw(r, "file")
				first := int(files[i].Want[0].End) + 1 // a file without turns is one that is gone, see TestEmptiedTranscript
				if written[i] > first {
					put(i, files[i].Data()[:rapid.IntRange(first, written[i]).Draw(r, "size")])
				}
			},
			"replace": func(r *rapid.T) {
				i := which.Draw(r, "file")
				seed := rapid.Uint64().Draw(r, "seed")
				files[i] = transcripttest.Generate(seed, transcripttest.Options{Turns: 6, Cwd: f.project, Shapes: true, Session: files[i].Session})
				put(i, files[i].Data())
			},
			"move": func(r *rapid.T) {
				i := which.Draw(r, "file")
				if written[i] == 0 {
					return
				}
				before := path(i)
				dir[i] += "x"
				if err := os.MkdirAll(filepath.Dir(path(i)), 0o700); err != nil {
					t.Fatal(err)
				}
				if err := os.Rename(before, path(i)); err != nil {
					t.Fatal(err)
				}
			},
			"read": func(*rapid.T) { catchUp() },
			"search": func(*rapid.T) { // which loads the index, so that it follows from now on
				if _, err := a.Search(context.Background(), Query{Text: "the"}); err != nil {
					t.Fatal(err)
				}
			},
			"restart": func(*rapid.T) {
				if err := a.Close(); err != nil {
					t.Fatal(err)
				}
				a, k = f.archive()
			},
		})
		catchUp()
		followed := answers(t, a)
		got := dump(t, f.options.StorePath())
		f.options.Dir += "-anew"
		if diff := cmp.Diff(answers(t, f.read()), followed); diff != "" {
			r.Errorf("answers (-read anew +followed):\n%s", diff)
		}
		if diff := cmp.Diff(dump(t, f.options.StorePath()), got); diff != "" {
			r.Errorf("(-read anew +followed):\n%s", diff)
		}
	})
}

// answers returns what some words find, with scores.
func answers(t *testing.T, a *Archive) (all []string) {
	for _, text := range []string{"the", "retry queue", "function let other", "go"} {
		found := search(t, a, Query{Text: text, Limit: 200})
		all = append(all, fmt.Sprint(text, found.Matches, found.Unknown))
		for _, h := range found.Hits {
			all = append(all, fmt.Sprintf("%s %d %.9f", h.Session, h.Turn, h.Score))
		}
	}
	return all
}

// few has properties checked 15 times: each check opens databases.
func few(t *testing.T) {
	checks := flag.Lookup("rapid.checks")
	if checks.Value.String() != checks.DefValue {
		return // somebody has asked for so many
	}
	if err := checks.Value.Set("15"); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { checks.Value.Set(checks.DefValue) })
}
