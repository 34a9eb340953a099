package sea_test

import (
	"testing"

	"example.com/sea"
	"example.com/sea/fish"
)

func TestOutside(t *testing.T) { sea.Add(1, fish.Count()) }
