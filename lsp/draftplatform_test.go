package lsp

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

const shopsOfPlatforms = `
-- go.mod --
module example.com/shop

go 1.26
-- price/price.go --
package price

func Of(item string) int { return len(item) }
-- till/till.go --
package till
-- till/till_windows.go --
package till

import "example.com/shop/price"

var Sum = price.Of("w")
-- till/till_darwin.go --
package till

import "example.com/shop/price"

var Sum = price.Of("d")
-- till/till_plan9.go --
package till

import "example.com/shop/price"

var Sum = price.Of("9")
-- till/gen.go --
//go:build ignore

package main

import "example.com/shop/price"

func main() { price.Of("") }
-- till/testdata/data.go --
package data
-- other/go.mod --
module example.com/other
-- other/other.go --
package other
`

// TestDraftReach has gopls look at the files of other platforms: at two of three, and not at what is for none.
func TestDraftReach(t *testing.T) {
	t.Parallel()
	p, dir := project(t, shopsOfPlatforms)
	parameter := replaced(t, dir, "price/price.go", "item string", "item string, tax int")
	windows := "till/till_windows.go:5:23: not enough arguments in call to price.Of have (string) want (string, int) [windows]"
	darwin := "till/till_darwin.go:5:23: not enough arguments in call to price.Of have (string) want (string, int) [darwin]"
	all := []string{"till/gen.go", "till/testdata/data.go", "till/till_windows.go", "till/till_darwin.go", "till/till_plan9.go"}
	steps := []struct {
		name  string
		reach []string
		want  []string // errors
		sees  []string // of all
	}{
		{"nothing more", nil, []string{}, nil},
		{"windows", []string{"till/till_windows.go"}, []string{windows}, []string{"till/till_windows.go"}},
		{"nothing again", nil, []string{}, nil},
		{"all", all, []string{darwin, windows}, []string{"till/till_windows.go", "till/till_darwin.go"}},
	}
	for _, step := range steps {
		d := drafting(t, p)
		try(t, d, parameter)
		d.Reach(step.reach...)
		if got := try(t, d); !cmp.Equal(got, step.want) {
			t.Errorf("%s: %q", step.name, got)
		}
		var sees []string
		for _, path := range all {
			if d.Sees(path) {
				sees = append(sees, path)
			}
		}
		if !cmp.Equal(sees, step.sees) || !d.Sees("till/till.go") || !d.Sees("other/other.go") {
			t.Errorf("%s: sees %q", step.name, sees)
		}
		d.Close()
	}
}
