package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

const (
	sampleSeed    = 17  // of every choice of this program
	sampledFiles  = 400 // whose symbols are candidates
	sampledOthers = 40  // of each other kind
)

// Drawn is what is asked about, by kind, in the order in which it is asked.
type drawn [kindCount][]symbol

// draw chooses symbols by a seed: of some files each symbol as likely as any other.
func (p *project) draw() (drawn, error) {
	var found []symbol
	for _, path := range shuffled(p.sources, sampledFiles) {
		source, err := os.ReadFile(filepath.Join(p.dir, filepath.FromSlash(path)))
		if err != nil {
			return drawn{}, err
		}
		found = append(found, once(symbolsOf(p.language, path, source))...)
	}
	var s drawn
	for k := range s {
		of := slices.DeleteFunc(slices.Clone(found), func(x symbol) bool { return int(x.kind) != k })
		most := sampledOthers
		if kind(k) == function { // as many as there are, if they are fewer
			most = p.counts.names
		}
		s[k] = shuffled(of, most)
	}
	if len(s[function]) == 0 {
		return s, fmt.Errorf("%s declares no functions in %d files", p.source, len(p.sources))
	}
	return s, nil
}

// shuffled returns at most so many of a list, in an order that depends on the seed alone.
func shuffled[T any](list []T, most int) []T {
	list = slices.Clone(list)
	random().Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	return list[:min(most, len(list))]
}

func random() *rand.Rand { return rand.New(rand.NewPCG(sampleSeed, 0)) }

// once leaves out the names that a file declares more than once: they would not name one symbol. F names T.F, too.
func once(symbols []symbol) []symbol {
	count := map[string]int{}
	for _, s := range symbols {
		count[s.name]++
		if _, last, member := strings.Cut(s.name, "."); member {
			count[last]++
		}
	}
	return slices.DeleteFunc(symbols, func(s symbol) bool { return count[s.name] > 1 })
}
