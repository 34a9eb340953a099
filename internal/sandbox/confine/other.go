//go:build !linux || !(amd64 || arm64)

package confine

// Self does nothing here.
func Self([]string) error { return nil }

// Main returns the exit status of the process: nothing can be confined here.
func Main() int { return 1 }
