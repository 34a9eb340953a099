package wording

import (
	"cmp"
	"slices"
	"strings"
)

// Nearest returns up to n of names that a person who wrote word may have meant, best first. A name is near if it differs in one
// letter and another one for every four letters of word, or if it begins with word. Letter case does not count.
func Nearest(word string, names []string, n int) []string {
	type candidate struct {
		name     string
		distance int
	}
	var near []candidate
	folded := []rune(strings.ToLower(word))
	most := 1 + len(folded)/4
	for _, name := range names {
		lower := []rune(strings.ToLower(name))
		isBeginning := len(folded) > 2 && strings.HasPrefix(string(lower), string(folded))
		if !isBeginning && max(len(lower)-len(folded), len(folded)-len(lower)) > most {
			continue
		}
		if d := distance(folded, lower); d <= most || isBeginning {
			near = append(near, candidate{name, d})
		}
	}
	slices.SortFunc(near, func(a, b candidate) int {
		return cmp.Or(a.distance-b.distance, strings.Compare(a.name, b.name))
	})
	near = slices.Compact(near)
	found := make([]string, min(n, len(near)))
	for i := range found {
		found[i] = near[i].name
	}
	return found
}

// distance returns how many letters must be inserted, removed, replaced or exchanged with their neighbour to make b of a: the optimal
// string alignment distance.
func distance(a, b []rune) int {
	before, last, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := range a {
		row[0] = i + 1
		for j := range b {
			replaced := last[j]
			if a[i] != b[j] {
				replaced++
			}
			row[j+1] = min(replaced, last[j+1]+1, row[j]+1)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				row[j+1] = min(row[j+1], before[j-1]+1)
			}
		}
		before, last, row = last, row, before
	}
	return last[len(b)]
}
