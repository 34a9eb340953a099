// Package dead never gets to its tests.
package dead

import "testing"

func init() {
	for {
	}
}

func TestNever(t *testing.T) {}
