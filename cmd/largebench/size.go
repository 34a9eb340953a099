package main

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"
)

// A size is a public project of one version.
type size struct {
	name     string // as -sizes has it
	language string // its ID in the table of languages
	source   string // for people; of a Go module what go mod download takes
	fetch    func(ctx context.Context, p *project) error
	limits   limits
	counts   counts
	mixed    bool // has the time of mixed use
}

// counts are how much is asked of a side, and how many edits it sees.
type counts struct {
	names     int // functions whose callers are asked for
	first     int // of them, before memory is looked at again
	leaf, hub int // edits of the two files
	scout     int // questions
}

func fullCounts() counts { return counts{names: 200, first: 50, leaf: 14, hub: 6, scout: 40} }

// limits bound the phases of one side.
type limits struct {
	load    time.Duration // from a cold start to the first complete answer; a second start has half of it
	callers time.Duration // all questions about callers
	edits   time.Duration // all edits
	scout   time.Duration // all questions to scout
	rest    time.Duration // until nothing is at work, before memory is looked at
	pause   time.Duration // of nothing to do from then on; 0: restTime
}

// sizes returns all of them, in the order in which they run: the one that takes most of the time comes last.
func sizes() []size {
	quick := limits{load: time.Minute, callers: time.Minute, edits: time.Minute, scout: time.Minute, rest: 20 * time.Second}
	slow := limits{load: 2 * time.Minute, callers: 90 * time.Second, edits: 90 * time.Second, scout: 2 * time.Minute, rest: 20 * time.Second}
	slowest := limits{load: 4 * time.Minute, callers: 2 * time.Minute, edits: 5 * time.Minute, scout: 4 * time.Minute, rest: 30 * time.Second}
	other := limits{load: 150 * time.Second, callers: 90 * time.Second, edits: 45 * time.Second, scout: 2 * time.Minute, rest: 15 * time.Second}
	c, oneHub := other, fullCounts() // clangd compiles all that includes a header again: a minute for an edit, and one for taking it back
	c.edits, oneHub.hub = 4*time.Minute, 1
	c.pause = 100 * time.Second // it gives back what it has freed once a minute, when it is told something
	return []size{
		{name: "small", language: "go", source: "github.com/go-chi/chi/v5@v5.5.0", fetch: fetchModule, limits: quick, counts: fullCounts()},
		{name: "medium", language: "go", source: "mvdan.cc/sh/v3@v3.14.1", fetch: fetchModule, limits: quick, counts: fullCounts()},
		{name: "big", language: "go", source: "gonum.org/v1/gonum@v0.17.0", fetch: fetchModule, limits: quick, counts: fullCounts()},
		{name: "huge", language: "go", source: "github.com/aws/aws-sdk-go@v1.20.0", fetch: fetchModule, limits: slow, counts: fullCounts()},
		{name: "typescript", language: "typescript", source: "JavaScript of npm's @babylonjs/core, gui and materials, " + babylon, fetch: fetchBabylon, limits: other, counts: fullCounts()},
		{name: "python", language: "python", source: "Debian's sympy 1.11.1-1", fetch: fetchSympy, limits: other, counts: fullCounts()},
		{name: "c", language: "c", source: "Debian's ngspice 39.3+ds-1", fetch: fetchNgspice, limits: c, counts: oneHub},
		{name: "largest", language: "go", source: "github.com/aws/aws-sdk-go@v1.55.5", fetch: fetchModule, limits: slowest, counts: fullCounts(), mixed: true},
	}
}

func sizeNames() []string {
	var names []string
	for _, s := range sizes() {
		names = append(names, s.name)
	}
	return names
}

// choose returns the sizes of a list with commas; "": all.
func choose(list string) ([]size, error) {
	if list == "" {
		return sizes(), nil
	}
	var chosen []size
	for name := range strings.SplitSeq(list, ",") {
		i := slices.IndexFunc(sizes(), func(s size) bool { return s.name == name })
		if i < 0 {
			return nil, fmt.Errorf("there is no size %q: the sizes are %s", name, strings.Join(sizeNames(), ", "))
		}
		chosen = append(chosen, sizes()[i])
	}
	return chosen, nil
}
