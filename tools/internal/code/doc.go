// Package code is what answers about code have in common, whatever language it is written in.
package code
