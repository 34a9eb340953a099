package coverage

import (
	"path/filepath"
	"slices"
	"strings"
)

// A Function is a function of the measured module.
type Function struct {
	File string // absolute
	Line int    // of the func keyword or, of one whose signature takes several lines, of its opening brace; from 1
	Name string // "F", "T.M", "*T.M", "(*T).M"; of a method of a generic type perhaps "M" alone
}

// A Result is the functions that one test ran.
type Result struct {
	Package string // absolute directory
	Test    string // "TestX", "ExampleY", "FuzzZ"
	Passed  bool   // false: it may run more than it ran when it was measured
	Ran     []Function
}

// A Failure is why tests were not measured.
type Failure struct {
	Package string // absolute directory
	Test    string // "": all of the package that have no result
	Reason  string // one line
}

// A record is the measurement of a package. It is read-only once it is kept.
type record struct {
	Version   int     `json:"version"`
	Key       string  `json:"key"`
	Package   string  `json:"package"`          // slash path below the module, "."
	Reason    string  `json:"reason,omitempty"` // why tests are missing
	Functions []place `json:"functions"`
	Tests     []run   `json:"tests"`
}

// A place is a function that a test ran.
type place struct {
	File string `json:"file"` // slash path below the module
	Line int    `json:"line"`
	Name string `json:"name"`
}

// A run is what one test ran.
type run struct {
	Name   string  `json:"name"`
	Passed bool    `json:"passed,omitempty"`
	Ran    []int32 `json:"ran"` // indices of functions, sorted
}

// recordVersion is that of the format: a record of another one is dropped.
const recordVersion = 1

// A recorder makes the record of a package from its results. It belongs to one goroutine.
type recorder struct {
	module string
	record record
	places map[place]int32
}

func newRecorder(module, dir, key string) *recorder {
	return &recorder{module, record{Version: recordVersion, Key: key, Package: relative(module, dir)}, make(map[place]int32)}
}

func (r *recorder) add(result Result) {
	test := run{Name: result.Test, Passed: result.Passed, Ran: []int32{}}
	for _, fn := range result.Ran {
		name := relative(r.module, fn.File)
		if !filepath.IsLocal(name) {
			continue
		}
		p := place{File: name, Line: fn.Line, Name: plain(fn.Name)}
		index, known := r.places[p]
		if !known {
			index = int32(len(r.record.Functions))
			r.places[p] = index
			r.record.Functions = append(r.record.Functions, p)
		}
		test.Ran = append(test.Ran, index)
	}
	slices.Sort(test.Ran)
	test.Ran = slices.Compact(test.Ran)
	r.record.Tests = append(r.record.Tests, test)
}

// fail notes why tests have no result.
func (r *recorder) fail(f Failure) {
	if f.Test == "" {
		r.record.Reason = f.Reason
		return
	}
	r.record.Tests = append(r.record.Tests, run{Name: f.Test, Ran: []int32{}})
}

// relative returns the slash path of a file or directory below the module.
func relative(module, path string) string {
	below, err := filepath.Rel(module, path)
	if err != nil {
		return path
	}
	return filepath.ToSlash(below)
}

// plain returns the name of a function as people write it: T.M for (*T).M and *T.M.
func plain(name string) string {
	return strings.NewReplacer("(", "", ")", "", "*", "").Replace(name)
}

// sound reports whether a record that was read is one.
func (r *record) sound() bool {
	if r.Version != recordVersion || !filepath.IsLocal(r.Package) {
		return false
	}
	for _, t := range r.Tests {
		for _, index := range t.Ran {
			if t.Name == "" || index < 0 || int(index) >= len(r.Functions) {
				return false
			}
		}
	}
	return true
}

// A Target is the function of a question, as it is in its file now.
type Target struct {
	File  string // absolute
	Name  string // "F", "T.M"
	Line  int    // of the name, from 1
	Until int    // the line at which the next declaration begins; 0: none does
}

// runs tells of each test of the record whether it ran the function. In files that have changed since, fresh is false,
// functions are found by their names.
func (r *record) runs(module string, target Target, fresh bool) []Test {
	wanted, file := make(map[int32]bool), relative(module, target.File)
	for i, fn := range r.Functions {
		if fn.File == file && fn.is(target, fresh) {
			wanted[int32(i)] = true
		}
	}
	tests := make([]Test, len(r.Tests))
	for i, t := range r.Tests {
		tests[i] = Test{Name: t.Name, Passed: t.Passed, Ran: slices.ContainsFunc(t.Ran, func(n int32) bool { return wanted[n] })}
	}
	return tests
}

func (p place) is(target Target, fresh bool) bool {
	if fresh {
		return p.Line >= target.Line && (target.Until == 0 || p.Line < target.Until)
	}
	_, base, method := strings.Cut(target.Name, ".")
	return p.Name == target.Name || method && p.Name == base
}
