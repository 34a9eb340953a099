// Package ui is the terminal program beside Claude Code: it shows the
// questions that wait for the user, what the daemon does, and which memories
// were told at prompts.
//
// It is run by keyboard alone. A question that comes up while somebody types is
// not answered by the keys that were meant for something else: it takes none for
// a moment. What others have answered goes away.
package ui
