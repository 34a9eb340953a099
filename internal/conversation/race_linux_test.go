//go:build race && linux

package conversation

// memoryFactor is how much more memory a program takes under the race detector, about.
const memoryFactor = 4
