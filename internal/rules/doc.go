// Package rules has the rules that the whole repository keeps, as tests: which package may import which, who opens the state
// directory, and that what pages name is there. They run in the repository's root: make check.
package rules
