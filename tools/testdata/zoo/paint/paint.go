// Package paint uses package kinds.
package paint

import (
	"fmt"

	k "example.test/zoo/kinds"
)

// Name switches over the colors.
func Name(c k.Color) string {
	switch c {
	case k.Red:
		return "red"
	case k.Green, k.Blue:
		return "cold"
	}
	return fmt.Sprint(int(c))
}

var hex = map[k.Color]string{
	k.Red:   "f00",
	k.Green: "0f0",
}

var all = []k.Color{k.Red, k.Green, k.Blue, k.Violet}

// Mix takes one color, which makes no table.
func Mix(c k.Color) []any { return []any{k.Red, hex[c], k.Color(4), all} }

// Perimeter switches over the shapes.
func Perimeter(s k.Shape) float64 {
	switch s := s.(type) {
	case k.Circle:
		return 6 * s.R
	case *k.Square:
		return 4 * s.Side
	}
	if c, ok := s.(k.Circle); ok {
		return c.Area()
	}
	return s.Area()
}

var _ k.Shape = k.Circle{}

// Canvas embeds and has what it draws.
type Canvas struct {
	k.Circle
	background k.Color
}

// Fill writes and reads a field.
func (c *Canvas) Fill() k.Color {
	c.background = k.Red
	area := c.Area
	_ = area
	return c.background
}

// New builds a literal.
func New() *Canvas { return &Canvas{background: k.Blue} }

// Hue hands a type on.
type Hue = k.Color
