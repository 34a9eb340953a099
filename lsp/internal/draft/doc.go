// Package draft keeps the edits of files that are tried out and never written, and says which errors are new with them.
//
// Edits count bytes in the text on the disk, however many came before. An error is known by its file, its place on the disk
// and its message without the places in it: one that an edit has only moved is no new one.
package draft
