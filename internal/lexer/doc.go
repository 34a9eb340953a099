// Package lexer cuts source text of many languages into tokens.
//
// A language server tells where a name is used, not how. What stands before and behind a name tells that in most
// languages: a parenthesis behind it, "new" or "import" before it. This package knows comments, strings, names, brackets
// and lines, and no grammar. It never fails: text that is broken or of another language is cut somehow.
//
// Lines and columns are 1-based; columns count bytes. Offsets count bytes from 0.
package lexer
