//go:build linux

package main

import (
	"fmt"
	"os"
)

func pid32() int32

// int80 makes a system call as a 32-bit program would. A filter that looks at 64-bit numbers only misunderstands it.
func int80() error {
	if got := int(pid32()); got != os.Getpid() {
		return fmt.Errorf("the 32-bit entry answered %d", got)
	}
	return nil
}
