package clang

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"
)

// The sum changes with each file that an #include of the source may name, and is unknown where not all of these are known.
func TestSurroundings(t *testing.T) {
	root, around := t.TempDir(), t.TempDir()
	unit := filepath.Join(root, "a.c")
	sources := map[string]source{
		unit:                         read("#include \"own.h\"\n#include <lib/thing.h>\n"),
		filepath.Join(root, "own.h"): read("#include \"made.h\"\n"),
	}
	p := plan{
		sources: sources, includes: includesOf(sources, nil),
		commands: map[string]compileCommand{unit: {Dir: root, Args: []string{"cc", "-Iinclude", "-isystem", around, "a.c"}}},
	}
	sum := func() string {
		return surroundings{system: []string{filepath.Join(around, "usr")}, found: map[string]map[string]uint64{}}.sum(p, unit)
	}
	seen := []string{sum()}
	for _, path := range []string{
		filepath.Join(around, "lib/thing.h"), filepath.Join(around, "usr/lib/thing.h"), filepath.Join(root, "include/made.h"), filepath.Join(root, "made.h"),
	} {
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		if now := sum(); slices.Contains(seen, now) || now == "" || now != sum() {
			t.Errorf("with %s: %s after %s", path, now, seen)
		} else {
			seen = append(seen, now)
		}
	}
	if err := os.WriteFile(filepath.Join(around, "unrelated.h"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if now := sum(); now != seen[len(seen)-1] {
		t.Error("a file that nobody includes counts")
	}
	p.config = "CompileFlags: {Add: -I/elsewhere}"
	if sum() != "" {
		t.Error("flags of .clangd are taken for known")
	}
	p.config, p.commands[unit] = "", compileCommand{Dir: root, Args: []string{"cc", "@flags", "a.c"}}
	if sum() != "" {
		t.Error("a file of flags is taken for read")
	}
	p.commands[unit], sources[unit] = compileCommand{Dir: root, Args: []string{"cc", "a.c"}}, read("#include MACRO\n")
	if sum() != "" {
		t.Error("what a macro includes is taken for known")
	}
}

func TestFailureHolds(t *testing.T) {
	now := time.Now()
	f := failure{Why: "does not compile", Record: "r", Around: "a", Seen: now}
	for _, c := range []struct {
		record, around string
		now            time.Time
		want           bool
	}{
		{"r", "a", now, true}, {"r2", "a", now, false}, {"r", "a2", now, false}, {"r", "", now, false},
		{"r", "a", now.Add(believed), false},
	} {
		if got := f.holds(c.record, c.around, c.now); got != c.want {
			t.Errorf("%+v: %v", c, got)
		}
	}
	f.Around = ""
	if f.holds("r", "", now) {
		t.Error("what is not known is believed")
	}
}
