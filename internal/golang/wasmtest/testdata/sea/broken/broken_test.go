package broken

import "testing"

func TestGroup(t *testing.T) { _ = Group }
