// Package text holds the texts of source files: positions in them, edits, and the words that they mention.
//
// Positions count lines and bytes from 1. Those of the Language Server Protocol count lines from 0 and UTF-16 code units:
// this package makes the conversion, and no other. It also reads the locations that servers answer with, and knows the
// protocol's names of files.
package text
