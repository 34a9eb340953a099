// Package graph presents code as the graph that scout walks: from a declaration to the places that refer to it, with
// role and traits, and to what its language binds to it without naming it.
//
// A Graph is a query that lasts for a walk. How the edges of a declaration are found is a Language, which it is handed;
// what most languages have in common, such as the switches over the members of an enum, stands here for them to use.
package graph
