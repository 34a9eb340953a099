package graph

import (
	"regexp"
	"sync"
)

// pattern returns a function that compiles a regular expression at its first call, so that no start of the daemon waits for it.
func pattern(expression string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expression) })
}
