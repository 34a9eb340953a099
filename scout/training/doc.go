// Package training keeps the judgements of walks and turns them into training
// examples for a scorer.
//
// A [Store] appends the examples of walks to a file that belongs to the user
// alone, within a bound. [Prepare] makes lines of examples: each has an id that
// stays as long as the question does, the side of the split that its module is
// on, and who has judged. What a compiler says outweighs what a scorer says. Of
// several examples for one question one is kept. No line holds an absolute path
// of this machine, or anything that looks like a secret.
package training
