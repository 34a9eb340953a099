package packages

import (
	"fmt"
	"testing"
)

const layout = `
-- go.mod --
module example.test/m

go 1.26

require example.test/far v1.0.0

replace example.test/far => ./far
-- m.go --
package m

import (
	"example.test/far"
	"example.test/m/sub"
	sub2 "example.test/m/sub/v2"
)

func F() { far.G(); sub.G(); sub2.G() }
-- far/go.mod --
module example.test/far
-- far/far.go --
package far

func G() {}
-- sub/go.mod --
module example.test/m/sub
-- sub/sub.go --
package sub

func G() {}
-- sub/v2/go.mod --
module example.test/m/sub/v2
-- sub/v2/sub.go --
package sub

func G() {}
-- testdata/t.go --
package t

func Ignored() {}
-- _old/old.go --
package old

func Ignored() {}
-- tagged/tagged.go --
package tagged

func Here() {}
-- tagged/script.go --
//go:build ignore

package main

func main() {}
-- tagged/integration.go --
//go:build integration && linux

package tagged

func Tagged() { Here() }
-- tagged/wide_arm64.go --
package tagged

func Wide() { Here() }
-- tagged/wide_amd64.go --
package tagged

func Wide() { Here() }
`

func TestLayout(t *testing.T) {
	b := newBench(t, layout)
	x := b.index(t)
	var got []string
	elsewhere := 0
	for _, fn := range x.Functions {
		if fn.Name == "Wide" {
			if fn.OtherPlatform {
				elsewhere++
			}
			continue
		}
		line := fmt.Sprintf("%s.%s", fn.Package, fn.Name)
		if fn.OtherPlatform {
			line += " elsewhere"
		}
		for _, u := range fn.Uses {
			line += " " + b.short(u.To)
		}
		got = append(got, line)
	}
	compare(t, got, `
example.test/m.F far/far.go:3 sub/sub.go:3 sub/v2/sub.go:3
example.test/far.G
example.test/m/sub.G
example.test/m/sub/v2.G
example.test/m/tagged.Here
example.test/m/tagged.Tagged elsewhere tagged/tagged.go:3
`)
	if elsewhere != 1 {
		t.Errorf("%d of two functions for two processors are built elsewhere", elsewhere)
	}
}
