package lsp

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"tidepool/lsp/internal/golang"
	"tidepool/lsp/internal/process"
	"tidepool/lsp/internal/session"
	"tidepool/lsp/lsptest"
)

func TestMain(m *testing.M) {
	lsptest.Main()
	flag.Set("test.parallel", strconv.Itoa(max(4, runtime.GOMAXPROCS(0)))) // tests wait for servers most of the time
	goleak.VerifyTestMain(m, goleak.Cleanup(tidy()))
}

// tidy gives the tests a directory for temporary files. end exits, with a failure if something is left there.
func tidy() (end func(code int)) {
	const told = "LSP_TEST_TIDY"
	if os.Getenv(told) != "" { // this is a program that a test runs, and perhaps kills
		return os.Exit
	}
	dir, err := os.MkdirTemp("", "lsp-test-")
	if err != nil {
		panic(err)
	}
	os.Setenv(told, "1")
	os.Setenv("TMPDIR", dir)
	return func(code int) {
		left, _ := os.ReadDir(dir)
		os.RemoveAll(dir)
		if len(left) > 0 && code == 0 {
			fmt.Fprintf(os.Stderr, "the tests have left %v\n", left)
			code = 1
		}
		os.Exit(code)
	}
}

// patienceOfTests is how long a test waits for a state: far above what a busy machine takes.
const patienceOfTests = 15 * time.Minute

// toy is an entry for the language of lsptest: a second language is no more than this.
func toy(behaviours ...lsptest.Behaviour) Language {
	return Language{
		ID:          "toy",
		Name:        "Toy",
		Command:     lsptest.Command(behaviours...),
		Install:     "toy install toy",
		RootMarkers: []string{"toy.mod"},
		Extensions:  []string{".toy"},
		Manifests:   []string{"toy.mod"},
		LoadTitle:   "Setting up workspace",
		LoadEnd:     "Finished loading packages.",
		CheckTitle:  "diagnosing ",
		SymbolLimit: lsptest.Limit,
	}
}

// A bench is a language and how its files say the same things, for the tests that every server must pass.
type bench struct {
	language Language
	source   string                                         // of main: declares Alpha and uses it once
	name     string                                         // of the file of source
	manifest string                                         // txtar
	more     func(name string, uses, bad int) (text string) // another file, with that many uses of Alpha
}

func benches(t testing.TB) map[string]bench {
	return map[string]bench{
		"gopls": {
			language: gopls(t),
			name:     "main.go",
			source:   "package main\n\nfunc Alpha() {}\n\nfunc main() {\n\t/* ü😀 */ Alpha()\n}\n",
			manifest: "-- go.mod --\nmodule example.com/bench\n\ngo 1.26\n",
			more: func(name string, uses, bad int) string {
				return "package main\n\nfunc " + name + "() {\n" + strings.Repeat("\tAlpha()\n", uses) +
					strings.Repeat("\tundefined()\n", bad) + "}\n"
			},
		},
		"toy": {
			language: toy(),
			name:     "main.toy",
			source:   "def Alpha\n\n\n\n\n\t/* ü😀 */ use Alpha\n",
			manifest: "-- toy.mod --\n",
			more: func(name string, uses, bad int) string {
				return "def " + name + "\n" + strings.Repeat("use Alpha\n", uses) + strings.Repeat("bad thing\n", bad)
			},
		},
	}
}

// each runs a test against every server, on a fresh project.
func each(t *testing.T, test func(t *testing.T, b bench, p *Project, dir string)) {
	for name, b := range benches(t) {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			write(t, dir, b.manifest)
			put(t, filepath.Join(dir, b.name), b.source)
			test(t, b, open(t, dir, b.language), dir)
		})
	}
}

func put(t testing.TB, path, text string) {
	t.Helper()
	lsptest.Put(t, path, text)
}

func write(t testing.TB, dir, archive string) {
	t.Helper()
	lsptest.Write(t, dir, archive)
}

func git(t testing.TB, dir string, args ...string) {
	t.Helper()
	lsptest.Git(t, dir, args...)
}

// gopls is the table's entry for Go with gopls in bin or on PATH.
func gopls(t testing.TB) Language {
	t.Helper()
	language := golang.Language()
	language.Command = []string{lsptest.Program(t, "gopls")}
	return language
}

