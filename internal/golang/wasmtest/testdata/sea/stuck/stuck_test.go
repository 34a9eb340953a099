// Package stuck has tests that take all the time, output and depth they can get.
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

func TestPrints(t *testing.T) {
	line := strings.Repeat("sea ", 1<<16)
	for range 100 {
		fmt.Println(line)
	}
}

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
