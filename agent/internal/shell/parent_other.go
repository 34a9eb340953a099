//go:build !linux

package shell

import "syscall"

// dieWithParent does nothing here: the shell ends when it writes, because nobody reads.
func dieWithParent() *syscall.SysProcAttr { return nil }
