//go:build linux

package main

import (
	"fmt"
	"os"
	"runtime/debug"
	"syscall"
)

func pid32() int32

// int80 makes a system call as a 32-bit program would. A filter that looks at 64-bit numbers only misunderstands it.
//
// A kernel without 32-bit programs (ia32_emulation=off, some hypervisors) faults at the instruction.
func int80() (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if recover() != nil {
			err = fmt.Errorf("int 0x80 faults: %w", syscall.ENOSYS)
		}
	}()
	if got := int(pid32()); got != os.Getpid() {
		return fmt.Errorf("the 32-bit entry answered %d", got)
	}
	return nil
}
