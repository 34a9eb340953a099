package packages

import (
	"cmp"
	"context"
	"fmt"
	"go/build"
	"slices"
	"strings"

	"tidepool/internal/golang/fact"
	"tidepool/internal/golang/syntax"
)

// Try makes edits of files that the system we run on builds, and type-checks the directories where others see other code
// than we do: for Linux, Windows and macOS, and each file that none of them builds for one system that does. A place that
// does not compile without the edits is passed over. The error is that of reading what is edited. Once ctx has ended, what
// is not looked at yet is left out.
func (w *Work) Try(ctx context.Context, dirs []string, edits []fact.Edit, extent fact.Extent) (fact.Trial, error) {
	w.ended = func() bool { return ctx.Err() != nil }
	texts, err := revise(edits)
	if err != nil {
		return fact.Trial{}, err
	}
	t := trials{work: w, texts: texts, of: make(map[string]*trial), made: fact.Trial{Seen: make(map[string]bool), Missed: make(map[string][]string), Unbuilt: make(map[string]bool)}}
	for _, dir := range dirs {
		for _, v := range w.otherPlatforms(dir) {
			if extent == fact.LeftOut {
				v.bodies = v.otherPlatform
			}
			if v.bodies == nil || len(v.bodies) > 0 {
				t.add(dir, v)
			}
		}
		t.unbuilt(dir)
		w.files.Forget()
	}
	slices.SortStableFunc(t.made.Problems, func(a, b fact.Problem) int {
		return cmp.Or(cmp.Compare(a.At.Path, b.At.Path), cmp.Compare(a.At.Line, b.At.Line), cmp.Compare(a.At.Column, b.At.Column))
	})
	return t.made, nil
}

// unbuilt adds the files of a directory that no system builds.
func (t *trials) unbuilt(dir string) {
	for _, s := range t.work.stampsOf(dir) {
		f, err := t.work.files.Open(s.path)
		if _, seen := t.made.Seen[s.path]; err == nil && !seen && !buildsFile(here(), f) && !Builds(f) {
			t.made.Unbuilt[s.path] = true
		}
	}
}

// Builds reports whether some system, perhaps with tags, builds a file: not if it is only run by its name.
func Builds(f *syntax.File) bool {
	_, ok := systemOf(f)
	return ok
}

func systemName(c build.Context) string {
	return fmt.Sprint(c.GOOS, c.GOARCH, c.CgoEnabled, c.BuildTags)
}

// trials are the trials of one change, by system.
type trials struct {
	work  *Work
	texts map[string]revised
	of    map[string]*trial
	made  fact.Trial
	found map[string]int // indices of problems
}

// add adds what becomes of a variant of a directory.
func (t *trials) add(dir string, v variant) {
	name := systemName(v.system)
	if t.of[name] == nil {
		t.of[name] = newTrial(t.work, v.system, t.texts)
	}
	var o outcome
	if !t.work.ended() {
		o = t.of[name].check(dir, v)
	}
	if t.work.ended() { // packages may be missing that were to be read
		o = outcome{}
	}
	for _, p := range o.broken {
		t.keep(p, v.system.GOOS)
	}
	some := false
	for _, f := range slices.Concat(v.files, v.tests, v.external) {
		if v.otherPlatform[f.Path] {
			before, tried := t.made.Seen[f.Path]
			t.made.Seen[f.Path] = o.seen[f.Path] && (before || !tried)
		}
		some = some || v.looksInto(f.Path) && !o.seen[f.Path]
	}
	often := slices.ContainsFunc(mainstream(), func(c build.Context) bool { return c.GOOS == v.system.GOOS })
	if some && often && !o.unfit {
		t.made.Missed[dir] = append(t.made.Missed[dir], v.system.GOOS)
	}
}

// An outcome is what becomes of a variant. The zero value is that of one which was not looked at.
type outcome struct {
	broken []fact.Problem
	seen   map[string]bool // paths of the files in which nothing is missed
	unfit  bool            // the package is not meant for the system
}

// keep adds a problem, or the system to one that is the same.
func (t *trials) keep(p fact.Problem, system string) {
	if t.found == nil {
		t.found = make(map[string]int)
	}
	key := fmt.Sprintln(p.At, p.Message)
	at, known := t.found[key]
	if !known {
		at = len(t.made.Problems)
		t.found[key], t.made.Problems = at, append(t.made.Problems, p)
	}
	if of := &t.made.Problems[at]; !slices.Contains(of.Systems, system) {
		of.Systems = append(of.Systems, system)
	}
}

// A trial compares the packages of one system with the edits to those without.
type trial struct{ before, after *platform }

func newTrial(w *Work, system build.Context, texts map[string]revised) *trial {
	after := newPlatform(w, system, texts)
	before := newPlatform(w, system, nil)
	before.others = after.packages
	return &trial{before, after}
}

// check looks at what the edits break in a variant.
func (t *trial) check(dir string, v variant) outcome {
	after := t.after.check(dir, v)
	before := after
	if len(after.problems) > 0 || !after.whole {
		before = t.before.check(dir, v)
	}
	old := make(map[fact.Place]bool)
	for _, p := range before.problems {
		old[p.At] = true
	}
	made := outcome{seen: before.sees(v), unfit: before.lacks}
	for _, p := range after.problems {
		if v.looksInto(p.At.Path) && !old[p.At] && !strings.HasPrefix(p.Message, "\t") {
			made.broken = append(made.broken, p.Problem)
		}
	}
	return made
}
