//go:build !linux

package memory

// ReleaseProgram does nothing: other systems decide by themselves which pages of a program stay in memory.
func ReleaseProgram() error { return nil }
