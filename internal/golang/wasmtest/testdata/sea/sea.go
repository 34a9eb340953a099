// Package sea has functions of every kind.
package sea

import "time"

// A Fish swims.
type Fish struct{ name string }

func (f *Fish) Swim() string { return f.Name() + " swims" }

func (f Fish) Name() string {
	if f.name == "" {
		return unnamed(
			1,
		)
	}
	return f.name
}

func unnamed(
	n int,
) string {
	return "a fish"
}

type School[T any] struct{ members []T }

func (s School[T]) First() T { return s.members[0] }

var depth = func() int { return 11 }

func Add(a, b int) int { return a + b }

func Never() int { return 0 }

//line other.y:100
func generated() int { return 1 }

//line sea.go:39
func init() {
	time.Sleep(time.Hour)
	flood()
}

func flood() { _ = depth }
