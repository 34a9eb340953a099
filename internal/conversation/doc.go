// Package conversation keeps what people and models said in a project's sessions, and finds it again.
//
// The unit is the turn: a prompt, and what followed it until the next one. A turn is named by the session whose transcript it stands
// in and its number there, counted from 0. Numbers never change while a transcript grows.
//
// An answer says how complete it is. Text in an answer is foreign: secrets are replaced in it, but control characters are
// still there, and whoever shows it escapes them.
//
// An [Archive] answers questions. It reads a store, one SQLite file for each project in the user's state directory, which stays when a
// transcript is deleted. A [Keeper] fills the store, in the one process that holds its lock: it follows the project's transcripts, replaces
// secrets, and stores turns and offsets in one transaction. Other processes only read.
//
// Words are found by an index in memory. It is loaded at the first question from a snapshot in the store, follows the store from then on, and
// leaves the memory half an hour after the last question. Filters come before the ranking, so that a filtered search
// finds as much as there is.
package conversation
