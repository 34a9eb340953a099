// Package coverage records which functions of a Go module each of its tests runs, and whether the record is still
// valid.
//
// A [Measure] runs the tests, one package at a time, in the background, from the first question about a module on. Records are
// kept in memory and in a directory, by the content of everything that the tests of a package depend on: the Go files of the
// packages that they import from the module and the modules beside it, go.mod and go.work, and the other files below their
// directory. A package whose files have not changed since is fresh, in whichever checkout it is. If they have changed, its record
// is still returned, as stale.
//
// Changes of files that a test reads from elsewhere, and of the release of Go, are not noticed.
package coverage
