package memory

import (
	"fmt"

	"golang.org/x/sys/unix"
)

// Available returns all memory of the machine: which part of it other programs need, macOS does not tell in one number.
func Available() (Room, error) {
	size, err := unix.SysctlUint64("hw.memsize")
	if err != nil {
		return Room{}, fmt.Errorf("asking for hw.memsize: %w", err)
	}
	return Room{
		Bytes: int64(size), From: "hw.memsize",
		Doubts: []string{"this is all memory of the machine, with what other programs occupy"},
	}, nil
}
