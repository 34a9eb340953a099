// Package scouttest has the tests that every implementation of scout's
// interfaces must pass, and a graph in memory.
package scouttest
