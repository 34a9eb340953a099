package coverage

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/tools/txtar"
)

// A player plays who measures: what a test runs stands beside it, as in
//
//	//runs TestA a/a.go:3:F b/b.go:7:T.M
//
// with fails for one that does not pass, lost for one without a result, and broken for a package that cannot be built.
type player struct {
	mu    sync.Mutex
	calls []string                 // packages, in the order in which they were begun
	gates map[string]chan struct{} // a package with a gate ends when that is closed
	begun chan string              // told of each that has a gate
	err   error                    // of all
}

func newPlayer(gated ...string) *player {
	p := &player{gates: make(map[string]chan struct{}), begun: make(chan string, 10)}
	for _, name := range gated {
		p.gates[name] = make(chan struct{})
	}
	return p
}

func (p *player) measure(ctx context.Context, module string, packages []string, each func(Result), failed func(Failure)) (time.Duration, error) {
	for _, dir := range packages {
		name := relative(module, dir)
		p.mu.Lock()
		p.calls = append(p.calls, name)
		gate := p.gates[name]
		p.mu.Unlock()
		sources, err := filepath.Glob(filepath.Join(dir, "*_test.go"))
		if err != nil {
			return 0, err
		}
		var lines []string
		for _, path := range sources {
			data, err := os.ReadFile(path)
			if err != nil {
				return 0, err
			}
			lines = append(lines, strings.Split(string(data), "\n")...)
		}
		if gate != nil {
			p.begun <- name
			select {
			case <-gate:
			case <-ctx.Done():
				return 0, context.Cause(ctx)
			}
		}
		play(module, dir, lines, each, failed)
	}
	return time.Second, p.err
}

func play(module, dir string, lines []string, each func(Result), failed func(Failure)) {
	for _, line := range lines {
		words := strings.Fields(line)
		if len(words) < 2 || !strings.HasPrefix(line, "//") {
			continue
		}
		switch words[0] {
		case "//broken":
			failed(Failure{Package: dir, Reason: strings.Join(words[1:], " ")})
		case "//lost":
			failed(Failure{Package: dir, Test: words[1], Reason: "it takes too long"})
		case "//runs", "//fails":
			r := Result{Package: dir, Test: words[1], Passed: words[0] == "//runs"}
			for _, at := range words[2:] {
				parts := strings.Split(at, ":")
				line, err := strconv.Atoi(parts[1])
				if err != nil {
					panic(err)
				}
				r.Ran = append(r.Ran, Function{File: filepath.Join(module, filepath.FromSlash(parts[0])), Line: line, Name: parts[2]})
			}
			each(r)
		}
	}
}

func (p *player) called() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.calls)
}

// lay writes the files of a txtar archive.
func lay(t *testing.T, dir, files string) {
	t.Helper()
	for _, f := range txtar.Parse([]byte(files)).Files {
		write(t, filepath.Join(dir, filepath.FromSlash(f.Name)), string(f.Data))
	}
}

// write changes a file. Its time is another one, however fast we are: the clock by which the system dates files is coarse.
func write(t *testing.T, path, text string) {
	t.Helper()
	err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(text), 0o600))
	if now := time.Now(); err == nil {
		err = os.Chtimes(path, now, now)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func collector(t *testing.T, p *player, options Options) *Collector {
	t.Helper()
	options.Measure = p.measure
	c := New(options)
	t.Cleanup(c.Close)
	return c
}

// answer is "a measured: TestA+ TestB-!; b pending", with + for what ran the function, - for what did not, ! for what did
// not pass, and reasons in parentheses.
func answer(t *testing.T, c *Collector, q Question) string {
	t.Helper()
	packages, err := c.Ask(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	var texts []string
	for _, p := range packages {
		text := fmt.Sprintf("%s %s", relative(q.Module, p.Dir), p.State)
		if p.Reason != "" {
			text += " (" + p.Reason + ")"
		}
		for i, test := range p.Tests {
			text += map[bool]string{true: ": ", false: " "}[i == 0] + test.Name + map[bool]string{true: "+", false: "-"}[test.Ran]
			if !test.Passed {
				text += "!"
			}
		}
		texts = append(texts, text)
	}
	return strings.Join(texts, "; ")
}

// about asks about the function a.F with all the time there is for these packages.
func about(dir string, first ...string) Question {
	q := Question{Module: dir, Target: Target{File: filepath.Join(dir, "a", "a.go"), Name: "F", Line: 3, Until: 5}, Until: time.Now().Add(time.Minute)}
	for _, name := range first {
		q.First = append(q.First, filepath.Join(dir, filepath.FromSlash(name)))
	}
	return q
}

func expect(t *testing.T, what, got, want string) {
	t.Helper()
	if got != want {
		t.Errorf("%s:\n got %s\nwant %s", what, got, want)
	}
}
