package zoo_test

import (
	"testing"

	z "example.test/zoo"
)

func TestOutside(t *testing.T) {
	z.Feed(1) // want zoo.Feed: call
}
