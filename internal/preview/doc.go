// Package preview chooses the lines of a command's output that a reader needs first, within a number of characters: lines that
// name a place or an error, and beside them the beginning and the end.
//
// Outputs are hostile. Escape sequences are removed and control characters replaced; lines are otherwise unchanged but for their
// length, and no text is added except the numbers of lines where some are left out. Time is linear in the output. Memory is a copy
// of the output where it has escape sequences, and four bytes for each line.
package preview
