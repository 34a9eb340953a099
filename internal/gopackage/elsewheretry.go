package gopackage

import (
	"cmp"
	"context"
	"fmt"
	"go/build"
	"os"
	"slices"
	"strings"

	"tidepool/internal/gosyntax"
)

// An Edit replaces bytes of the text that a file has on the disk.
type Edit struct {
	Path       string
	Start, End int // offsets
	New        string
}

// A Problem is what a type checker has against a place.
type Problem struct {
	At      Place
	Message string
}

// A Trial is what edits do to the files that the system we run on does not build.
type Trial struct {
	Problems []Problem       // that the edits cause there, in the order of their places
	Seen     map[string]bool // paths of the files in which no problem is missed
}

// Try makes edits of files that the system we run on builds, and type-checks the files of directories that it does not
// build, each for one system that does. A place that does not compile without the edits is passed over. The error is that
// of reading what is edited. Once ctx has ended, what is not looked at yet is left out.
func (w *Work) Try(ctx context.Context, dirs []string, edits []Edit) (Trial, error) {
	w.ended = func() bool { return ctx.Err() != nil }
	made := Trial{Seen: make(map[string]bool)}
	changed, err := edited(edits)
	if err != nil {
		return made, err
	}
	known := make(map[string]*trial)
	for _, dir := range dirs {
		for _, v := range w.variants(dir) {
			if v.elsewhere == nil || w.ended() {
				continue
			}
			name := systemName(v.system)
			if known[name] == nil {
				known[name] = newTrial(w, v.system, changed)
			}
			known[name].of(dir, v, &made)
		}
	}
	slices.SortFunc(made.Problems, func(a, b Problem) int {
		return cmp.Or(cmp.Compare(a.At.Path, b.At.Path), cmp.Compare(a.At.Line, b.At.Line), cmp.Compare(a.At.Column, b.At.Column))
	})
	return made, nil
}

// Builds reports whether some system, perhaps with tags, builds a file: not if it is only run by its name.
func Builds(f *gosyntax.File) bool {
	_, ok := systemOf(f)
	return ok
}

func systemName(c build.Context) string {
	return fmt.Sprint(c.GOOS, c.GOARCH, c.CgoEnabled, c.BuildTags)
}

// edited are the texts of files with edits, by path.
func edited(edits []Edit) (map[string]string, error) {
	texts := make(map[string]string)
	last := slices.SortedStableFunc(slices.Values(edits), func(a, b Edit) int { return cmp.Compare(b.Start, a.Start) })
	for _, e := range last {
		text, ok := texts[e.Path]
		if !ok {
			data, err := os.ReadFile(e.Path)
			if err != nil {
				return nil, fmt.Errorf("reading what is to be edited: %w", err)
			}
			text = string(data)
		}
		if e.Start < 0 || e.End < e.Start || e.End > len(text) {
			return nil, fmt.Errorf("%s has no bytes %d to %d; it may have changed just now", e.Path, e.Start, e.End)
		}
		texts[e.Path] = text[:e.Start] + e.New + text[e.End:]
	}
	return texts, nil
}

// A trial compares the packages of one system with the edits to those without.
type trial struct{ before, after *platform }

func newTrial(w *Work, system build.Context, edited map[string]string) *trial {
	after := newPlatform(w, system, edited)
	before := newPlatform(w, system, nil)
	before.others = after.packages
	return &trial{before, after}
}

// of adds what becomes of a variant.
func (t *trial) of(dir string, v variant, to *Trial) {
	after := t.after.check(dir, v)
	before := after
	if !after.whole {
		before = t.before.check(dir, v)
	}
	if t.after.work.ended() {
		return // packages may be missing that were to be read
	}
	old := make(map[Place]bool)
	for _, p := range before.problems {
		old[p.At] = true
	}
	for _, p := range after.problems {
		if v.elsewhere[p.At.Path] && !old[p.At] && !strings.HasPrefix(p.Message, "\t") {
			to.Problems = append(to.Problems, p)
		}
	}
	for path := range v.elsewhere {
		if before.whole {
			to.Seen[path] = true
		}
	}
}
