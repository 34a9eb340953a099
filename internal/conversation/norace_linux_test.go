//go:build !race && linux

package conversation

const memoryFactor = 1
