// Package reach estimates which tests run a function, and with what probability.
//
// What can run what follows from the types: calls, functions that are taken as values, what a package runs before all
// else, methods that a type of which the test makes values brings to an interface, methods that code outside of the tree
// calls through interfaces of its own. That finds nearly all tests that run a function, and as many that could but do not.
// How likely one does is estimated from the words that test and function share, from how many cases the test goes through,
// and from how far apart they are. Where the tests can be run to see, which is slow, that is worth more than any estimate;
// this is for the time before.
package reach
