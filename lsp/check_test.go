package lsp

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.lsp.dev/protocol"

	"tidepool/lsp/internal/golang"
	"tidepool/lsp/internal/session"
	"tidepool/lsp/lsptest"
)

// flat writes the errors of all servers as lines, paths relative to dir.
func flat(dir string, all []Errors) []string {
	lines := []string{}
	for _, of := range all {
		for _, found := range of.Problems {
			lines = append(lines, fmt.Sprintf("%s:%d:%d: %s", strings.TrimPrefix(found.Path, dir+"/"), found.At.Line, found.At.Column, found.Message))
		}
	}
	return lines
}

// patient is enough time for any server on a busy machine.
func patient(t *testing.T) context.Context {
	ctx, cancel := context.WithTimeout(t.Context(), patienceOfTests)
	t.Cleanup(cancel)
	return ctx
}

// putWhole puts a file in its place whole: a walk sees the old text or the new one, and not the empty file that a write begins with.
func putWhole(t *testing.T, path, text string) {
	t.Helper()
	next := filepath.Join(t.TempDir(), "next")
	put(t, next, text)
	if err := os.Rename(next, path); err != nil {
		t.Fatal(err)
	}
}

func TestCheck(t *testing.T) {
	each(t, func(t *testing.T, b bench, p *Project, dir string) {
		ext := filepath.Ext(b.name)
		more, other := filepath.Join(dir, "more"+ext), filepath.Join(dir, "other"+ext)
		view(t, p)
		steps := []struct {
			name        string
			do          func()
			before, now int
		}{
			{"nothing", func() {}, 0, 0},
			{"a file with an error", func() { putWhole(t, more, b.more("Beta", 1, 1)) }, 0, 1},
			{"nothing again", func() {}, 1, 1},
			{"two more", func() { putWhole(t, more, b.more("Beta", 1, 3)) }, 1, 3},
			{"another file", func() { putWhole(t, other, b.more("Gamma", 1, 1)) }, 3, 4},
			{"the first mended", func() { putWhole(t, more, b.more("Beta", 1, 0)) }, 4, 1},
			{"the other gone", func() { os.Remove(other) }, 1, 0},
		}
		for _, step := range steps {
			step.do()
			check := p.Check(patient(t), more, "other"+ext)
			before, now := flat(dir, check.Before), flat(dir, check.Now)
			noticed := slices.Equal(before, now) // a walk has shown the server the change before the check began
			if !check.Over || len(before) != step.before && !noticed || len(now) != step.now {
				t.Errorf("%s: over %v, before %q, now %q", step.name, check.Over, before, now)
			}
		}
	})
}

const shopAndTill = `
-- go.mod --
module example.com/shop

go 1.26
-- price/price.go --
package price

func Of(item string) int { return len(item) }
-- till/till.go --
package till

import "example.com/shop/price"

func Total(items []string) (sum int) {
	for _, item := range items {
		sum += /* ü */ price.Of(item)
	}
	return sum
}
-- old/old.go --
package old

var Broken int = "since long"
`

// TestCheckAcrossFiles breaks a caller in another package, beside an error that was there before.
func TestCheckAcrossFiles(t *testing.T) {
	p, dir := project(t, shopAndTill)
	view(t, p)
	path := filepath.Join(dir, "price", "price.go")
	const old = `old/old.go:3:18: cannot use "since long" (untyped string constant) as int value in variable declaration`
	put(t, path, "package price\n\nfunc Of(item string, tax int) int { return len(item) + tax }\n")
	check := p.Check(patient(t), path)
	want := []string{old, "till/till.go:7:32: not enough arguments in call to price.Of have (string) want (string, int)"}
	if got := flat(dir, check.Now); !check.Over || !cmp.Equal(got, want) {
		t.Errorf("over %v, now %q", check.Over, got)
	}
	if got := flat(dir, check.Before); !cmp.Equal(got, []string{old}) {
		t.Errorf("before %q", got)
	}
}

// hurried is a time in which no held server answers.
func hurried(t *testing.T) context.Context {
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	t.Cleanup(cancel)
	return ctx
}

// TestSlowCheck asks while the server has not looked yet: what was known before stays known.
func TestSlowCheck(t *testing.T) {
	p, dir := toyProject(t, lsptest.HoldsCheck)
	path := filepath.Join(dir, "main.toy")
	view(t, p)
	for _, text := range []string{"bad one\n", "bad one\nbad two\n"} { // in quick succession
		put(t, path, text)
		check := p.Check(hurried(t), path)
		if check.Over || len(flat(dir, check.Before))+len(flat(dir, check.Now)) != 0 {
			t.Errorf("%q: %+v", text, check)
		}
	}
	if err := syscall.Kill(p.Status()[0].PID, syscall.SIGUSR1); err != nil {
		t.Fatal(err)
	}
	check := p.Check(patient(t), path)
	want := []string{"main.toy:1:5: one", "main.toy:2:5: two"}
	if got := flat(dir, check.Now); !check.Over || !cmp.Equal(got, want) {
		t.Errorf("over %v, now %q", check.Over, got)
	}
}

