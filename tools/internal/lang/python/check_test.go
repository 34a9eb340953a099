package python_test

import (
	"strings"
	"testing"

	"tidepool/scout"
	"tidepool/tools/internal/lang/langtest"
	"tidepool/tools/internal/toolstest"
)

func TestPythonVariants(t *testing.T) {
	code := langtest.Subject{Tree: toolstest.Serve(t, t.TempDir(), "python", `
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
`)}
	for name, senseless := range map[string]bool{"Color": false, "Shade": false, "Cat": true, "Odd": false} {
		got := code.VerdictText(t, name, scout.Change{Kind: scout.AddVariant})
		if strings.HasPrefix(got, "senseless: it is no Enum") != senseless {
			t.Errorf("a variant of %s: %s", name, got)
		}
	}
	if got := code.VerdictText(t, "Cat", scout.Change{Kind: scout.Rename}); got != "refused: changes of m.py are not tried out" {
		t.Errorf("another name: %s", got)
	}
}
