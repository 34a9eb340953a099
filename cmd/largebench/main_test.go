package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"tidepool/internal/checkout"
	"tidepool/internal/daemontest"
	"tidepool/internal/sample"
)

// tiny are projects of the sample kind, with limits that a busy machine does not meet.
func tiny() []size {
	patient := limits{load: daemontest.Patience, callers: daemontest.Patience, edits: daemontest.Patience, scout: daemontest.Patience, rest: time.Second, pause: time.Millisecond}
	few := counts{names: 8, first: 4, leaf: 2, hub: 2, scout: 4}
	var all []size
	for _, made := range []*sample.Project{sample.Go(3)} {
		all = append(all, size{name: made.Language, language: made.Language, source: "a sample", limits: patient, counts: few, mixed: true, fetch: writes(made)})
	}
	return all
}

// writes returns a fetch that makes a project.
func writes(made *sample.Project) func(context.Context, *project) error {
	return func(ctx context.Context, p *project) error {
		if err := made.Write(p.dir); err != nil {
			return err
		}
		if made.Language == "go" {
			return p.prepareGo(ctx)
		}
		p.hub, _, _ = made.Declaration(made.Functions()[0])
		p.leaf = made.Sources()[len(made.Sources())-1]
		return p.walkSources(func(path string) bool { return slices.Contains(made.Sources(), path) })
	}
}

// newBench returns a bench with programs of its own.
func newBench(t *testing.T) *bench {
	t.Helper()
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	bin := t.TempDir()
	if err := daemontest.Build(bin); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"gopls", "servers"} {
		if made := filepath.Join(root, "bin", name); exists(made) {
			if err := os.Symlink(made, filepath.Join(bin, name)); err != nil {
				t.Fatal(err)
			}
		}
	}
	t.Setenv("TMPDIR", t.TempDir())
	temp, err := checkout.Temporary("large")
	if err != nil {
		t.Fatal(err)
	}
	return &bench{root: root, bin: bin, temp: temp, deadline: time.Now().Add(time.Hour), mixed: 10 * time.Millisecond}
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// Both sides are measured to the end, and nothing of them is left.
func TestMeasureTinyProjects(t *testing.T) {
	b := newBench(t)
	for _, s := range tiny() {
		t.Run(s.language, func(t *testing.T) {
			results, err := b.measureAll(t.Context(), []size{s})
			if err != nil {
				t.Fatal(err)
			}
			checkMeasured(t, results[0])
			if runtime.GOOS == "linux" {
				if left := processesWith(t, b.temp); len(left) > 0 {
					t.Errorf("still running: %q", left)
				}
			}
			if left, err := os.ReadDir(b.temp); err != nil || len(left) > 0 {
				t.Errorf("left in the temporary directory: %v, %v", left, err)
			}
		})
	}
}

// A run that is interrupted leaves no daemon behind, and no language server.
func TestInterruptedRunLeavesNothing(t *testing.T) {
	b := newBench(t)
	p, err := b.lay(t.Context(), tiny()[0])
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	go func() {
		for !exists(daemontest.Socket(p.dir)) && ctx.Err() == nil {
			time.Sleep(10 * time.Millisecond) // between two looks
		}
		cancel()
	}()
	if _, err := b.measureOurs(ctx, p); !errors.Is(err, context.Canceled) {
		t.Errorf("the run ends with %v", err)
	}
	if runtime.GOOS == "linux" {
		if left := processesWith(t, b.temp); len(left) > 0 {
			t.Errorf("still running: %q", left)
		}
	}
}

func checkMeasured(t *testing.T, r result) {
	t.Helper()
	if r.problem != "" || r.lines < 100 || r.files == 0 {
		t.Fatalf("%d lines in %d files; %s", r.lines, r.files, r.problem)
	}
	for name, of := range map[string]record{"daemon": r.ours, "bare server": r.bare} {
		if len(of.cold) != coldStarts || of.second == 0 {
			t.Errorf("%s: %v to the first answer, %v at the second start", name, of.cold, of.second)
		}
		if len(of.callers) != r.counts.names || len(of.leaf) != r.counts.leaf || len(of.hub) != r.counts.hub || len(of.hits) > 0 {
			t.Errorf("%s: %d questions, %d and %d edits; %q", name, len(of.callers), len(of.leaf), len(of.hub), of.hits)
		}
		if runtime.GOOS == "linux" && (of.loaded.whole == 0 || of.used.parts == "" || of.peak < of.used.whole || of.own == 0) {
			t.Errorf("%s: %d bytes loaded, %d used, %d at the peak, %d its own", name, of.loaded.whole, of.used.whole, of.peak, of.own)
		}
	}
	ours := r.ours
	if len(ours.scout) != r.counts.scout || ours.scoutFailed > 0 || ours.mixedCalls == 0 {
		t.Errorf("%d questions to scout, %d failed; %d calls of mixed use", len(ours.scout), ours.scoutFailed, ours.mixedCalls)
	}
	if ours.restarts > 0 || ours.tally.wrong > 0 || ours.tally.answers < r.counts.names+r.counts.scout {
		t.Errorf("%d restarts; %+v", ours.restarts, ours.tally)
	}
}

// processesWith returns the command lines that name a directory.
func processesWith(t *testing.T, dir string) []string {
	t.Helper()
	lines, err := filepath.Glob("/proc/[0-9]*/cmdline")
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	for _, path := range lines {
		if line, err := os.ReadFile(path); err == nil && strings.Contains(string(line), dir) {
			found = append(found, string(line))
		}
	}
	return found
}

// A project that cannot be fetched is a row's problem, not the end of the run.
func TestProblemOfOneSize(t *testing.T) {
	b := &bench{temp: t.TempDir(), bin: t.TempDir(), deadline: time.Now().Add(time.Hour)}
	failing := size{name: "failing", language: "go", source: "nowhere", fetch: func(context.Context, *project) error { return os.ErrNotExist }}
	results, err := b.measureAll(t.Context(), []size{failing})
	if err != nil || len(results) != 1 || results[0].problem == "" {
		t.Errorf("%+v, %v", results, err)
	}
	var printed strings.Builder
	if err := results[0].print(&printed); err == nil || !strings.Contains(err.Error(), "not measured to the end") {
		t.Errorf("%v of\n%s", err, printed.String())
	}
}

func TestChoose(t *testing.T) {
	for list, want := range map[string]bool{"": true, "small,medium,big,huge,largest": true, "typescript,c": false, "small,largest": false} {
		if chosen, err := choose(list); err != nil || drawable(chosen) != want {
			t.Errorf("%q: drawable %v, %v", list, !want, err)
		}
	}
	if all, err := choose(""); err != nil || len(all) != len(sizes()) {
		t.Errorf("%d sizes, %v", len(all), err)
	}
	if two, err := choose("largest,small"); err != nil || len(two) != 2 || two[0].name != "largest" || two[1].name != "small" {
		t.Errorf("%v, %v", two, err)
	}
	if _, err := choose("tiny"); err == nil || !strings.Contains(err.Error(), "small, medium") {
		t.Errorf("got %v", err)
	}
	if names := sizeNames(); len(slices.Compact(slices.Sorted(slices.Values(names)))) != len(names) {
		t.Errorf("a size is named twice: %v", names)
	}
}
