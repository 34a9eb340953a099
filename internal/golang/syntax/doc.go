// Package syntax answers from the Go parser what a language server does not report about a place.
//
// A language server tells where a name is used and what it refers to, not how: whether a reference is a call, a case of
// a switch or the type of a parameter. It gives the kind of a declaration, not the tags of its fields. This package
// answers those questions from the syntax of single files. It resolves no names: whoever asks knows from the server
// which identifier stands at a position. It also writes planned changes into declarations, as edits of the text.
//
// Lines and columns are 1-based; columns count bytes. //line directives are ignored. A file that does not parse is
// answered as far as the parser came.
package syntax
