// Package rules tests the rules of the whole repository: which package may import which, who opens the state directory,
// and that the paths and links in its pages exist. They run in the repository's root: make check.
package rules
