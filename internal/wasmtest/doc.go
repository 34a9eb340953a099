// Package wasmtest runs the tests of a Go module where they can do nothing, and tells which functions each of them ran.
package wasmtest
