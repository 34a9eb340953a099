// Package base has what model embeds.
package base

import "time"

// Common is embedded.
type Common struct {
	ID     int `json:"id"`
	Close  bool
	Addr   string // shadowed by Server's own
	secret string
	Deep
}

// Deep is embedded in what is embedded.
type Deep struct {
	Created time.Time
	ID      string // shadowed by Common's own
}

// Linked is embedded by pointer.
type Linked struct {
	Next *Linked
}

// Reset is promoted.
func (l *Linked) Reset() {}

// Touch is promoted.
func (d *Deep) Touch() {}

// Second has an ID, too.
type Second struct {
	ID   int
	Name string
}
