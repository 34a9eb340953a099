// Package preview chooses the lines of a command's output that a reader needs first, within a number of characters.
//
// A format knows what one family of programs prints: go test, the Go compiler, TypeScript's, C compilers and make, cargo, pytest,
// unittest, jest, vitest, TAP, eslint, mypy. It goes by the structure of the output, not by the command, because make test says
// nothing about the runner behind it. A format counts the failures that it found; if the runner's own summary counts others, the
// format is not used. Several programs may have written one output, so several formats may apply.
//
// Where no format applies, lines that name a place or an error are chosen, and beside them the beginning and the end.
//
// Outputs are hostile. Escape sequences are removed and control characters replaced; lines are otherwise unchanged but for their
// length, and no text is added except the numbers of lines where some are left out. Time is linear in the output. Memory is a copy
// of the output where it has escape sequences, and four bytes for each line.
package preview
