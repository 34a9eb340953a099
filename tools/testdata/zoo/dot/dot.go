// Package dot imports into its own scope.
package dot

import . "example.test/zoo"

// Lunch feeds.
func Lunch() int {
	return Feed(12) // want zoo.Feed: call
}
