package tools

import (
	"strings"
	"testing"

	"tidepool/scout"
)

func TestPythonVariants(t *testing.T) {
	code := serveIn(t, t.TempDir(), "python", `
-- m.py --
from enum import Enum
from nowhere import Base

class Color(Enum):
    RED = 1

class Shade(Color):
    pass

class Cat:
    pass

class Odd(Base):
    pass
`)
	for name, senseless := range map[string]bool{"Color": false, "Shade": false, "Cat": true, "Odd": false} {
		got := verdictText(t, code, name, scout.Change{Kind: scout.AddVariant})
		if strings.HasPrefix(got, "senseless: it is no Enum") != senseless {
			t.Errorf("a variant of %s: %s", name, got)
		}
	}
	if got := verdictText(t, code, "Cat", scout.Change{Kind: scout.Rename}); got != "refused: changes of m.py are not tried out" {
		t.Errorf("another name: %s", got)
	}
}
