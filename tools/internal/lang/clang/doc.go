// Package clang has what the tools know of C and C++ beyond clangd: how a name is used, from the tokens around it,
// what types consist of, and which lines depend on the preprocessor.
package clang
