// Package coverage records which functions of a Go module each of its tests runs, and whether the record is still
// valid.
//
// Who runs the tests is not its business: a [Measure] does, one package at a time, in the background, from the first
// question about a module on. What comes of it is kept in memory and in a directory, by the content of all that the tests
// of a package depend on: the Go files of the packages that they import within the module and the modules beside it, go.mod
// and go.work, and the other files below their directory. A package whose files are as they were when it was measured is
// fresh, whichever checkout it is in; of one that has changed since, what was measured before is still told, as stale.
//
// What a test reads from elsewhere, and another release of Go, go unnoticed.
package coverage
