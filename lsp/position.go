package lsp

import "tidepool/lsp/internal/text"

// A Position is a place in a file, counted from 1 in lines and bytes. The zero Position means "nowhere".
type Position = text.Position

// A Range is the text from its Start up to, not including, its End.
type Range = text.Range

// A Location is a range of a file.
type Location = text.Location

// At returns the location of one position, for the queries that look only at where a location starts.
func At(path string, line, column int) Location {
	start := Position{Line: line, Column: column}
	return Location{Path: path, Range: Range{Start: start, End: start}}
}
