// Package query asks about code in any language: which declaration a name means, what calls it, what is around a
// place, what a file declares.
//
// A Query asks through a view of language servers and through the text of files. What it has to know of a programming
// language beyond that is a Language, which it is handed: this package knows none. What a Language tells of types, a Record
// and a Construction, are plain values; whoever answers makes of them what others read.
//
// Paths are absolute, lines and columns count from 1, and columns are bytes.
package query
