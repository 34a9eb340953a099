// Package packages type-checks Go packages from their source alone and keeps what matters of them: which function uses
// which, what the switches and tables over a type list, what implements an interface.
//
// A language server answers such questions one name at a time. Some changes need all of them at once: which tests reach
// a function, which type switches miss a new type. The packages of a tree are read from the disk in the state in which
// the tree is, those outside of it from GOROOT and the module cache, without a function's body. Nothing is built or
// fetched and no program is run. What cannot be found or does not compile leaves types unknown, and the uses that depend
// on them are missing.
//
// Files that the system we run on leaves out of its builds are read too, each for a system that builds it; what is found
// in them is marked.
//
// Declarations are known by the place of their name, so that the variants of a package that Go knows (with its tests, for
// another system) tell of the same ones.
package packages
