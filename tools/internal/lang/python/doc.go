// Package python has what the tools know of Python beyond pyright: statements and their blocks, from tokens, and the
// base classes and subclasses of a class.
package python
