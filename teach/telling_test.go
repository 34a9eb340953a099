package teach_test

import (
	"fmt"
	"slices"
	"testing"

	"tidepool/teach"
)

// What the tests of a topic run tells of it, unless most others run it, too.
func TestTelling(t *testing.T) {
	const setup, seed, evict, grow, store = 0, 1, 2, 3, 4
	r := teach.Record{Ran: make([][]int, 5)}
	add := func(name string, functions ...int) {
		for _, f := range functions {
			r.Ran[f] = append(r.Ran[f], len(r.Tests))
		}
		r.Tests = append(r.Tests, teach.Test{Name: name})
	}
	add("TestEvictOldest", setup, seed, evict)
	add("TestEvictAll", setup, evict)
	add("TestSeed", setup, seed, grow)
	for i := range 9 {
		add(fmt.Sprintf("TestStore%d", i), setup, store)
	}
	for name, test := range map[string]struct {
		topic            string
		seeds            []int
		functions, tests []int
	}{
		"words":             {"how is an entry evicted?", nil, []int{evict, seed}, []int{0, 1}},
		"a seed":            {"what happens at the end?", []int{seed}, []int{seed, grow, evict}, []int{0, 2}},
		"words and a seed":  {"how is an entry evicted?", []int{seed}, []int{seed, evict, grow}, []int{0, 1, 2}},
		"nothing in common": {"how does it parse?", nil, nil, nil},
		"most tests":        {"what is stored?", nil, nil, []int{3, 4, 5, 6, 7, 8}},
	} {
		functions, tests := r.Telling(test.topic, teach.Beginning{Seeds: test.seeds})
		if !slices.Equal(functions, test.functions) || !slices.Equal(tests, test.tests) {
			t.Errorf("%s: functions %v of tests %v, want %v of %v", name, functions, tests, test.functions, test.tests)
		}
	}
	if functions, tests := (teach.Record{Tests: r.Tests[:3], Ran: make([][]int, 5)}).Telling("eviction", teach.Beginning{}); functions != nil || tests != nil {
		t.Errorf("three tests tell of %v", functions)
	}
}

// A test is of a topic by its text and by the seeds that it names, too; what the seeds call is told although no test runs it.
func TestTellingByTexts(t *testing.T) {
	const evict, grow, shrink, unseen = 0, 1, 2, 3
	r := teach.Record{Ran: [][]int{{0}, {1}, {2}, nil}}
	for i := range 9 {
		r.Tests = append(r.Tests, teach.Test{Name: fmt.Sprintf("Test%d", i)})
	}
	r.Tests[0].Text = "// Old entries are evicted.\nfunc Test0() {}"
	for name, test := range map[string]struct {
		topic            string
		begin            teach.Beginning
		functions, tests []int
	}{
		"a word":            {"eviction of entries", teach.Beginning{}, []int{evict}, []int{0}},
		"a text":            {"what happens?", teach.Beginning{Named: [][]int{{1}, {1, 2}}}, []int{grow, shrink}, []int{1, 2}},
		"both":              {"entries", teach.Beginning{Named: [][]int{{1}, {1}, {1}}}, []int{grow, evict}, []int{1, 0}},
		"a call":            {"what happens?", teach.Beginning{Named: [][]int{{1, 2}}, Calls: [][]int{{unseen}}}, []int{unseen, grow, shrink}, []int{1, 2}},
		"a call, no test":   {"what happens?", teach.Beginning{Calls: [][]int{{unseen}}}, nil, nil},
		"a call that ran":   {"what happens?", teach.Beginning{Named: [][]int{{1}, {1, 2}}, Calls: [][]int{{shrink}}}, []int{shrink, grow}, []int{1, 2}},
		"calls tell twice":  {"what happens?", teach.Beginning{Named: [][]int{{0}, {1}, {1}}, Calls: [][]int{{shrink, unseen}}}, []int{unseen, shrink, grow, evict}, []int{1, 0}},
		"calls of a call":   {"what happens?", teach.Beginning{Named: [][]int{{1, 2}}, Calls: [][]int{{}, {unseen}, {unseen, shrink}}}, []int{shrink, grow, unseen}, []int{1, 2}},
		"nothing in common": {"what happens?", teach.Beginning{}, nil, nil},
	} {
		functions, tests := r.Telling(test.topic, test.begin)
		if !slices.Equal(functions, test.functions) || !slices.Equal(tests, test.tests) {
			t.Errorf("%s: functions %v of tests %v, want %v of %v", name, functions, tests, test.functions, test.tests)
		}
	}
}
