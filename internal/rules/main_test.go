package rules

import (
	"fmt"
	"os"
	"testing"
)

// TestMain goes to the root of the repository, from which paths are named here.
func TestMain(m *testing.M) {
	if err := os.Chdir("../.."); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(m.Run())
}
