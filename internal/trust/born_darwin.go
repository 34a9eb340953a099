package trust

import "syscall"

// born is when a directory was made.
func born(_ string, stat *syscall.Stat_t) int64 { return stat.Birthtimespec.Nano() }
