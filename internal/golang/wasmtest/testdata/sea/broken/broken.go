// Package broken does not build for WebAssembly.
package broken

import "syscall"

func Group() (int, error) { return syscall.Getpgid(0) }
