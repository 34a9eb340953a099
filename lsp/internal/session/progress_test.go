package session

import (
	"context"
	"fmt"
	"strings"
	"testing"
)

// TestProgress plays what a server may report, in orders that have gone wrong elsewhere.
func TestProgress(t *testing.T) {
	tests := []struct{ script, want string }{
		{"", "indexing"},
		{"+check1 +load -load", "indexing"},
		{"+check1 +load -load -check1", "complete"},
		{"+check1 +load -check1", "indexing"},
		{"+check1 +load -load error -check1", "partial"},
		{"+check1 +load -load error ok -check1", "complete"},
		{"+check1 +load !load -check1", "partial"},
		{"+check1 +load -load -check1 change", "indexing"},
		{"+check1 +load -load -check1 change +check2", "indexing"},
		{"+check1 +load -load -check1 change +check2 -check2", "complete"},
		{"+check1 +load -load -check1 change +check2 error -check2", "partial"},
		{"+check1 +load -load -check1 open", "complete"},
		{"+check1 +load -load -check1 open +check2", "complete"},
		{"+check1 +load -load -check1 change open +check2 -check2", "indexing"}, // the check of the first was cut off
		{"+check1 +load -load -check1 change open +check2 -check2 +check3 -check3", "complete"},
		{"+check1 +load -load change -check1", "indexing"}, // the change came before the first check ended
		{"+check1 +load -load change -check1 +check2 -check2", "complete"},
		{"-check9 +other +check1 +load -load -check1", "complete"}, // unknown and unrelated work is nobody's business
	}
	language := reporting()
	for _, test := range tests {
		p := newProgress(&language)
		for _, word := range strings.Fields(test.script) {
			switch name := word[1:]; {
			case word == "change":
				p.CountNotification("/x.go")
			case word == "open":
				p.CountNotification()
			case word == "error":
				p.found("/x.go", FileErrors{First: []Problem{{Path: "/x.go", Message: "bad"}}, Count: 1})
			case word == "ok":
				p.found("/x.go", FileErrors{})
			case word[0] == '+':
				title := map[string]string{"load": language.LoadTitle, "other": "Something else"}[name]
				if title == "" {
					title = language.CheckTitle + name
				}
				p.begin(name, Task{Title: title})
			case word[0] == '-':
				p.end(name, language.LoadEnd)
			case word[0] == '!':
				p.end(name, "Error loading packages: bad luck")
			}
		}
		c := p.Completeness(Part{Relative: func(path string) string { return path }})
		if string(c.State) != test.want || (c.Reason == "") != (c.State == Complete) {
			t.Errorf("%s: %s (%s), want %s", test.script, c.State, c.Reason, test.want)
		}
	}
}

// An answer about one checkout stays complete while another one changes, unless a manifest does.
func TestProgressOfAPart(t *testing.T) {
	in := func(dir string) Part {
		return Part{Foreign: func(path string) bool { return !strings.HasPrefix(path, dir) }, Relative: func(path string) string { return path }}
	}
	many := func(dir string) (paths []string) {
		for i := range pathsKept + 1 {
			paths = append(paths, fmt.Sprintf("%s/%d.go", dir, i))
		}
		return paths
	}
	tests := map[string]struct {
		changes [][]string
		a, b    State
	}{
		"nothing":              {a: Complete, b: Complete},
		"in one":               {[][]string{{"/a/x.go"}}, Indexing, Complete},
		"in the other":         {[][]string{{"/b/x.go"}, {"/b/y.go"}}, Complete, Indexing},
		"in both":              {[][]string{{"/b/x.go", "/a/x.go"}}, Indexing, Indexing},
		"one after the other":  {[][]string{{"/b/x.go"}, {"/a/x.go"}}, Indexing, Indexing},
		"too many to remember": {[][]string{many("/a")}, Indexing, Indexing},
		"a manifest":           {[][]string{{"/b/go.work"}}, Indexing, Indexing},
		"one after too many":   {[][]string{many("/a"), {"/a/x.go"}}, Indexing, Indexing},
	}
	for name, test := range tests {
		language := reporting()
		language.Extensions = []string{".go"}
		p := newProgress(&language)
		load := func(check string) {
			p.begin(check, Task{Title: language.CheckTitle + check})
			p.end(check, language.LoadEnd)
		}
		p.begin("load", Task{Title: language.LoadTitle})
		p.end("load", language.LoadEnd)
		if got := p.Completeness(in("/a")).State; got != Indexing {
			t.Errorf("%s: %s before the first check", name, got)
		}
		load("first")
		for _, paths := range test.changes {
			p.CountNotification(paths...)
		}
		if a, b := p.Completeness(in("/a")).State, p.Completeness(in("/b")).State; a != test.a || b != test.b {
			t.Errorf("%s: %s and %s, want %s and %s", name, a, b, test.a, test.b)
		}
		for i := range test.changes {
			load(fmt.Sprint(i))
		}
		if a, b := p.Completeness(in("/a")).State, p.Completeness(in("/b")).State; a != Complete || b != Complete {
			t.Errorf("%s: %s and %s in the end", name, a, b)
		}
	}
}

// reporting is a language whose server reports its work as gopls does.
func reporting() Language {
	return Language{
		ID: "go", Name: "Go", Command: []string{"gopls"}, Section: "gopls",
		LoadTitle: "Setting up workspace", LoadEnd: "Finished loading packages.", CheckTitle: "diagnosing ",
	}
}

func TestPercent(t *testing.T) {
	language := reporting()
	p := newProgress(&language)
	p.begin("a", Task{Title: language.LoadTitle})
	p.report("a", "half way", 50)
	p.begin("b", Task{Title: language.CheckTitle, percent: 20})
	p.report("unknown", "", 1)
	if c := p.Completeness(Part{}); c.Done != 20 || c.Total != 100 {
		t.Errorf("%d of %d", c.Done, c.Total)
	}
}

// TestKnownTitles counts a title on, however many others there were.
func TestKnownTitles(t *testing.T) {
	language := reporting()
	language.Probe = func(context.Context, *Session) (Coverage, error) { return Coverage{}, nil }
	p := newProgress(&language)
	run := func(title string) {
		p.begin(title, Task{Title: title})
		p.end(title, "")
	}
	run("again")
	for i := range 2 * titlesKept {
		run(fmt.Sprint(i))
	}
	run("again")
	if p.ended["again"] != 2 || len(p.ended) != titlesKept {
		t.Errorf("again %d, want 2; %d titles, want %d", p.ended["again"], len(p.ended), titlesKept)
	}
}
