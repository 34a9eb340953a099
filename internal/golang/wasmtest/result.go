package wasmtest

import (
	"cmp"
	"strings"
)

// A Result is the outcome of one test that was run alone.
type Result struct {
	Package string // absolute directory
	Test    string // TestX, ExampleX or FuzzX; a fuzz test is run with its seeds only
	// Passed says that it succeeded in the sandbox, and that nothing of it was skipped. One that did not pass ran the
	// functions listed at least, perhaps more elsewhere. One that panicked or called os.Exit has none listed.
	Passed bool
	Ran    []Function // of the module, in order of file and line, with what ran before the test: initialisation, TestMain
}

// A Function is a function with a body, in a file that is no test. Function literals belong to the function around them.
type Function struct {
	File string // absolute
	Line int    // 1-based, of the keyword func
	Name string // F, T.Method, *T.Method; of a generic type's method: Method; of a literal in no function: func.L1.C2
}

// A Failure is why tests have no result: a package could not be built, listed or run in its time.
type Failure struct {
	Package string // absolute directory
	Test    string // "": all that have no result
	Reason  string // one line, which quotes compilers and tests: escape it before a terminal or a prompt sees it
}

func (f Function) compare(g Function) int {
	return cmp.Or(strings.Compare(f.File, g.File), cmp.Compare(f.Line, g.Line), strings.Compare(f.Name, g.Name))
}
