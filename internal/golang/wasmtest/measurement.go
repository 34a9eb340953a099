package wasmtest

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"tidepool/internal/state"
	"tidepool/internal/wording"
)

// deaths is how many tests of a package may crash the sandbox before the others are given up. Each costs a new start.
const deaths = 3

// few is the largest number of tests of a package that is interpreted first.
const few = 40

// A job is one call of [Runner.Run].
type job struct {
	runner  *Runner
	program []string // with the sandbox
	bounds  Bounds
	temp    string // directory
	golang  *goCommand
	where   *declarations
	each    func(Result)
	failed  func(Failure)
}

// measure builds a package's tests and runs them. An error means that nothing can run them.
func (j *job) measure(ctx context.Context, p goPackage) error {
	binary := filepath.Join(j.temp, "test.wasm")
	defer func() { _ = state.Within(binary, (*state.File).Remove) }() // else it goes with the directory
	if err := j.build(ctx, p, binary); err != nil {
		j.fail(ctx, Failure{Package: p.Dir, Reason: err.Error()})
		return nil
	}
	m := &measurement{job: j, dir: p.Dir, few: p.tests() <= few, room: j.bounds.Package}
	for range deaths {
		reason, err := m.attempt(ctx, binary)
		switch {
		case err != nil || ctx.Err() != nil:
			return err
		case m.failed != "":
			j.fail(ctx, Failure{Package: p.Dir, Reason: m.failed})
			return nil
		case m.begun == "" && reason != "":
			j.fail(ctx, Failure{Package: p.Dir, Reason: "not in a test: " + reason})
			return nil
		case m.begun == "":
			return nil
		}
		j.fail(ctx, Failure{Package: p.Dir, Test: m.begun, Reason: reason})
		if m.forget(); len(m.left) == 0 {
			return nil
		}
	}
	j.fail(ctx, Failure{Package: p.Dir, Reason: strconv.Itoa(deaths) + " of its tests ended the sandbox: those that were left are not run"})
	return nil
}

// fail reports a failure unless ctx has ended.
func (j *job) fail(ctx context.Context, f Failure) {
	if ctx.Err() == nil {
		f.Reason = wording.OneLine(f.Reason)
		j.failed(f)
	}
}

func (j *job) build(ctx context.Context, p goPackage, binary string) error {
	limited, cancel := context.WithTimeoutCause(ctx, j.bounds.Build, fmt.Errorf("building its tests took more than %v", j.bounds.Build))
	defer cancel()
	return j.golang.build(limited, p.ImportPath, binary)
}

// A measurement runs the tests of one package, in as many processes as necessary.
type measurement struct {
	*job
	dir  string
	few  bool
	room time.Duration // processor time that is left
	left []string      // tests that have no result; nil: not known yet

	// Of the process that runs now.
	begun     string
	failed    string
	functions []*Function // that results speak of; nil: none of the module's
}

// attempt runs the remaining tests in one process, until all have run or the process has exited.
func (m *measurement) attempt(ctx context.Context, binary string) (reason string, err error) {
	m.begun, m.functions = "", nil
	c := &conversation{bounds: m.bounds, nice: m.runner.Nice, hear: m.hear}
	c.bounds.Package = m.room
	reason, err = c.converse(ctx, m.program, order{
		Binary: binary, Module: m.golang.module, Dir: m.dir, Tests: m.left, Few: m.few,
		Memory: m.bounds.Memory, Files: m.bounds.Files, CPU: int64(m.room/time.Second) + 2,
	})
	m.room -= c.used
	if c.process != nil {
		m.runner.Spent += taken(c.process.Cmd)
	}
	return reason, err
}

// forget counts the test that has begun as done.
func (m *measurement) forget() {
	m.left = slices.DeleteFunc(m.left, func(test string) bool { return test == m.begun })
	m.begun = ""
}

// hear handles a message.
func (m *measurement) hear(said message) {
	switch {
	case said.Failed != "":
		m.failed = said.Failed
	case said.Tests != nil:
		m.left = said.Tests
	case said.Begun != "":
		m.begun = said.Begun
	}
	for _, f := range said.Functions {
		var found *Function
		if at, known := m.where.find(f); known {
			found = &at
		}
		m.functions = append(m.functions, found)
	}
	if said.Ended != nil && m.begun != "" {
		result := Result{Package: m.dir, Test: m.begun, Passed: said.Ended.Passed, Ran: m.ran(said.Ended.Ran)}
		m.forget()
		m.each(result)
	}
}

// ran returns the functions at these places, in order, each once.
func (m *measurement) ran(places []int) []Function {
	var ran []Function
	for _, place := range places {
		if place >= 0 && place < len(m.functions) && m.functions[place] != nil {
			ran = append(ran, *m.functions[place])
		}
	}
	slices.SortFunc(ran, Function.compare)
	return slices.Compact(ran)
}
