// Package kinds is full of enum-like types and sums.
package kinds

// Color is enum-like.
type Color int

// The colors.
const (
	Red Color = iota // warm
	// Green is calm.
	Green
	_
	Blue
)

// Default is one more, apart.
const Default = Color(1)

const unrelated = 3

// ParseColor makes one.
func ParseColor(s string) (Color, error) { return Red, nil }

// Level is enum-like with strings.
type Level string

const (
	Low, High Level = "low", "high"
)

// Shape is a sum-like interface.
type Shape interface {
	Area() float64
	isShape()
}

// Circle is a Shape.
type Circle struct{ R float64 }

// Area is a circle's.
func (c Circle) Area() float64 { return c.R }
func (Circle) isShape()        {}

// Square is a Shape by pointer.
type Square struct{ Side float64 }

// Area is a square's.
func (s *Square) Area() float64 { return s.Side }
func (*Square) isShape()        {}

// Solid is a Shape that is an interface.
type Solid interface {
	Shape
	Volume() float64
}

// Largest makes a Shape.
func Largest(all ...Shape) Shape { return nil }

// Option is a function type.
type Option func(*Circle)

// Radius makes an Option.
func Radius(r float64) Option { return func(c *Circle) { c.R = r } }

// Lonely has neither constants nor functions.
type Lonely struct{ A int }

// Result is generic.
type Result[T any] struct{ Value T }

// Ok makes a Result.
func Ok[T any](v T) Result[T] { return Result[T]{Value: v} }

// IntResult makes an instance.
func IntResult() *Result[int] { return nil }
