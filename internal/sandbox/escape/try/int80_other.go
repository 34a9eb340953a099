//go:build linux && !amd64

package main

import "syscall"

// int80 is for processors that have a 32-bit entry.
func int80() error { return syscall.ENOSYS }
