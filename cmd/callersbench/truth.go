package main

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"strings"
)

// A place is where a name stands: slash path below the project, line and column from 1, columns in bytes.
type place struct {
	Path   string `json:"path"`
	Line   int    `json:"line"`
	Column int    `json:"column"`
}

func comparePlaces(a, b place) int {
	return cmp.Or(strings.Compare(a.Path, b.Path), a.Line-b.Line, a.Column-b.Column)
}

// A function is what a compiler knows of one.
type function struct {
	Name    string  `json:"name"` // F, T.M
	At      place   `json:"at"`
	Calls   []place `json:"calls"`
	Values  []place `json:"values"`  // where it is taken, to be called elsewhere
	Through []place `json:"through"` // calls and values of a method of an interface by which it may run
	May     []place `json:"may"`     // uses of which the compiler cannot tell: an answer may have them or not; line 0: all of a file
	Named   []place `json:"named"`   // the same, but that a complete answer has them
}

// allows reports whether an answer may have a place or not.
func (f function) allows(at place) bool {
	return slices.Contains(f.May, at) || slices.Contains(f.May, place{Path: at.Path}) || slices.Contains(f.Named, at)
}

// seed decides which functions are drawn.
const seed = 17

// draw returns so many functions, as likely one as the other, each place once.
func draw(all []function, count int) []function {
	all = slices.Clone(all)
	slices.SortFunc(all, func(a, b function) int { return comparePlaces(a.At, b.At) })
	all = slices.CompactFunc(all, func(a, b function) bool { return a.At == b.At })
	random := rand.New(rand.NewPCG(seed, 0))
	random.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	return all[:min(count, len(all))]
}

// distinct sorts places and keeps each once.
func distinct(places []place) []place {
	slices.SortFunc(places, comparePlaces)
	return slices.Compact(places)
}
