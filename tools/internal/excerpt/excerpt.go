// Package excerpt bounds what answers quote: lines of source and comments on one line.
package excerpt

import (
	"fmt"
	"strings"
	"unicode/utf8"
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
