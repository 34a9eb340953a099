package main

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// A topic is the tests of a file whose names begin alike, and every second one says what it is about. What all tests run, and what they all
// name, tells nothing of it.
func TestTopics(t *testing.T) {
	c := &code{module: &module{}, declarations: map[place]*declaration{}}
	declare := func(name string, lines int) place {
		at := place{"a.go", len(c.declarations) + 1}
		c.declarations[at] = &declaration{at: at, name: name, lines: lines}
		return at
	}
	everywhere, seed, other := declare("Setup", 50), declare("Cache.Evict", 3), declare("Other", 3)
	cached := []place{everywhere}
	for i := range tellingCount + 1 {
		cached = append(cached, declare(fmt.Sprint("cached", i), i+1))
	}
	tests := []testRun{
		{test: &test{file: "cache_test.go", name: "TestCacheGet", doc: "TestCacheGet reads."}, ran: cached, mentions: []place{everywhere, other}},
		{test: &test{file: "cache_test.go", name: "TestCachePut"}, ran: cached[:1], mentions: []place{other}},
		{test: &test{file: "cache_test.go", name: "TestCacheEvict"}, ran: cached, mentions: []place{everywhere, seed, seed}},
	}
	for i := range 6 {
		name := fmt.Sprintf("Test%cOther", 'A'+i)
		tests = append(tests, testRun{test: &test{file: "other_test.go", name: name}, ran: []place{everywhere, other}, mentions: []place{everywhere, other}})
	}
	topics := c.topics(tests)
	if len(topics) != 1 {
		t.Fatalf("%d topics", len(topics))
	}
	got := topics[0]
	if got.tests != "cache_test.go:cache" || got.text != "Cache Get Evict. reads." || got.seeds[0].at != seed {
		t.Errorf("%q of %s from %s", got.text, got.tests, strings.Join(got.seedNames(), ", "))
	}
	var telling []string
	for _, d := range got.telling {
		telling = append(telling, d.name)
	}
	if want := "cached10 cached9 cached8 cached7 cached6 cached5 cached4 cached3 cached2 cached1"; strings.Join(telling, " ") != want {
		t.Errorf("telling are %q, want %q", telling, want)
	}
	if share := got.share([]place{cached[1], cached[2], everywhere}); share != .2 { // the first of them tells as much as the last of the ten
		t.Errorf("two of ten are %v", share)
	}
	if share := got.share(cached); share != 1 {
		t.Errorf("all are %v", share)
	}
	if len(got.hidden) != 2 || got.hidden[1].name != "TestCacheEvict" {
		t.Errorf("hidden are %+v", got.hidden)
	}
	if drawn := draw([]topic{got, got}, 2); len(drawn) != 1 {
		t.Errorf("%d topics about the same are drawn", len(drawn))
	}
}

func TestSplit(t *testing.T) {
	for name, want := range map[string][]string{
		"serveHTTPNow": {"serve", "HTTP", "Now"}, "Args_WithValid": {"Args", "With", "Valid"}, "IPv4": {"I", "Pv4"}, "": nil,
	} {
		if got := split(name); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}
