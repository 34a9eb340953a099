// Package teach orders the code behind a topic so that a newcomer can learn
// it.
//
// [Explore] starts at some symbols, the seeds, asks a [Source] what each of them
// links to, and a [Selector] which of the links belong to the topic. It follows
// those, nearest and most used first, until a budget of symbols is spent.
// The result is a [Plan]: symbols in an order in which each comes after
// everything that it needs. Symbols that need each other form a group and are
// learned together.
//
// The package knows no language, no language server and no model. It keeps no
// state, starts no goroutines and logs nothing. The same source, selector and
// topic give the same plan.
package teach
