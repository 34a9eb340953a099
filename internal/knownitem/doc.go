// Package knownitem measures how often a search finds the one turn of a conversation that a query is about.
//
// There are two sets of turns. [History] makes turns of this repository's commits: the body of the message is what a person asked and a
// model answered, the change is the code and the files, and the subject is the query, which is in no turn. [Dialogues] makes turns of
// texts in this package: people report problems with parts of a program, and the queries say the same in other words, next to turns about
// the same problem elsewhere and about other problems of the same part.
//
// Half of the queries of a set are for choosing weights, the other half is for publishing alone.
package knownitem
