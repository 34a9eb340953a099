package code

import (
	"testing"

	"tidepool/tools/internal/toolstest"
	"tidepool/tools/lang"
)

// zoo is the toolset over the zoo.
var zoo *Toolset

func TestMain(m *testing.M) {
	toolstest.Main(m, func(served toolstest.Tree) {
		zoo = &Toolset{Project: served.Project, Root: served.Root, Memory: new(lang.Memory)}
	})
}
