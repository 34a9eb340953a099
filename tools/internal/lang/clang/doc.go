// Package clang answers about C and C++ what clangd does not: how a name is used, from the tokens around it, what types
// consist of, and which lines depend on the preprocessor.
package clang
