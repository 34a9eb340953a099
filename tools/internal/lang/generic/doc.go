// Package generic reads languages whose servers cannot be run here: Rust and Haskell. One reader works on tokens, and a table
// for each language says what declarations and uses of names look like.
//
// The reader claims only what the shape of the code settles. How any other name is used is [query.Unknown], and any other
// declaration is shown as it is written. Both make an answer partial, with the reason.
package generic
