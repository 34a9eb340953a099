// Package stuck has tests that take all they can get.
package stuck

import (
	"fmt"
	"strings"
	"testing"
)

func TestLoops(t *testing.T) {
	for {
	}
}

func TestAllocates(t *testing.T) {
	var all [][]byte
	for {
		all = append(all, make([]byte, 1<<20))
	}
}

func TestPrints(t *testing.T) {
	line := strings.Repeat("sea ", 1<<16)
	for range 100 {
		fmt.Println(line)
	}
}

func TestRecurses(t *testing.T) { TestRecurses(t) }

func TestDeep(t *testing.T) {
	if depth(5000) != 5000 {
		t.Error("a wrong depth")
	}
}

func depth(left int) int {
	if left == 0 {
		return 0
	}
	return 1 + depth(left-1)
}
