// Package haskell is what the tools know of Haskell beyond what its language server tells: data, classes and families,
// from tokens and from how lines are indented.
package haskell