// environment is ours without what would change how Go sees a module.
func environment(more ...string) []string {
	var env []string
	for _, entry := range os.Environ() {
		if !strings.HasPrefix(entry, "GOFLAGS=") && !strings.HasPrefix(entry, "GOWORK=") {
			env = append(env, entry)
		}
	}
	env = append(env, "GORACE=atexit_sleep_ms=0") // the toy server is this binary, perhaps with the race detector
	return append(env, more...)
}

// open opens a project on dir and closes it when the test ends.
func open(t testing.TB, dir string, languages ...Language) *Project {
	t.Helper()
	return openWith(t, Options{Root: dir, Languages: languages, Env: environment()})
}

func openWith(t testing.TB, options Options) *Project {
	t.Helper()
	if options.ReadyBudget == 0 {
		options.ReadyBudget = patienceOfTests
	}
	if options.stopTimeouts == (session.StopTimeouts{}) {
		options.stopTimeouts = session.StopTimeouts{Shutdown: time.Second, StopTimeouts: process.StopTimeouts{Exit: time.Second, Stdin: 100 * time.Millisecond, Term: 100 * time.Millisecond}}
	}
	p, err := Open(options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), patienceOfTests)
		defer cancel()
		if err := p.Close(ctx); err != nil {
			t.Errorf("closing: %v", err)
		}
	})
	return p
}

// view is a View of a project that its servers know, or cannot.
func view(t testing.TB, p *Project) *View {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), p.budget)
	defer cancel()
	p.WaitReady(ctx)
	v, err := p.View(t.Context(), ViewOptions{})
	if err != nil {
		t.Fatalf("view: %v", err)
	}
	return v
}

// hasty is a View that waits for no server to know the project, but for its answers.
func hasty(t testing.TB, p *Project) *View {
	t.Helper()
	v, err := p.View(t.Context(), ViewOptions{})
	if err != nil {
		t.Fatal(err)
	}
	v.deadline = time.Now()
	return v
}

// project is a Project on a fresh directory with the files of the archive, served by gopls.
func project(t testing.TB, archive string) (*Project, string) {
	t.Helper()
	dir := t.TempDir()
	write(t, dir, archive)
	return open(t, dir, gopls(t)), dir
}

// one is the only symbol that the query finds.
func one(t testing.TB, v *View, query string) Symbol {
	t.Helper()
	found, err := v.Symbols(t.Context(), query)
	if err != nil {
		t.Fatal(err)
	}
	if len(found) != 1 {
		t.Fatalf("Symbols(%q) = %+v, want one", query, found)
	}
	return found[0]
}

// brief writes locations as "shop.go:3:5", relative to dir.
func brief(dir string, list []Location) []string {
	out := make([]string, 0, len(list))
	for _, at := range list {
		out = append(out, briefly(dir, at))
	}
	return out
}

// A refinement is what a server says of a symbol, and what that makes.
type refinement struct {
	container string
	kind      Kind
	path      string
	line      string
	want      Symbol // its Name stands in the line
}

// refined has a language read what its server says of symbols in files below dir.
func refined(t *testing.T, language Language, dir string, tests []refinement) {
	t.Helper()
	for _, test := range tests {
		path := filepath.Join(dir, filepath.FromSlash(test.path))
		test.want.Location = At(path, 1, strings.Index(test.line, test.want.Name)+1)
		got := Symbol{Name: test.want.Name, Package: test.container, Kind: test.kind, Location: test.want.Location}
		language.Refine(&got, func() string { return test.line })
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%q: %s", test.line, diff)
		}
	}
}

// current is the session of the project's only server, nil if it has none.
func current(p *Project) *session.Session {
	return p.workspace.Servers()[0].Living()
}

// eventually waits for a condition that nothing signals.
func eventually(t testing.TB, what string, holds func() bool) {
	t.Helper()
	timeout := time.After(patienceOfTests)
	for tick := time.Tick(5 * time.Millisecond); !holds(); {
		select {
		case <-tick:
		case <-timeout:
			t.Fatal("never: " + what)
		}
	}
}
