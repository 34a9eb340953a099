package packages

import (
	"fmt"
	"strings"
	"testing"

	"tidepool/internal/golang/fact"
)

const colors = `
-- go.mod --
module example.test/m

go 1.26
-- kind/kind.go --
package kind

type Color int

const (
	Red Color = iota
	Green
	Blue
	Last = Blue
	None  = 7
)

type Shade = Color

func (c Color) String() string {
	switch c {
	case Red, Green:
		return "warm"
	case Blue:
	}
	return ""
}
-- use/use.go --
package use

import (
	"fmt"

	. "example.test/m/kind"
	k "example.test/m/kind"
)

var names = map[k.Color]string{k.Red: "red", Green: "green"}

var codes = [...]string{k.Red: "r", k.Blue: "b"}

var all = []k.Color{k.Red, k.Green, k.Blue}

var byName = map[string]k.Shade{"red": Red}

func Pick(s k.Shade, any interface{}, n int) {
	switch s {
	case 0, k.Last:
	default:
	}
	switch any {
	case k.Red:
	}
	switch n {
	case int(k.Red):
	}
	if s == Red || s != Blue {
		return
	}
	const Red = "red"
	switch name := fmt.Sprint(s); name {
	case Red:
	}
	switch {
	case s == k.Green:
	}
}
-- row/row.go --
package row

type Size uint8

const (
	Small Size = iota
	Middle
	Large
)

var names = [...]string{"s", "m", "l"}

var Prices = []int{1, 2, 3}

var pairs = []string{"a", "b"}

var unused = []string{"x", "y", "z"}

func (s Size) String() string { return names[s] + pairs[s] }

func Price(s Size, own []int) int { return Prices[int(s)] + own[s] }
-- use/use_plan9.go --
package use

import "example.test/m/kind"

func plan9(c kind.Color) bool {
	switch c {
	case kind.Blue:
		return true
	}
	return false
}
-- use/use_test.go --
package use

import "example.test/m/kind"

var table = map[kind.Color]int{kind.Blue: 1}
-- use/out_test.go --
package use_test

import (
	"testing"

	"example.test/m/kind"
)

func TestColor(t *testing.T) {
	c := kind.Red
	func() {
		switch c {
		case kind.Blue:
		}
	}()
}
-- broken/broken.go --
package broken

import (
	"example.test/m/gone"
	"example.test/m/kind"
)

func f(c kind.Color) undefined {
	gone.Do()
	switch c {
	case kind.Green, kind.Missing:
	}
	return 1 + "
}
`

func TestSwitches(t *testing.T) {
	b := newBench(t, colors)
	x := b.index(t)
	var got []string
	for _, s := range x.Switches {
		line := fmt.Sprintf("%s %s %s of %s %s", b.short(s.At), s.Enclosing, s.Form, b.name(x, s.Of), strings.Join(s.Values, ","))
		if s.Default {
			line += " default"
		}
		if s.OtherPlatform {
			line += " elsewhere"
		}
		got = append(got, line)
	}
	compare(t, got, `
broken/broken.go:10 f switch of Color 1
kind/kind.go:16 Color.String switch of Color 0,1,2
use/use.go:10 names table of Color 0,1
use/use.go:12 codes table of Color 0,2
use/use.go:14 all list of Color 0,1,2
use/use.go:16 byName list of Color 0
use/use.go:19 Pick switch of Color 0,2 default
use/use.go:29 Pick chain of Color 0,1,2
use/use_test.go:5 table table of Color 2
use/out_test.go:12 TestColor switch of Color 2
use/use_plan9.go:6 plan9 switch of Color 2 elsewhere
row/row.go:11 names row of Size 0,1,2
row/row.go:13 Prices row of Size 0,1,2
`)
}

func TestEnum(t *testing.T) {
	b := newBench(t, colors)
	x := b.index(t)
	for _, typ := range x.Types {
		if typ.Name == "Size" {
			continue
		}
		var members []string
		for _, m := range typ.Members {
			members = append(members, m.Name+"="+m.Value)
			if found := x.Enum(m.At); found != typ {
				t.Errorf("the constant %s leads to %v", m.Name, found)
			}
		}
		if text := strings.Join(members, " "); typ.Name != "Color" || text != "Blue=2 Green=1 Last=2 Red=0" {
			t.Errorf("%s has %s", typ.Name, text)
		}
		if x.Enum(typ.At) != typ {
			t.Errorf("%s is no enum", typ.Name)
		}
	}
	if found := x.Enum(fact.Place{}); found != nil {
		t.Errorf("nothing leads to %s", found.Name)
	}
}
