// Package memory tells how much memory a process occupies, as the system counts it.
package memory