// TestCheckNeverWaitsForNothing holds what is silent at once: the context of each never ends.
func TestCheckNeverWaitsForNothing(t *testing.T) {
	loading, dir := toyProject(t, lsptest.Stuck)
	mute, _ := toyProject(t, lsptest.Mute)
	ready, _ := toyProject(t, lsptest.HoldsCheck)
	view(t, ready)
	dead, _ := toyProject(t)
	view(t, dead)
	live := current(dead)
	if err := syscall.Kill(dead.Status()[0].PID, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	<-live.Done()
	tests := []struct {
		name    string
		project *Project
		path    string
		servers int
	}{
		{"no language", open(t, t.TempDir(), golang.Language()), "main.go", 0},
		{"a server that loads", loading, "main.toy", 0},
		{"a server that does not say", mute, "main.toy", 0},
		{"a server that has ended", dead, "main.toy", 0},
		{"a file of no language", ready, "README.md", 1},
		{"no file", ready, "", 1},
		{"a file elsewhere", ready, filepath.Join(filepath.Dir(dir), "else.toy"), 1},
	}
	for _, test := range tests {
		put(t, filepath.Join(test.project.workspace.Main.Root, "main.toy"), "bad news\n")
		check := test.project.Check(t.Context(), test.path)
		if !check.Over || len(check.Before) != test.servers || len(check.Now) != test.servers || len(flat("", check.Now)) != 0 {
			t.Errorf("%s: %+v", test.name, check)
		}
	}
}

func TestCheckOfAServerThatDies(t *testing.T) {
	p, dir := toyProject(t, lsptest.DiesOn(protocol.MethodWorkspaceDidChangeWatchedFiles))
	view(t, p)
	put(t, filepath.Join(dir, "main.toy"), "bad news\n")
	if check := p.Check(patient(t), "main.toy"); check.Over || len(check.Before) != 1 {
		t.Errorf("%+v", check)
	}
}

// TestManyErrors holds the bounds: of one file, of all, and of a message.
func TestManyErrors(t *testing.T) {
	p, dir := toyProject(t)
	view(t, p)
	const kept, keptOfFile = 1000, 100
	const files = kept/keptOfFile + 2
	for i := range files {
		put(t, filepath.Join(dir, fmt.Sprintf("f%02d.toy", i)), strings.Repeat("bad "+strings.Repeat("ü", 800)+"\n", keptOfFile+1))
	}
	check := p.Check(patient(t), "f00.toy")
	if !check.Over || len(check.Now) != 1 {
		t.Fatalf("over %v, %d servers", check.Over, len(check.Now))
	}
	now := check.Now[0]
	if len(now.Problems) != kept || now.More != files*(keptOfFile+1)-kept {
		t.Errorf("%d errors and %d more", len(now.Problems), now.More)
	}
	if message := now.Problems[0].Message; len(message) > session.MessageLimit || !strings.HasSuffix(message, "ü…") {
		t.Errorf("a message of %d bytes: %q", len(message), message)
	}
}

// TestCheckThroughALink names the file by another way than the project's.
func TestCheckThroughALink(t *testing.T) {
	p, dir := toyProject(t)
	view(t, p)
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(dir, link); err != nil {
		t.Fatal(err)
	}
	put(t, filepath.Join(dir, "main.toy"), "bad news\n")
	if check := p.Check(patient(t), filepath.Join(link, "main.toy")); !check.Over || len(flat(dir, check.Now)) != 1 {
		t.Errorf("%+v", check)
	}
}

// TestFilesChangedIsEnough changes a file and asks nothing: the server looks at it all the same.
func TestFilesChangedIsEnough(t *testing.T) {
	each(t, func(t *testing.T, b bench, p *Project, dir string) {
		view(t, p)
		path := filepath.Join(dir, "more"+filepath.Ext(b.name))
		put(t, path, b.more("Beta", 1, 1))
		p.FilesChanged(path)
		eventually(t, "the error is known", func() bool { return p.Completeness().State == Partial })
	})
}

// TestFilesChangedRestarts tells a project whose server has ended of a change.
func TestFilesChangedRestarts(t *testing.T) {
	p, _ := toyProject(t)
	view(t, p)
	live := current(p)
	if err := syscall.Kill(p.Status()[0].PID, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	<-live.Done()
	p.FilesChanged("main.toy")
	eventually(t, "another server is ready", func() bool { return p.Completeness().State == Complete && current(p) != live })
}
