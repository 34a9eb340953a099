// Package clang is what the tools know of C and C++ beyond what clangd tells: how a name is used, from the tokens around
// it, what types consist of, and which lines the preprocessor needs something for.
package clang
