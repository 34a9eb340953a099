package extract

import (
	"regexp"
	"sync"
)

// pattern returns a function that compiles a regular expression at its first call: together they take 4 ms, which no start of the program
// is to wait for.
func pattern(expression string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expression) })
}
