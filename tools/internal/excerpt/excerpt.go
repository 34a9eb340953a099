// Package excerpt bounds what answers quote: lines of source and comments on one line. It also suggests names for
// misspelt ones.
package excerpt

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/agnivade/levenshtein"
)

// maxLine bounds a line of source in an output, in characters: generated code has lines of megabytes.
const maxLine = 240

// Line returns a line of source for a model: without its indentation, and clipped.
func Line(line string) string { return Clip(strings.TrimSpace(line)) }

// Clip cuts a line after 240 characters, with … for the rest.
func Clip(line string) string {
	if len(line) <= maxLine || utf8.RuneCountInString(line) <= maxLine {
		return line
	}
	return string([]rune(line)[:maxLine]) + "…"
}

// Shorten bounds a text in characters, and counts those that it leaves out.
func Shorten(text string, most int) string {
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most]) + fmt.Sprintf("… (%d more characters)", len(runes)-most)
	}
	return text
}

// OneLine joins the lines of a comment, and clips them.
func OneLine(text string) string { return Clip(strings.Join(strings.Fields(text), " ")) }

// Nearest returns up to n of names that a person who wrote word may have meant, best first.
func Nearest(word string, names []string, n int) []string {
	type candidate struct {
		name     string
		distance int
	}
	var near []candidate
	folded := strings.ToLower(word)
	for _, name := range names {
		lower := strings.ToLower(name)
		distance := levenshtein.ComputeDistance(folded, lower)
		if distance <= 1+len(word)/4 || strings.HasPrefix(lower, folded) && len(folded) > 2 {
			near = append(near, candidate{name, distance})
		}
	}
	slices.SortFunc(near, func(a, b candidate) int {
		return cmp.Or(a.distance-b.distance, strings.Compare(a.name, b.name))
	})
	found := make([]string, 0, n)
	for _, c := range near {
		if len(found) < n && (len(found) == 0 || found[len(found)-1] != c.name) {
			found = append(found, c.name)
		}
	}
	return found
}
