// Package golang is what the tools know of Go beyond what gopls tells: what its parser says of a place, its type checker
// of a module, also as other systems build it, and its tests of what they run.
//
// A Walk belongs to one walk of scout, since it keeps what was type-checked and which tests were asked about.
package golang
