// Package scout answers "what does this change touch?" by trying the change out
// where that is possible, and by walking a graph of code, best edge first.
//
// [Walk] resolves the symbols of a [Query] through a [Graph] and settles which
// [Change] is meant. If the graph is a [Checker], the change is made where nobody
// else sees it: what a compiler then refuses is certain and comes first. Of kinds
// of change that a compiler sees through, nothing else is listed, but for places
// in files that it does not read. Otherwise the walk asks a [Scorer] for a rubric
// of every edge that it finds and follows the most promising open one until the
// budget of nodes is spent. Three things decide where it goes:
//
//   - the [Role] an edge has in the language (a call, an implementation, a
//     switch over the type, …) and its [Trait]s (in a generated file, a literal
//     without keys, …) together with the change: a new parameter travels from an
//     interface method to its implementations, but not from a caller to the
//     caller's callers, and an error not beyond a caller that handles it;
//   - the [Rubric] a scorer gives it;
//   - its distance from the symbols of the query.
//
// A node is a declaration: all places in it together cost one. When it is known
// what is to be changed, an answer lists what must be changed or looked at, and
// counts the rest; roles decide that, and scores only the order. Scores decide
// alone what an open question gets.
//
// The package knows no language, no language server and no model. It keeps no
// state between walks, starts no goroutines, and logs nothing. The same graph,
// scorer and query give the same [Answer], byte for byte.
//
// Nothing is invented: an edge that the scorer fails on is listed as not
// scored, places that the budget did not reach are counted, a walk that was cut
// short says why, as does a change that could not be tried, and the answer names
// its scorer.
package scout
