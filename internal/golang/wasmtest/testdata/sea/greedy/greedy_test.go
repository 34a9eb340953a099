// Package greedy has tests that take all the memory they can get.
package greedy

import "testing"

func TestAllocates(t *testing.T) {
	var all [][]byte
	for {
		all = append(all, make([]byte, 1<<20))
	}
}

func TestRecurses(t *testing.T) { TestRecurses(t) }
