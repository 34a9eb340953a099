// Package memory measures memory: what a process occupies, and what the machine has available.
package memory
