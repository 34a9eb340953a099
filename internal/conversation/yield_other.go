//go:build !linux

package conversation

import "runtime"

// yield leaves the priority of the thread as it is: only Linux has one for each.
func yield() (undo func()) { return runtime.UnlockOSThread }
