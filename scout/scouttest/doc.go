// Package scouttest holds what every implementation of scout's interfaces has
// to do, as tests that anyone can run against theirs, and a graph in memory.
package scouttest
