//go:build !race && linux

package tail

const memoryFactor = 1
