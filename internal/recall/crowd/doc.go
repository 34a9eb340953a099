// Package crowd tests what many processes that remember at once do to each other, and to what one of them leaves when it is killed.
package crowd
