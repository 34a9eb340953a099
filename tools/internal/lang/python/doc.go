// Package python is what the tools know of Python beyond what pyright tells: statements and their blocks, from tokens, and
// which classes stand above and below a class.
package python
