package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"tidepool/lsp"
)

func untilItsEnd(ctx context.Context) error {
	<-ctx.Done()
	return context.Cause(ctx)
}

func TestWithin(t *testing.T) {
	b := &bench{deadline: time.Now().Add(time.Hour)}
	var r record
	if err := b.within(t.Context(), &r, "edits", time.Millisecond, untilItsEnd); err != nil || len(r.hits) != 1 || !strings.Contains(r.hits[0], "edits cut short") {
		t.Errorf("%v, %q", err, r.hits)
	}
	if err := b.within(t.Context(), &r, "edits", time.Hour, func(context.Context) error { return io.EOF }); !errors.Is(err, io.EOF) || len(r.hits) != 1 {
		t.Errorf("%v, %q", err, r.hits)
	}
	over := &bench{deadline: time.Now()}
	if err := over.within(t.Context(), &r, "scout", time.Hour, untilItsEnd); err != nil || len(r.hits) != 2 || !strings.Contains(r.hits[1], "scout not measured") {
		t.Errorf("%v, %q", err, r.hits)
	}
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	if err := b.within(cancelled, &r, "scout", time.Hour, untilItsEnd); !errors.Is(err, context.Canceled) || len(r.hits) != 2 {
		t.Errorf("%v, %q", err, r.hits)
	}
}

func TestTally(t *testing.T) {
	var count tally
	for _, a := range []answer{
		{state: lsp.Complete, slow: time.Hour}, {state: lsp.Partial}, {state: lsp.Indexing, took: time.Minute, slow: time.Second, said: "late"},
		{state: lsp.Unknown, wrong: true, said: "not found: F"}, {state: lsp.Complete, wrong: true, said: "second"},
	} {
		count.add(a)
	}
	if want := (tally{answers: 5, complete: 2, partial: 1, indexing: 1, unknown: 1, wrong: 2, longest: time.Second, late: "late", example: "not found: F"}); count != want {
		t.Errorf("got %+v, want %+v", count, want)
	}
}

// good is a result that holds every bound.
func good() result {
	times := []time.Duration{time.Second}
	r := result{size: sizes()[0], files: 2, lines: 12000}
	r.bare = record{cold: times, second: time.Second, loaded: usage{whole: 100 << 20}, used: usage{whole: 100 << 20}, peak: 100 << 20, callers: times, found: []finding{{"a.go:F", 1, "b.go:3", true}}, leaf: times, hub: times}
	r.ours = r.bare
	r.ours.own, r.ours.scout, r.ours.tally = 10<<20, times, tally{answers: 1, complete: 1}
	return r
}

func TestRows(t *testing.T) {
	var printed strings.Builder
	if err := good().print(&printed); err != nil || strings.Contains(printed.String(), "missed") || strings.Contains(printed.String(), "limits") {
		t.Errorf("%v\n%s", err, printed.String())
	}
	for name, worse := range map[string]func(*result){
		"memory once loaded":  func(r *result) { r.ours.loaded.whole *= 2 },
		"memory used":         func(r *result) { r.ours.used.whole *= 2 },
		"a cold start":        func(r *result) { r.ours.cold = []time.Duration{2 * time.Second} },
		"no cold start":       func(r *result) { r.bare.cold = nil },
		"a second start":      func(r *result) { r.ours.second = 16 * time.Second },
		"no second start":     func(r *result) { r.ours.second = 0 },
		"an edit":             func(r *result) { r.ours.leaf = []time.Duration{time.Minute} },
		"an edit of the hub":  func(r *result) { r.ours.hub = nil },
		"scout":               func(r *result) { r.ours.scout = []time.Duration{4 * time.Second} },
		"no scout":            func(r *result) { r.ours.scout = nil },
		"a restart":           func(r *result) { r.ours.restarts, r.ours.restartsNotes = 1, []string{"memory | <limit>"} },
		"own memory":          func(r *result) { r.ours.own = 100 << 20 },
		"own memory, largest": func(r *result) { r.lines, r.ours.own = 6_000_000, 151<<20 },
		"a wrong answer":      func(r *result) { r.ours.tally.wrong, r.ours.tally.example = 1, "not found: `F`" },
		"a lost answer": func(r *result) {
			r.ours.found = []finding{{"a.go:F", 0, "", true}, {"a.go:G", 0, "", false}, {"a.go:H", 2, "", true}}
			r.bare.found = []finding{{"a.go:H", 1, "b.go:5", true}, {"a.go:G", 1, "b.go:4", true}, {"a.go:F", 1, "b.go:3", true}}
			r.ours.callers = []time.Duration{time.Second, time.Second, time.Second}
			r.bare.callers = r.ours.callers
		},
		"a late answer": func(r *result) { r.ours.tally.longest = 9 * time.Second },
		"a limit":       func(r *result) { r.bare.hits = []string{"edits cut short after 1m0s"} },
	} {
		r := good()
		worse(&r)
		printed.Reset()
		if err := r.print(&printed); err == nil || strings.Count(printed.String(), "**missed**") != 1 {
			t.Errorf("%s: %v\n%s", name, err, printed.String())
		}
		if strings.Contains(printed.String(), "<limit>") || strings.Contains(printed.String(), "`F`") {
			t.Errorf("%s: foreign text is not escaped\n%s", name, printed.String())
		}
	}
	r := good()
	if r.ours.callers = []time.Duration{time.Minute}; r.print(io.Discard) == nil {
		t.Error("slow answers hold")
	}
}

func TestPublish(t *testing.T) {
	checkout := t.TempDir()
	page := filepath.Join(checkout, "docs", "figures.md")
	if err := os.Mkdir(filepath.Dir(page), 0o755); err != nil {
		t.Fatal(err)
	}
	var stale strings.Builder
	for _, name := range []string{"large-small", "large-medium", "large"} {
		fmt.Fprintf(&stale, "<!-- begin %s: written by make bench-large -->\nstale\n<!-- end %s -->\n", name, name)
	}
	if err := os.WriteFile(page, []byte(stale.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	var printed strings.Builder
	bigger := good()
	bigger.name = "medium"
	bigger.lines *= 10
	bigger.ours.cold = []time.Duration{10 * time.Second}
	bigger.bare.cold = bigger.ours.cold
	if err := publish(&printed, checkout, []result{good(), bigger}, true, true); err != nil {
		t.Fatal(err)
	}
	written, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	svg, err := os.ReadFile(filepath.Join(checkout, "docs", plotName))
	if err != nil || !strings.Contains(string(svg), "exponent 1.00") {
		t.Errorf("the plot has %d bytes, %v", len(svg), err)
	}
	for _, want := range []string{"12000 lines", "120000 lines", "(" + plotName + ")", "cold, exponent: tidepool 1.00, bare server 1.00"} {
		if !strings.Contains(string(written), want) {
			t.Errorf("the page lacks %q:\n%s", want, written)
		}
	}
	if strings.Contains(string(written), "stale") {
		t.Errorf("the page is\n%s\nprinted was\n%s", written, printed.String())
	}
	bigger.lines = 130_000
	if err := publish(&printed, checkout, []result{bigger}, true, false); err != nil {
		t.Fatal(err)
	}
	written, err = os.ReadFile(page)
	if text := string(written); err != nil || !strings.Contains(text, "130000 lines") || !strings.Contains(text, "12000 lines") || !strings.Contains(text, plotName) {
		t.Errorf("one size written alone: %v\n%s", err, text)
	}
}
