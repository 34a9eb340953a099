package coverage

import (
	"path/filepath"
	"slices"
)

// A Ran is a function of a module that tests ran.
type Ran struct {
	Function       // its Line is 0 if it is not known any more
	Tests    []int // ascending
}

// A Name is a test by its package and its name.
type Name struct {
	Dir  string // absolute
	Test string // "TestX", "ExampleY", "FuzzZ"
}

// Joined returns the tests of packages that were ever measured, and what they ran; Ran.Tests are indices of the tests.
func Joined(packages []Package) (tests []Name, ran []Ran) {
	known := map[Function]int{} // index in ran
	for _, p := range packages {
		first := len(tests)
		for _, t := range p.Tests {
			tests = append(tests, Name{p.Dir, t.Name})
		}
		for _, fn := range p.functions() {
			at, ok := known[fn.Function]
			if !ok {
				at = len(ran)
				known[fn.Function] = at
				ran = append(ran, Ran{Function: fn.Function})
			}
			for _, t := range fn.Tests {
				ran[at].Tests = append(ran[at].Tests, first+t)
			}
		}
	}
	for i := range ran { // of a file that has changed, several functions may be one
		slices.Sort(ran[i].Tests)
		ran[i].Tests = slices.Compact(ran[i].Tests)
	}
	return tests, ran
}

// functions returns what the tests of a package ran, nothing if they were never measured.
func (p Package) functions() []Ran {
	if p.record == nil {
		return nil
	}
	all := make([]Ran, len(p.record.Functions))
	for i, fn := range p.record.Functions {
		all[i].Function = Function{File: filepath.Join(p.module, filepath.FromSlash(fn.File)), Name: fn.Name}
		if p.State == Measured {
			all[i].Line = fn.Line
		}
	}
	for i, t := range p.record.Tests {
		for _, n := range t.Ran {
			all[n].Tests = append(all[n].Tests, i)
		}
	}
	return all
}
