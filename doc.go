// Package tidepool holds the rules that the whole project keeps: they are the
// tests of this directory, and testdata/script plays both programs together.
package tidepool
