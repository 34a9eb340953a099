// Package scout answers "what does this change touch?" by walking a graph of
// code, best edge first.
//
// [Walk] resolves the symbols of a [Query] through a [Graph], asks a [Scorer]
// for a rubric of every edge it finds, and follows the most promising open
// edge until the budget of nodes is spent. Three things decide where it goes:
//
//   - the [Role] an edge has in the language (a call, an implementation, a
//     switch over the type, …) together with the [Change] that is planned: a
//     new parameter travels from an interface method to its implementations, but
//     not from a caller to the caller's callers;
//   - the [Rubric] a scorer gives it;
//   - its distance from the symbols of the query.
//
// The package knows no language, no language server and no model. It keeps no
// state between walks, starts no goroutines, and logs nothing. The same graph,
// scorer and query give the same [Answer], byte for byte.
//
// Nothing is invented: an edge that the scorer fails on is listed as not
// scored, places that the budget did not reach are counted, a walk that was cut
// short says why, and the answer names its scorer.
package scout
