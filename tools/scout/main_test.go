package scout

import (
	"testing"

	"tidepool/tools/internal/toolstest"
)

// zoo is the project of Go that most tests ask about.
var zoo toolstest.Tree

func TestMain(m *testing.M) {
	toolstest.Main(m, func(served toolstest.Tree) { zoo = served })
}
