// Package intent finds out which change a question about code means, from its
// words and from the symbol that it is about.
//
// A question becomes features: its words, their beginnings, pairs of neighbours,
// the classes of lexicon.txt that they belong to, and what the symbol is. A
// linear model adds up a weight of each feature for each kind of change; the
// kind with the largest sum is the reading, among those that make sense for such
// a symbol. The weights are trained on testdata/training.txt, on the patterns of
// testdata/patterns.txt, and on each of these questions once more with sentences of
// testdata/around.txt before or behind it, by
//
//	go run ./cmd/train/intent
//
// which gives the same file again for the same questions. The questions of
// testdata/heldout.txt are kept apart, and no weight has seen them: the tests
// measure on those.
//
// Signatures of the symbol that a question writes out, "F(n int) -> F(ctx, n int)",
// are compared to each other or to the declaration, and what differs is a feature.
//
// Terms, such as the new type of a field, are found by the phrases around them.
//
// Words that name outright what is added to the symbol, and what cannot be added
// to one like it, are taken at their word.
//
// The package reads English, some German, and a little of what people make of
// both. It never refuses: a question that no weight knows is read as one about
// nothing in particular, with a probability that says so.
package intent
