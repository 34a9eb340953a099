// Package python answers about Python what pyright does not: which statements and blocks a file has, from its tokens, and
// which base classes and subclasses a class has.
package python
